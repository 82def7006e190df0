// The chain's proven-finalized block F: it only ever moves forward along one chain. Authorization rests on it.
// A lower answer is ignored and counted; another hash at F closes the process for good (the latch), over restarts too.

import type { Hex } from 'viem';
import type { BlockSelector, Header } from './rpc.ts';

/** What is remembered of F over restarts. */
export interface FinalizedBlock {
  readonly number: number;
  readonly hash: Hex;
}

/** Where F is kept, per chain and Hub. */
export interface FinalizedBlockStore {
  load(): Promise<FinalizedBlock | undefined>;
  save(block: FinalizedBlock): Promise<void>;
}

/** Thrown at start when the RPC's chain is not a continuation of the one that was proven final before. */
export class FinalityViolated extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FinalityViolated';
  }
}

interface Observation {
  readonly number: number;
  readonly seenAtMs: number;
}

/** What the tracker tells the metrics. */
export interface FinalityEvents {
  lowerAnswer(): void;
  violation(reason: string): void;
  notSaved(error: unknown): void;
}

/** Follows F by polling; `poll()` is called by the chain's poller. */
export class FinalityTracker {
  private readonly readHeader: (block: BlockSelector) => Promise<Header | null>;
  private readonly store: FinalizedBlockStore;
  private readonly events: FinalityEvents;
  private readonly nowMs: () => number;
  private finalized: Header | undefined;
  private first: Header | undefined;
  private observations: Observation[] = [];
  private latchReason: string | undefined;

  constructor(
    readHeader: (block: BlockSelector) => Promise<Header | null>,
    store: FinalizedBlockStore,
    events: FinalityEvents,
    nowMs: () => number,
  ) {
    this.readHeader = readHeader;
    this.store = store;
    this.events = events;
    this.nowMs = nowMs;
  }

  /** F, or undefined before the first finalized block was seen. */
  get current(): Header | undefined {
    return this.finalized;
  }

  /** Why the process is latched closed; undefined while it is not. */
  get latched(): string | undefined {
    return this.latchReason;
  }

  /**
   * The first reading, held against what was remembered.
   *
   * @param acceptReset The operator's explicit word that an older or other chain is meant
   * @throws FinalityViolated when the chain is below or beside the remembered block
   */
  async start(acceptReset: boolean): Promise<void> {
    const remembered = await this.store.load();
    const header = await this.readHeader('finalized');
    if (remembered && !acceptReset) await this.holdAgainst(remembered, header);
    if (header) await this.advance(header);
  }

  private async holdAgainst(remembered: FinalizedBlock, header: Header | null): Promise<void> {
    if (header === null || header.number < remembered.number) {
      throw new FinalityViolated(
        `The RPC's finalized block is below block ${remembered.number}, which was proven final before.`,
      );
    }
    const there = await this.readHeader(remembered.number);
    if (there?.hash !== remembered.hash) {
      throw new FinalityViolated(
        `The RPC has another block ${remembered.number} than the one proven final before.`,
      );
    }
  }

  /** Read the finalized block once and advance when it is a continuation. */
  async poll(): Promise<void> {
    if (this.latchReason !== undefined) return;
    const header = await this.readHeader('finalized');
    if (header === null) return;
    const known = this.finalized;
    if (known === undefined) return this.advance(header);
    if (header.hash === known.hash) return;
    if (header.number < known.number) return this.events.lowerAnswer();
    const there = header.number === known.number ? header : await this.readHeader(known.number);
    // No block there: the answer came from a node that lags behind the one asked before. Wait for it.
    if (there === null) return;
    if (there.hash !== known.hash) return this.latch(known.number);
    await this.advance(header);
  }

  private latch(number: number): void {
    this.latchReason = `The chain replaced block ${number}, which was proven final.`;
    this.events.violation(this.latchReason);
  }

  private async advance(header: Header): Promise<void> {
    // Kept best-effort: a database that is away for a moment must not stop reads that rest on the chain alone.
    await this.store
      .save({ number: header.number, hash: header.hash })
      .catch((error) => this.events.notSaved(error));
    this.first ??= header;
    this.finalized = header;
    this.observations.push({ number: header.number, seenAtMs: this.nowMs() });
  }

  /**
   * For how long blocks above `pinned` have been final: how far a reader at `pinned` trails, in seconds. What was final
   * before this process started counts by the blocks' own timestamps; later blocks count from when they were seen, so a
   * burst of blocks does not look like a long delay.
   */
  trailSeconds(pinned: Header): number {
    while (this.observations.length > 0 && this.observations[0]!.number <= pinned.number)
      this.observations.shift();
    const oldest = this.observations[0];
    if (oldest === undefined || this.first === undefined) return 0;
    const sinceSeen = (this.nowMs() - oldest.seenAtMs) / 1000;
    const before = Math.max(0, this.first.timestamp - pinned.timestamp);
    return pinned.number < this.first.number ? sinceSeen + before : sinceSeen;
  }
}
