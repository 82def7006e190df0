// What the store says of bytes, as values.

/** What the node holds under a commitment: the bytes that hash to it, nothing, or other bytes. */
export type Stored =
  | { readonly state: 'found'; readonly bytes: Uint8Array }
  | { readonly state: 'missing' }
  | { readonly state: 'mismatch' };

/** What an uploaded ciphertext must be. */
export interface ExpectedCiphertext {
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly byteLength: number;
}

/** A stored ciphertext: the root of its UnixFS DAG, by which other nodes can fetch it, and its size in bytes. */
export interface StoredCiphertext {
  readonly dagRoot: string;
  readonly byteLength: number;
}

/** A range of bytes; both ends inside the file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}
