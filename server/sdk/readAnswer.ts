// A successful answer's body: JSON of a known shape or exact bytes, under a limit. What is anything else is said to be
// malformed, not handed on.

import { type Shape, ShapeError } from './answers/shape.ts';
import { ApiError, networkFailure } from './apiError.ts';
import { BodyTooLargeError, readBytes } from './readBytes.ts';

/** Lists of bounties and of Submissions are the longest answers. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;

/** The JSON of an answer. @throws ApiError `malformed_answer` or `network_failure` */
export async function readJson<T>(response: Response, shape: Shape<T>, signal?: AbortSignal): Promise<T> {
  const bytes = await readBody(response, MAX_JSON_BYTES, signal);
  try {
    return shape(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), '');
  } catch (cause) {
    const what = cause instanceof ShapeError ? cause.message : 'It is not JSON.';
    throw malformed(response, what, cause);
  }
}

/** The bytes of an answer. @throws ApiError `malformed_answer` beyond `maxBytes`, or `network_failure` */
export async function readBody(
  response: Response,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readBytes(response, maxBytes);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof BodyTooLargeError) throw malformed(response, cause.message, cause);
    const host = URL.canParse(response.url) ? new URL(response.url).host : 'The server';
    throw networkFailure(host, cause);
  }
}

function malformed({ status }: Response, what: string, cause: unknown): ApiError {
  const message = `The server's answer cannot be read. ${what}`;
  return new ApiError({ status, code: 'malformed_answer', message, cause });
}
