// Requests with exactly the bytes that a test wants: own Host, repeated headers, odd targets, broken framing.

import { connect } from 'node:net';

/** An answer off the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any;
}

const TIMEOUT_MS = 10_000;

/** Send text to a server and read one answer, until the server closes or a whole answer is there. */
export function sendRaw(apiUrl: string, text: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(apiUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    const timer = setTimeout(
      () => socket.destroy(new Error(`no answer: ${received.slice(0, 200)}`)),
      TIMEOUT_MS,
    );
    const finish = (): void => {
      const answer = parse(received);
      if (answer === undefined) return;
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      finish();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      const answer = parse(received, true);
      if (answer) resolve(answer);
      else reject(new Error(`the connection closed: ${received.slice(0, 200)}`));
    });
    socket.on('error', reject);
  });
}

/** The text of a request, one header a line as given. */
export function requestText(method: string, target: string, headers: readonly string[], body = ''): string {
  return [`${method} ${target} HTTP/1.1`, ...headers, '', body].join('\r\n');
}

function parse(text: string, closed = false): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = text.slice(end + 4);
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (!closed && !(body.length >= length) && headers['transfer-encoding'] === undefined) return undefined;
  const isJson = headers['content-type']?.startsWith('application/json') && body !== '';
  return { status: Number(statusLine.split(' ')[1]), headers, body: isJson ? JSON.parse(body) : body };
}
