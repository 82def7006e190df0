// What the service counts, under names that dashboards rely on. No label ever carries an id, an address or a path.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The service's metrics and the registry that prints them. */
export type Metrics = ReturnType<typeof createMetrics>;

/** What the block gauges show: undefined while it is not known. */
export interface BlockHeights {
  readonly head: () => number | undefined;
  readonly finalized: () => number | undefined;
  readonly index: () => number | undefined;
}

/** Show the heights of the chain and of the index, read whenever the metrics are. */
export function showHeights({ registry }: Metrics, heights: BlockHeights): void {
  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const value = read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
  gauge('bounty_head_block', 'Latest canonical block.', heights.head);
  gauge('bounty_finalized_block', 'Proven-finalized block.', heights.finalized);
  gauge('bounty_index_head_block', 'Block that the index has reached.', heights.index);
}

/** Create one registry with every metric of the service. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'bounty_http_request_seconds',
      help: 'Time to answer, by route template and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    finalityLowerAnswers: new Counter({
      name: 'bounty_finality_lower_answers_total',
      help: 'Finalized blocks below the proven one that an RPC answered; ignored.',
      registers,
    }),
    finalityViolations: new Counter({
      name: 'bounty_finality_violations_total',
      help: 'Finalized blocks that were replaced. Any is an alarm: the process is latched closed.',
      registers,
    }),
    rpcDisagreements: new Counter({
      name: 'bounty_rpc_disagreements_total',
      help: 'Times that RPCs came to differ on a settled block. Any is an alarm: nothing is answered meanwhile.',
      registers,
    }),
    rpcPollFailures: new Counter({
      name: 'bounty_rpc_poll_failures_total',
      help: 'Polls of the chain that failed.',
      registers,
    }),
    storageMismatches: new Counter({
      name: 'bounty_storage_mismatches_total',
      help: 'Stored bytes that did not hash to their commitment.',
      registers,
    }),
  };
}
