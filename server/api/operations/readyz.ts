// GET /readyz: one entry per neighbour, each with what an operator needs to see; 503 while any of them is not usable.

import type { Services } from '../../adapters/services.ts';
import { route } from '../../http/route.ts';
import { errorObject, ServiceError } from '../../protocol/errors.ts';

interface Check {
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

const CHECK = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };

/** Readiness. */
export const readyz = route({
  method: 'GET',
  route: '/readyz',
  operationId: 'getReadiness',
  tag: 'Operations',
  summary: 'Whether every neighbour is usable, and how far each has come.',
  path: {},
  query: {},
  invalid: 'invalid_request',
  body: { kind: 'none' },
  limited: false,
  success: {
    200: {
      description: 'All of them are.',
      contentType: 'application/json',
      schema: {
        type: 'object',
        properties: {
          ready: { type: 'boolean' },
          checks: {
            type: 'object',
            properties: { chain: CHECK, index: CHECK, storage: CHECK, database: CHECK },
            required: ['chain', 'index', 'storage', 'database'],
          },
        },
        required: ['ready', 'checks'],
      },
    },
  },
  errors: ['service_unavailable'],
  async handle(_call, services) {
    const [index, storage, database] = await Promise.all([
      checkIndex(services),
      check(() => services.byteStore.health()),
      check(() => services.database.query('SELECT 1')),
    ]);
    const checks = { chain: checkChain(services), index, storage, database };
    const isWhole = Object.values(checks).every(({ ok }) => ok);
    if (isWhole && !services.lifecycle.isStopping) return { status: 200, json: { ready: true, checks } };
    const error = errorObject('service_unavailable', {
      message: isWhole ? 'This process is stopping.' : 'A neighbour of the service is not usable.',
    });
    return { status: 503, json: { error, ready: false, checks }, headers: { 'Retry-After': '5' } };
  },
});

function checkChain({ chain, config }: Services): Check {
  const { ok, reason, head, finalized, silenceSeconds } = chain.report();
  return {
    ok,
    ...(reason ? { reason } : {}),
    head_block: head?.number ?? null,
    finalized_block: finalized?.number ?? null,
    finality_lag_blocks: head && finalized ? head.number - finalized.number : null,
    finality_lag_seconds: head && finalized ? head.timestamp - finalized.timestamp : null,
    reorg_threshold_blocks: config.reorgThresholdBlocks,
    rpc_silence_seconds: Math.round(silenceSeconds * 10) / 10,
  };
}

async function checkIndex({ hubIndex, chain }: Services): Promise<Check> {
  try {
    const { pinned, finalized, indexHead } = await hubIndex.snapshot();
    return {
      ok: true,
      index_head_block: indexHead.number,
      pinned_block: pinned.number,
      lag_blocks: Math.max(0, finalized.number - indexHead.number),
      lag_seconds: Math.round(chain.trailSeconds(pinned) * 10) / 10,
    };
  } catch (error) {
    return refused(error);
  }
}

async function check(question: () => Promise<unknown>): Promise<Check> {
  try {
    await question();
    return { ok: true };
  } catch (error) {
    return refused(error);
  }
}

// Only our own words go out: the texts of libraries and neighbours stay in the log.
function refused(error: unknown): Check {
  return { ok: false, reason: error instanceof ServiceError ? error.message : 'The check failed.' };
}
