// What an endpoint declares: one value that the router, the OpenAPI document and the tests all read.
// It says who may call, what comes in, what goes out and which errors it may answer; the pipeline does the rest.

import type { Services } from '../adapters/services.ts';
import type { Approval } from '../auth/approval.ts';
import type { Policy } from '../auth/policy.ts';
import type { ErrorCode, Issue } from '../protocol/errors.ts';
import type { Parameter } from './parameter.ts';

/** Declared path or query parameters by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The parsed values of declared parameters. */
export type Parsed<Declared extends Parameters> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Parameter<infer Value> ? Value : never;
};

/** How a body is taken. Bytes are read whole under `maxBytes` and hashed before anything parses them. */
export type BodyRule<Body, Path = unknown> =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'json';
      readonly maxBytes: number;
      readonly schema: object;
      readonly parse: BodyParser<Body>;
    }
  | { readonly kind: 'markdown'; readonly maxBytes: number; readonly parse: BodyParser<Body, Path> }
  | { readonly kind: 'stream'; readonly contentType: string };

/** Turn exact bytes into a value, or say everything that is wrong with them; `path` has the parsed path parameters. */
export type BodyParser<Body, Path = unknown> = (
  bytes: Uint8Array,
  path: Path,
) => { readonly value: Body } | { readonly issues: readonly Issue[]; readonly code?: ErrorCode };

/** One request as handlers see it. */
export interface Call<Path, Query, Body, Facts> {
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  /** The exact bytes of the body; empty for a stream. */
  readonly bytes: Uint8Array;
  /** The raw body of a `stream` route. */
  readonly stream: AsyncIterable<Uint8Array> & { destroy(error: Error): void };
  readonly header: (name: string) => string | undefined;
  /** The facts that the policy checked, all read at one block. */
  readonly facts: Facts;
  /** Present on signed routes alone. */
  readonly approval: Approval | undefined;
  readonly clientAddress: string;
  /** Count this request against the client's rate, before a neighbour is asked. @throws ServiceError 429 */
  readonly charge: () => void;
  /** Aborts when the client goes away or the server has to stop. */
  readonly signal: AbortSignal;
}

/** What goes back. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value, or bytes that are sent as they are. */
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly stream?: AsyncIterable<Uint8Array>;
}

/** One declared success answer, for OpenAPI. */
export interface Success {
  readonly description: string;
  readonly contentType: string;
  readonly schema?: object;
  /** Headers beyond those of every answer, each with what it says. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What every endpoint declares. */
export interface RouteDeclaration<Path extends Parameters, Query extends Parameters, Body, Facts> {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** `/api/bounties/{bounty_id}`: fixed segments are matched case-sensitively. */
  readonly route: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly path: Path;
  readonly query: Query;
  /** The code of this route's 400. */
  readonly invalid: ErrorCode;
  readonly body: BodyRule<Body, NoInfer<Parsed<Path>>>;
  /** Absent on public routes. */
  readonly policy?: Policy<Parsed<Path>, Parsed<Query>, NoInfer<Body>, Facts>;
  /** True where every call costs a neighbour something and counts against the rates; else handlers `charge()`. */
  readonly limited: boolean;
  readonly success: Readonly<Record<number, Success>>;
  /** The code that every failure to read chain facts becomes on this route, where it has one of its own. */
  readonly unavailableAs?: ErrorCode;
  /** Codes beyond those that every route of its kind may answer. */
  readonly errors: readonly ErrorCode[];
  handle(call: Call<Parsed<Path>, Parsed<Query>, Body, Facts>, services: Services): Promise<Reply>;
}

/** A declared endpoint with its types folded away, as the table of contents holds it. */
// biome-ignore lint/suspicious/noExplicitAny: the table holds routes of different types; each was checked at its own declaration.
export type Route = RouteDeclaration<any, any, any, any>;

/** Declare an endpoint; exists for type inference alone. */
export function route<Path extends Parameters, Query extends Parameters, Body, Facts>(
  declaration: RouteDeclaration<Path, Query, Body, Facts>,
): RouteDeclaration<Path, Query, Body, Facts> {
  return declaration;
}
