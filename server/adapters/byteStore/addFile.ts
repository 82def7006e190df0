// Kubo's `add` for one large file, over node:http. The RPC client sends its body through fetch, which takes an iterable
// without back-pressure: eight uploads of 50 MiB grew this process by 410 MiB there, by 10 MiB here. The length is
// announced, so that the node can tell a body that broke off from a whole one.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { CID } from 'multiformats/cid';

const BOUNDARY = 'bounty-settlement-service-upload';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;
const MAX_ANSWER_BYTES = 64 * 1024;
/** 1 MiB raw leaves: blocks that other IPFS nodes take. */
const OPTIONS = {
  'cid-version': '1',
  'raw-leaves': 'true',
  chunker: 'size-1048576',
  pin: 'false',
  progress: 'false',
};

/**
 * Adds a file without pinning it.
 *
 * @param endpoint The RPC's root, as `http://host:5001/api/v0`
 * @param heard Called after each chunk that the node took
 * @throws Error for any answer but one that names the root
 */
export async function addFile(
  endpoint: string,
  content: AsyncIterable<Uint8Array>,
  byteLength: number,
  signal: AbortSignal,
  heard: () => void,
): Promise<CID> {
  const url = new URL(`${endpoint}/add?${new URLSearchParams(OPTIONS)}`);
  const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    signal,
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': HEAD.length + byteLength + TAIL.length,
    },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  async function* body(): AsyncGenerator<Uint8Array | string> {
    yield HEAD;
    for await (const chunk of content) {
      heard();
      yield chunk;
    }
    yield TAIL;
  }
  // The answer decides: a node that refuses early may close before the whole body is sent.
  const sent = pipeline(body, outgoing).catch((error: unknown) => error);
  const answer = await answered;
  try {
    const cid = rootOf(answer.statusCode, await textOf(answer));
    const failure = await sent;
    if (failure !== undefined) throw failure;
    return cid;
  } finally {
    outgoing.destroy();
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  answer.setEncoding('utf8');
  for await (const part of answer) {
    text += part;
    if (text.length > MAX_ANSWER_BYTES) throw new Error('The answer to add is too long.');
  }
  return text;
}

function rootOf(status: number | undefined, text: string): CID {
  if (status !== 200) throw new Error(`add was answered with ${status}: ${text.slice(0, 500)}`);
  const { Hash } = JSON.parse(text.trim().split('\n').at(-1) ?? '') as { Hash?: unknown };
  if (typeof Hash !== 'string') throw new Error('The answer to add names no root.');
  return CID.parse(Hash);
}
