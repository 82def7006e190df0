// What block the index has reached, asked for again and again: the base for choosing the block to read at.

import type { Hex } from 'viem';
import { type GraphqlRequest, projectionUnavailable } from './graphql.ts';
import type { IndexHead } from './pinnedQuery.ts';

const SILENCE_LIMIT_MS = 5_000;
const TEXT = '{ _meta { deployment hasIndexingErrors block { number hash } } }';

/** Polls `_meta`; `head()` fails rather than answering with an old one. */
export class HeadPoll {
  private readonly request: GraphqlRequest;
  private readonly deploymentId: string;
  private readonly intervalMs: number;
  private latest: IndexHead | undefined;
  private answeredAtMs = Number.NEGATIVE_INFINITY;
  private failure: unknown;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(request: GraphqlRequest, deploymentId: string, intervalMs: number) {
    this.request = request;
    this.deploymentId = deploymentId;
    this.intervalMs = intervalMs;
  }

  /** The last head that was told, however old. */
  get last(): IndexHead | undefined {
    return this.latest;
  }

  /** Ask once, then keep asking until `stop()`. Never rejects: a failure is told by `head()`. */
  async start(): Promise<void> {
    await this.ask();
    if (!this.stopped) this.timer = setTimeout(() => void this.start(), this.intervalMs);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** The index's head a moment ago. @throws ServiceError 503 while the index is silent or not to be believed */
  head(): IndexHead {
    if (this.latest && performance.now() - this.answeredAtMs < SILENCE_LIMIT_MS) return this.latest;
    if (this.failure !== undefined) throw this.failure;
    throw projectionUnavailable('The index of Hub events does not answer.', undefined);
  }

  private async ask(): Promise<void> {
    try {
      this.latest = this.parse((await this.request(TEXT, {}))._meta);
      this.answeredAtMs = performance.now();
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  private parse(meta: unknown): IndexHead {
    const { deployment, hasIndexingErrors, block } = (meta ?? {}) as {
      deployment?: unknown;
      hasIndexingErrors?: unknown;
      block?: { number?: unknown; hash?: unknown };
    };
    if (deployment !== this.deploymentId) {
      this.latest = undefined;
      throw projectionUnavailable('The index of Hub events answers for another deployment.', undefined);
    }
    if (hasIndexingErrors !== false) {
      this.latest = undefined;
      throw projectionUnavailable('The index of Hub events failed while indexing.', undefined);
    }
    if (typeof block?.number !== 'number' || typeof block.hash !== 'string') {
      throw projectionUnavailable('The index of Hub events does not name its head.', undefined);
    }
    return { number: block.number, hash: block.hash as Hex };
  }
}
