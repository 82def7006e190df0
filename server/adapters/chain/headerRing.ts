// The last canonical headers, linked by parent hash, so that a recent block's hash is known without a call.
// On a reorg the ring drops back to the fork and follows the new branch; it never holds two branches at once.

import type { Hex } from 'viem';
import type { BlockSelector, Header } from './rpc.ts';

type ReadHeader = (block: BlockSelector) => Promise<Header | null>;

const FILL_CONCURRENCY = 8;

/** Follows the chain's head; `refresh()` is called by a poller and by requests that name a block above the head. */
export class HeaderRing {
  private readonly readHeader: ReadHeader;
  private readonly capacity: number;
  private readonly byNumber = new Map<number, Header>();
  private headHeader: Header | undefined;
  private refreshing: Promise<void> | undefined;
  private refreshedAtMs = Number.NEGATIVE_INFINITY;
  private readonly nowMs: () => number;

  /** @param capacity How many headers to keep @param nowMs A monotonic clock in milliseconds */
  constructor(readHeader: ReadHeader, capacity: number, nowMs: () => number) {
    this.readHeader = readHeader;
    this.capacity = capacity;
    this.nowMs = nowMs;
  }

  /** The latest canonical header that was seen; undefined before the first refresh. */
  get head(): Header | undefined {
    return this.headHeader;
  }

  /** Milliseconds since the chain last answered. */
  get silenceMs(): number {
    return this.nowMs() - this.refreshedAtMs;
  }

  /** The canonical header at a number, if the ring holds it. */
  at(number: number): Header | undefined {
    return this.byNumber.get(number);
  }

  /** The hash at a number from the ring, else from the chain; null when the chain has no such block. */
  async hashAt(number: number): Promise<Hex | null> {
    const held = this.byNumber.get(number);
    return held ? held.hash : ((await this.readHeader(number))?.hash ?? null);
  }

  /** Follow the chain to its head. Concurrent callers share one walk. */
  refresh(): Promise<void> {
    this.refreshing ??= this.follow().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async follow(): Promise<void> {
    const latest = await this.readHeader('latest');
    if (latest === null) throw new Error('The chain has no latest block.');
    if (latest.hash !== this.headHeader?.hash) await this.link(latest);
    this.refreshedAtMs = this.nowMs();
  }

  // Collect the new branch from the top down until it meets the ring, then put it in at once.
  private async link(latest: Header): Promise<void> {
    const lowest = Math.max(0, latest.number - this.capacity + 1);
    const branch: Header[] = [latest];
    let bottom = latest;
    while (bottom.number > lowest && this.byNumber.get(bottom.number - 1)?.hash !== bottom.parentHash) {
      const gapFrom = this.gapBelow(bottom.number, lowest);
      for (const header of await this.readRange(gapFrom, bottom.number - 1)) {
        if (header.hash !== bottom.parentHash) return; // the chain moved while it was read: the next refresh follows
        branch.push(header);
        bottom = header;
      }
    }
    for (const number of this.byNumber.keys()) {
      if (number >= bottom.number || number < lowest) this.byNumber.delete(number);
    }
    for (const header of branch) this.byNumber.set(header.number, header);
    this.headHeader = latest;
  }

  // A gap above the ring is read in one sweep; inside the ring (a reorg) one header at a time.
  private gapBelow(number: number, lowest: number): number {
    const known = this.headHeader?.number ?? -1;
    return known >= number - 1 ? number - 1 : Math.max(lowest, known);
  }

  /** Headers `from`..`to`, in descending order. */
  private async readRange(from: number, to: number): Promise<Header[]> {
    const headers: Header[] = [];
    for (let top = to; top >= from; top -= FILL_CONCURRENCY) {
      const numbers = Array.from({ length: Math.min(FILL_CONCURRENCY, top - from + 1) }, (_, i) => top - i);
      for (const header of await Promise.all(numbers.map((number) => this.readHeader(number)))) {
        if (header === null) throw new Error('The chain lost a block while it was read.');
        headers.push(header);
      }
    }
    return headers;
  }
}
