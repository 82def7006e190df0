// Signed requests against the real server, through a proxy that refuses, delays and is away now and then.

import { expect } from 'chai';
import { createPublicClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { LocalStack } from '../../server/local/stack.ts';
import { ApiError } from '../../server/sdk/apiError.ts';
import type { Waiting } from '../../server/sdk/patience.ts';
import { type SignedFetchOptions, signedFetch } from '../../server/sdk/signedFetch.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { sealByHand } from '../actors/handSealed.ts';
import { submissionFlow } from '../actors/submissionFlow.ts';
import type { WireProxy } from '../faults/wireProxy.ts';
import { sharedStack } from '../localStack.ts';
import { chaos } from './chaos.ts';
import { failureOf } from './failureOf.ts';
import { type ProxiedServer, startProxiedServer } from './proxiedServer.ts';
import { refusing } from './refusing.ts';

const CALLS = 1_000;
const AT_ONCE = 25;

describe('signedFetch', () => {
  let stack: LocalStack;
  let api: ProxiedServer;
  let proxy: WireProxy;
  let actors: Actors;
  let clock: Clock;
  let url: string;
  let options: SignedFetchOptions;

  before(async function () {
    this.timeout(60_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
    api = await startProxiedServer(stack);
    proxy = api.proxy;
    const { server } = api;
    const bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
    const sealed = await sealByHand(
      stack,
      bounty,
      actors.solvers[0]!.address,
      new TextEncoder().encode('signed for'),
    );
    await submissionFlow(stack, server.url, actors).submit(actors.solvers[0]!, bounty.bountyId, sealed);
    await clock.finalizeFor(server.url);
    url = `${proxy.url}/api/bounties/${bounty.bountyId}/submissions/${sealed.submissionCommitment}/content`;
    const signer = privateKeyToAccount(actors.poster.private_key);
    const blocks = createPublicClient({ transport: http(stack.rpcUrl), cacheTime: 0 });
    options = { deployment: stack, signer, blocks };
  });

  after(() => api?.stop());

  afterEach(() => {
    proxy.fault = undefined;
  });

  const call = (changes: Partial<SignedFetchOptions> = {}) =>
    signedFetch({ method: 'GET', url }, { ...options, ...changes });
  const failure = (work: Promise<unknown>): Promise<ApiError> => failureOf(work, ApiError);

  it('gets what it asks for', async () => {
    const body = (await (await call()).json()) as { ciphertext: object };
    expect(body.ciphertext).to.have.property('url');
  });

  it('signs anew once after a 401, and never sends a header twice', async () => {
    let refused = 0;
    proxy.fault = () => {
      refused += 1;
      return refused === 1 ? refusing(401, 'unauthorized') : undefined;
    };
    const headers: string[] = [];
    const recording: typeof fetch = (input, init) => {
      headers.push(new Headers(init?.headers).get('Authorization')!);
      return fetch(input, init);
    };
    // No block comes in between: the second approval must be over another block all the same.
    expect((await call({ fetch: recording })).status).to.equal(200);
    expect(headers).to.have.length(2);
    expect(headers[0]).to.not.equal(headers[1]);
  });

  it('signs what it must never sign twice over another block each time', async () => {
    const spent = new Set<Hex>();
    for (let count = 1; count <= 5; count += 1) {
      await call({ spent });
      expect(spent.size).to.equal(count);
    }
  });

  it('succeeds after a reorg has dropped the block that it signed over', async () => {
    const { blocks } = options;
    let read = 0;
    const reorged: SignedFetchOptions['blocks'] = {
      getBlockNumber: () => blocks.getBlockNumber(),
      async getBlock(request) {
        read += 1;
        return read === 1 ? { hash: `0x${'0b'.repeat(32)}` } : blocks.getBlock(request);
      },
    };
    expect((await call({ blocks: reorged })).status).to.equal(200);
    expect(read).to.equal(2);
  });

  it('gives up after a second 401', async () => {
    proxy.fault = refusing(401, 'unauthorized');
    const error = await failure(call());
    expect([error.status, error.code, error.retryable]).to.deep.equal([401, 'unauthorized', false]);
  });

  it('waits as long as it is told to, and says why', async () => {
    let refused = 0;
    proxy.fault = () => {
      refused += 1;
      return refused === 1 ? refusing(503, 'bounty_chain_state_unavailable', 1) : undefined;
    };
    const waits: Waiting[] = [];
    const began = performance.now();
    expect((await call({ onWait: (waiting) => waits.push(waiting) })).status).to.equal(200);
    expect(performance.now() - began).to.be.greaterThan(990);
    expect(waits).to.deep.equal([{ code: 'bounty_chain_state_unavailable', message: 'chaos', seconds: 1 }]);
  });

  it('throws what may be retried when the wait would be too long, and at once what may not', async () => {
    proxy.fault = refusing(503, 'bounty_chain_state_unavailable', 900);
    const late = await failure(call());
    expect([late.retryable, late.retryAfterSeconds]).to.deep.equal([true, 900]);
    proxy.fault = refusing(403, 'forbidden');
    const forbidden = await failure(call());
    expect([forbidden.retryable, forbidden.nextAction]).to.deep.equal([false, 'try again']);
  });

  it('tells garbage and silence from answers of the service', async () => {
    proxy.fault = { kind: 'status', status: 502, body: '<html>proxy</html>' };
    expect((await failure(call())).code).to.equal('malformed_answer');
    proxy.fault = { kind: 'reset' };
    const silent = await failure(call());
    expect([silent.code, silent.status, silent.retryable]).to.deep.equal(['network_failure', 0, true]);
  });

  it('waits in all no longer than it may, over several refusals', async () => {
    proxy.fault = refusing(429, 'rate_limited', 1);
    const waits: Waiting[] = [];
    const began = performance.now();
    const error = await failure(call({ maxWaitSeconds: 2, onWait: (waiting) => waits.push(waiting) }));
    expect([error.code, error.retryable, waits.length]).to.deep.equal(['rate_limited', true, 2]);
    expect(performance.now() - began).to.be.within(1_900, 4_000);
  });

  it('gives an answer that never comes its time and no more', async () => {
    proxy.fault = { kind: 'hang' };
    const error = await failure(call({ timeoutSeconds: 0.1 }));
    expect([error.code, error.retryable]).to.deep.equal(['network_failure', true]);
  });

  it('signs and sends the same query and path, whatever their form', async () => {
    const { origin, pathname } = new URL(url);
    // A query that the route does not know is refused only after the approval was found right.
    const odd = `${origin}${pathname}?b=%20x&a&a=%C3%A4+%2B#fragment`;
    const error = await failure(signedFetch({ method: 'GET', url: odd }, options));
    expect([error.status, error.code]).to.deep.equal([400, 'invalid_solver_submission']);
    const upper = `${origin.toUpperCase()}${pathname}/../content`;
    expect((await signedFetch({ method: 'GET', url: upper }, options)).status).to.equal(200);
  });

  it('stops waiting when it is told to', async () => {
    proxy.fault = refusing(503, 'bounty_chain_state_unavailable', 30);
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 50);
    const error = await call({ signal: abort.signal }).catch((reason: unknown) => reason);
    expect((error as Error).message).to.equal('enough');
  });

  it(`succeeds ${CALLS} times although some valid approvals are refused and the service is away now and then`, async function () {
    this.timeout(60_000);
    const told = chaos(proxy);
    let done = 0;
    let left = CALLS;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        if ((await call()).status === 200) done += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(done).to.equal(CALLS);
    expect(told.refused).to.be.greaterThan(CALLS / 25);
    expect(told.away).to.be.greaterThan(5);
  });
});
