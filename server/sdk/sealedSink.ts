// Where sealed bytes go while a package is encrypted: memory in a browser, a file in Node.

/** Takes chunks in order and gives them back as one Blob. */
export interface SealedSink {
  write(chunk: Uint8Array): Promise<void>;
  /** The whole, once everything is written. */
  finish(): Promise<Blob>;
  /** Forget everything; called instead of `finish` when sealing fails. */
  discard(): Promise<void>;
}

/** Keeps the bytes as parts of a Blob, which browsers may move to disk. */
export function memorySink(): SealedSink {
  let parts: BlobPart[] = [];
  return {
    async write(chunk) {
      parts.push(new Blob([Uint8Array.from(chunk)]));
    },
    async finish() {
      return new Blob(parts);
    },
    async discard() {
      parts = [];
    },
  };
}
