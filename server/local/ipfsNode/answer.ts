// Writes a command's reply the way Kubo does. Nothing is sent before the first value is there, so that a failure is a
// clean 500; one that comes later breaks the connection off, never a well-formed end after half the bytes.

import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Reply } from './command.ts';
import { RpcError } from './rpcError.ts';

/** Sends a reply; rejects when the reply itself fails on the way. */
export async function sendReply(response: ServerResponse, reply: Reply): Promise<void> {
  if ('json' in reply) {
    const text = `${JSON.stringify(reply.json)}\n`;
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text);
  } else if ('lines' in reply) {
    await send(response, asLines(reply.lines), {
      'content-type': 'application/json',
      'x-chunked-output': '1',
    });
  } else if ('stream' in reply) {
    const length = reply.byteLength === undefined ? {} : { 'x-content-length': reply.byteLength };
    await send(response, reply.stream, {
      'content-type': 'application/octet-stream',
      'x-stream-output': '1',
      ...length,
    });
  } else {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 0 }).end();
  }
}

/** Sends a failure as Kubo does: `{Message, Code, Type}` with 500, plain text with 400 for a malformed request. */
export function sendFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RpcError && error.status === 400) {
    response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
    return;
  }
  const text = `${JSON.stringify({ Message: message, Code: 0, Type: 'error' })}\n`;
  response
    .writeHead(500, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

async function send(
  response: ServerResponse,
  source: AsyncIterable<Uint8Array>,
  headers: Record<string, string | number>,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.writeHead(200, headers);
  await pipeline(async function* () {
    if (first.done) return;
    yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }, response);
}

async function* asLines(values: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const value of values) yield encoder.encode(`${JSON.stringify(value)}\n`);
}
