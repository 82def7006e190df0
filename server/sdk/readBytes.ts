// The body of an answer, under a limit that holds while it arrives: a server must not be able to fill a client's memory.

/** A body that is larger than it may be. */
export class BodyTooLargeError extends RangeError {}

/** The whole body. @throws BodyTooLargeError beyond `maxBytes`, and the platform's own error when the wire breaks */
export async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(response)) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLargeError(`The answer has more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The chunks of a body as they come; leaving early cancels the rest. Browsers cannot iterate a stream themselves. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
