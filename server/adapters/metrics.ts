// What the service counts, under names that dashboards rely on. No label ever carries an id, an address or a path.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The service's metrics and the registry that prints them. */
export type Metrics = ReturnType<typeof createMetrics>;

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
    finalizedBlock: new Gauge({ name: 'bounty_finalized_block', help: 'Proven-finalized block.', registers }),
    headBlock: new Gauge({ name: 'bounty_head_block', help: 'Latest canonical block.', registers }),
    indexHeadBlock: new Gauge({ name: 'bounty_index_head_block', help: "The index's head.", registers }),
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
