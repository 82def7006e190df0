// Reading a body: exact bytes under a limit, cut off while streaming, within a time that a slow sender cannot stretch.

import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../protocol/errors.ts';

const BODY_TIMEOUT_MS = 20_000;

/** Refuse a declared length beyond the limit before a byte is read. @throws ServiceError 413 */
export function checkDeclaredLength(request: IncomingMessage, maxBytes: number): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
}

/**
 * Read the whole body.
 *
 * @throws ServiceError 413 beyond `maxBytes`, 408 when it takes too long or breaks off
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  checkDeclaredLength(request, maxBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => request.destroy(new ServiceError('request_timeout')), BODY_TIMEOUT_MS);
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : new ServiceError('request_timeout', { cause: error });
  } finally {
    clearTimeout(timer);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length);
}

/** Refuse an encoded body on any route: what is signed is what is sent. @throws ServiceError 415 */
export function checkContentEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new ServiceError('unsupported_media_type', { message: 'Send the body without a Content-Encoding.' });
}

/** Refuse a body of another type than the route takes. @throws ServiceError 415 */
export function checkContentType(request: IncomingMessage, wanted: string): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const rightCharset = parameters.every((parameter) => /^\s*charset\s*=\s*"?utf-8"?\s*$/.test(parameter));
  if (type.trim() !== wanted || !rightCharset) {
    throw new ServiceError('unsupported_media_type', {
      message: `Send the body as Content-Type: ${wanted}; where a charset is named it must be utf-8.`,
    });
  }
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('payload_too_large', { message: `This route takes at most ${maxBytes} bytes.` });
}
