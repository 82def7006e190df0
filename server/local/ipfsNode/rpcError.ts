// How a command of the RPC fails. Kubo answers every failure of a command as HTTP 500 with `{Message, Code, Type}`;
// clients tell a missing block from a broken node by the message alone, so the messages here are Kubo's.

import type { CID } from 'multiformats/cid';

/** A failure with the message that goes onto the wire; `status` is 400 for a malformed request, else 500. */
export class RpcError extends Error {
  readonly status: 400 | 500;

  constructor(message: string, options: { readonly status?: 400 | 500; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'RpcError';
    this.status = options.status ?? 500;
  }
}

/** The block is not in the store, and no network is asked. */
export class BlockMissing extends RpcError {
  constructor(cid: CID) {
    super(`block was not found locally (offline): ipld: could not find ${cid}`);
    this.name = 'BlockMissing';
  }
}

/** The bytes on disk are not those that their name promises. */
export class BlockCorrupt extends RpcError {
  constructor() {
    super('block in storage has different hash than requested');
    this.name = 'BlockCorrupt';
  }
}

/** Nothing at this MFS path. */
export class FileMissing extends RpcError {
  constructor() {
    super('file does not exist');
    this.name = 'FileMissing';
  }
}
