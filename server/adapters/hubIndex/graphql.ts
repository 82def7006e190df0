// GraphQL to graph-node: one request, one answer, every failure told apart and none mistaken for "empty".
// graph-node answers its failures with HTTP 200 and an `errors` array; their text is for the log alone.

import { GraphQLClient } from 'graphql-request';
import { ServiceError } from '../../protocol/errors.ts';

const TIMEOUT_MS = 5_000;
const BEHIND = /has only indexed up to|has not started syncing yet|not yet available/;

/** A query function: resolves with `data`, rejects with a ServiceError (503) whatever else happened. */
export type GraphqlRequest = (
  text: string,
  variables: Record<string, unknown>,
) => Promise<Record<string, unknown>>;

/** The request function of one graph-node endpoint. */
export function graphqlEndpoint(url: string): GraphqlRequest {
  const client = new GraphQLClient(url, {
    errorPolicy: 'all',
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  });
  return async (text, variables) => {
    const answer = await client
      .rawRequest<Record<string, unknown>>(text, variables)
      .catch((error: unknown) => {
        throw projectionUnavailable('The index of Hub events does not answer.', error);
      });
    if (answer.errors !== undefined) {
      const errors: unknown = answer.errors;
      if (BEHIND.test(JSON.stringify(errors))) {
        throw new ServiceError('bounty_chain_state_unavailable', {
          message: 'The index of Hub events has not reached the finalized block yet.',
          retryAfterSeconds: 2,
          cause: errors,
        });
      }
      throw projectionUnavailable('The index of Hub events refused the query.', errors);
    }
    if (typeof answer.data !== 'object' || answer.data === null) {
      throw projectionUnavailable('The index of Hub events sent no data.', undefined);
    }
    return answer.data;
  };
}

/** 503 `bounty_projection_unavailable`: graph-node is unreachable, malformed or not to be believed. */
export function projectionUnavailable(message: string, cause: unknown): ServiceError {
  return new ServiceError('bounty_projection_unavailable', { message, retryAfterSeconds: 5, cause });
}
