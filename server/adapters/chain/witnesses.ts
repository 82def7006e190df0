// Several RPCs of one chain are witnesses against each other: the lowest finalized block of all counts, and where two of
// them have different blocks at a settled height, none is believed until they agree again.

import type { Header, RpcEndpoint, RpcPool } from './rpc.ts';
import { RpcUnavailable } from './rpc.ts';

/** How far below the head blocks are compared: at the tip itself honest nodes differ for a moment. */
const SETTLED_BLOCKS = 3;

/**
 * The lowest finalized header that any RPC answers; null when one has none yet.
 *
 * @throws RpcUnavailable when none answers, or when they have different blocks at that height
 */
export async function lowestFinalized({ endpoints }: RpcPool): Promise<Header | null> {
  const answers = await Promise.allSettled(endpoints.map((endpoint) => endpoint.header('finalized')));
  const told = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (told.length === 0) throw new RpcUnavailable((answers[0] as PromiseRejectedResult).reason);
  const lowest = told.reduce((low, header) =>
    low === null || header === null ? null : header.number < low.number ? header : low,
  );
  if (lowest === null || endpoints.length === 1) return lowest;
  if (await allHave(endpoints, lowest)) return lowest;
  throw new RpcUnavailable(
    new Error(`The RPCs disagree on block ${lowest.number}, which one of them calls final.`),
  );
}

/**
 * Whether every RPC that answers has the same block a little below this head. One that is silent or behind says nothing.
 */
export async function witnessesAgree(
  { endpoints }: RpcPool,
  head: Header,
  at: (number: number) => Header | undefined,
) {
  if (endpoints.length === 1) return true;
  const known = at(head.number - SETTLED_BLOCKS);
  if (known === undefined) return true;
  return allHave(endpoints, known);
}

/** Whether every endpoint that answers and has come so far has this block. */
async function allHave(endpoints: readonly RpcEndpoint[], block: Header): Promise<boolean> {
  const same = async (endpoint: RpcEndpoint): Promise<boolean> => {
    const told = await endpoint.header(block.number).catch(() => null);
    return told === null || told.hash === block.hash;
  };
  return (await Promise.all(endpoints.map(same))).every((agrees) => agrees);
}
