// A query whose every field is pinned to one block, beside the index's own head: what one decision reads.
// The pin is a number, never a hash (graph-node forgets hashes); P's hash stands in an alias so that no answer that was
// cached for another block of the same number can ever be mistaken for this one's.

import { Ajv, type JSONSchemaType, type ValidateFunction } from 'ajv';
import type { Hex } from 'viem';
import { type GraphqlRequest, projectionUnavailable } from './graphql.ts';

/** graph-node's own head: the last block that it has indexed. */
export interface IndexHead {
  readonly number: number;
  readonly hash: Hex;
}

/** A declared query. `fields` uses `$pin` in every top-level field that is not about the head. */
export interface PinnedQuery<Result> {
  readonly name: string;
  /** GraphQL variable declarations besides `$pin`, e.g. `$id: ID!`. */
  readonly parameters: string;
  /** Top-level fields of the document. */
  readonly fields: string;
  /** Fragments the fields use. */
  readonly fragments: string;
  readonly accepts: ValidateFunction<Result>;
}

/** One block to read at. */
export interface Pin {
  readonly number: number;
  readonly hash: Hex;
}

const ajv = new Ajv({ strict: true, allowUnionTypes: true });

/** Declare a query; its answer must fit `schema` to the letter, or it is a 503. */
export function pinnedQuery<Result>(
  parts: Omit<PinnedQuery<Result>, 'accepts' | 'fragments'> & { fragments?: string; schema: object },
): PinnedQuery<Result> {
  const { schema, fragments = '', ...rest } = parts;
  return { ...rest, fragments, accepts: ajv.compile<Result>(schema as JSONSchemaType<Result>) };
}

interface Meta {
  deployment: string;
  hasIndexingErrors: boolean;
}

interface Envelope {
  at: Meta;
  head: Meta & { block: { number: number; hash: Hex | null } };
}

const META = {
  type: 'object',
  properties: { deployment: { type: 'string' }, hasIndexingErrors: { type: 'boolean' } },
  required: ['deployment', 'hasIndexingErrors'],
};

const acceptsEnvelope = ajv.compile<Envelope>({
  type: 'object',
  properties: {
    at: META,
    head: {
      type: 'object',
      properties: {
        ...META.properties,
        block: {
          type: 'object',
          properties: {
            number: { type: 'integer' },
            hash: { type: ['string', 'null'], pattern: '^0x[0-9a-f]{64}$' },
          },
          required: ['number', 'hash'],
        },
      },
      required: ['deployment', 'hasIndexingErrors', 'block'],
    },
  },
  required: ['at', 'head'],
} as never);

/**
 * Send one pinned document.
 *
 * @param deploymentId The only deployment whose answers count
 * @returns The checked result and the index's head as the same document saw it
 * @throws ServiceError 503 for everything that is not a clean answer of this deployment
 */
export async function sendPinned<Result>(
  request: GraphqlRequest,
  deploymentId: string,
  query: PinnedQuery<Result>,
  variables: Record<string, unknown>,
  pin: Pin,
): Promise<{ result: Result; head: IndexHead }> {
  const alias = `at_${pin.hash}`;
  const text = `query ${query.name}($pin: Int!${query.parameters && `, ${query.parameters}`}) {
  ${alias}: _meta(block: {number: $pin}) { deployment hasIndexingErrors }
  head: _meta { deployment hasIndexingErrors block { number hash } }
  ${query.fields}
}
${query.fragments}`;
  const { [alias]: at, head, ...result } = await request(text, { ...variables, pin: pin.number });
  const envelope = { at, head };
  if (!acceptsEnvelope(envelope)) {
    throw projectionUnavailable('The index of Hub events sent a malformed answer.', acceptsEnvelope.errors);
  }
  return { result: checked(query, result), head: checkedHead(envelope, deploymentId) };
}

function checkedHead({ at, head }: Envelope, deploymentId: string): IndexHead {
  if (at.deployment !== deploymentId || head.deployment !== deploymentId) {
    throw projectionUnavailable('The index of Hub events answers for another deployment.', undefined);
  }
  if (at.hasIndexingErrors || head.hasIndexingErrors) {
    throw projectionUnavailable('The index of Hub events failed while indexing.', undefined);
  }
  if (head.block.hash === null) {
    throw projectionUnavailable('The index of Hub events does not name its head.', undefined);
  }
  return { number: head.block.number, hash: head.block.hash };
}

function checked<Result>(query: PinnedQuery<Result>, result: unknown): Result {
  if (query.accepts(result)) return result;
  throw projectionUnavailable('The index of Hub events sent a malformed answer.', query.accepts.errors);
}
