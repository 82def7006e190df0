// Node's HTTP server with this service's bounds: header size, slow senders, malformed requests in our own error shape.

import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, errorObject, ServiceError } from '../protocol/errors.ts';

/** An ERC-6492 signature of 16 KiB is 44 KiB in hex and base64; the rest is spare. */
const MAX_HEADER_BYTES = 64 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;

/** A server that is not listening yet. Body times are bounded where bodies are read. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // A missing Host is answered in our own words, by the pipeline.
      requireHostHeader: false,
    },
    listener,
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket));
  return server;
}

function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code: ErrorCode = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_request';
  const { status } = new ServiceError(code);
  const body = JSON.stringify({ error: errorObject(code, { message: messageFor(error) }) });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function messageFor(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return `The headers are larger than ${MAX_HEADER_BYTES} bytes.`;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'The headers were not received in time.';
    default:
      return 'The request is not valid HTTP/1.1.';
  }
}
