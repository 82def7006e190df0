// What a command of the RPC gets and what it may answer. Options come as query parameters, as Kubo's RPC has them.

import type { IncomingMessage } from 'node:http';
import { multipartParts, type Part } from './multipart.ts';
import type { Repo } from './repo.ts';
import { RpcError } from './rpcError.ts';

/** An answer: one JSON value, several (one a line), raw bytes, or an empty body. */
export type Reply =
  | { readonly json: unknown }
  | { readonly lines: Iterable<unknown> | AsyncIterable<unknown> }
  | { readonly stream: AsyncIterable<Uint8Array>; readonly byteLength?: number }
  | { readonly empty: true };

/** One call of a command. */
export interface Call {
  readonly repo: Repo;
  /** All `arg` parameters in order. */
  readonly args: readonly string[];
  /** The first `arg`; throws {@link RpcError} 400 naming it when there is none. */
  arg(name: string): string;
  text(option: string): string | undefined;
  flag(option: string, fallback: boolean): boolean;
  /** A whole number from 0; throws {@link RpcError} 400 for anything else. */
  number(option: string): number | undefined;
  parts(): AsyncGenerator<Part>;
}

/** Carries a call out; throws {@link RpcError} for a failure that the client should read. */
export type Command = (call: Call) => Promise<Reply> | Reply;

/** Commands by their path under `/api/v0/`. */
export type Commands = Readonly<Record<string, Command>>;

/** Reads a request's query into a call. */
export function callOf(request: IncomingMessage, query: URLSearchParams, repo: Repo): Call {
  const args = query.getAll('arg');
  return {
    repo,
    args,
    arg(name) {
      const value = args[0];
      if (value === undefined || value === '') {
        throw new RpcError(`argument "${name}" is required`, { status: 400 });
      }
      return value;
    },
    text: (option) => query.get(option) ?? undefined,
    flag(option, fallback) {
      const value = query.get(option);
      if (value === null) return fallback;
      if (value === 'true' || value === '1' || value === '') return true;
      if (value === 'false' || value === '0') return false;
      throw new RpcError(`could not convert value "${value}" to type "bool" (for option "-${option}")`, {
        status: 400,
      });
    },
    number(option) {
      const value = query.get(option);
      if (value === null) return undefined;
      if (!/^(0|[1-9][0-9]{0,14})$/.test(value)) {
        throw new RpcError(`could not convert value "${value}" to type "int64" (for option "-${option}")`, {
          status: 400,
        });
      }
      return Number(value);
    },
    parts: () => multipartParts(request),
  };
}
