// The stack that tests run on: ONE for the whole mocha run, started by the first test that asks, and more for tests that
// must have a chain to themselves. `rootHooks.ts` ends all of them; a killed run leaves that to each stack's watchdog.

import { type LocalApiServer, startApiServer } from '../server/local/apiServer.ts';
import { type LocalStack, type StackOptions, startStack } from '../server/local/stack.ts';

let stack: Promise<LocalStack> | undefined;
let server: Promise<LocalApiServer> | undefined;
const own = new Set<Promise<LocalStack>>();

/**
 * The run's stack. Each transaction is mined at once and no block comes by itself, so what a test sees depends on
 * nothing but what it does; time and finality move with `clockOf`. Bounties of other tests are there too.
 */
export function sharedStack(): Promise<LocalStack> {
  stack ??= startStack();
  return stack;
}

/** The API server of the run on the shared stack, with rate limits out of the way. */
export function sharedServer(): Promise<LocalApiServer> {
  server ??= sharedStack().then((running) =>
    startApiServer(
      running.serverEnvironment({
        RATE_PER_ADDRESS: '0',
        UPLOAD_UNNAMED_PER_SOLVER: '1000',
        UPLOAD_UNNAMED_PER_ADDRESS: '10000',
        RATE_PER_SIGNER: '0',
      }),
      {
        watch: running.watch,
      },
    ),
  );
  return server;
}

/** A stack for one test alone, for reorgs, faults and crashes. Stop it when done; the end of the run does otherwise. */
export function ownStack(options?: StackOptions): Promise<LocalStack> {
  const starting = startStack(options);
  own.add(starting);
  return starting;
}

/** Ends every stack of the run; failures to start have been seen by the tests that asked. */
export async function stopStacks(): Promise<void> {
  const started = [...own, ...(stack ? [stack] : [])];
  await Promise.allSettled(started.map(async (starting) => (await starting).stop()));
}
