// Signed requests against the real server, through a proxy that refuses, delays and is away now and then.

import { expect } from 'chai';
import { createPublicClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import { freePort } from '../../server/local/freePort.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { ApiError } from '../../server/sdk/apiError.ts';
import type { Waiting } from '../../server/sdk/patience.ts';
import { type SignedFetchOptions, signedFetch } from '../../server/sdk/signedFetch.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { sealByHand } from '../actors/handSealed.ts';
import { submissionFlow } from '../actors/submissionFlow.ts';
import { type Fault, startWireProxy, type WireProxy } from '../faults/wireProxy.ts';
import { sharedStack } from '../localStack.ts';

const CALLS = 1_000;
const AT_ONCE = 25;

const refusing = (status: number, code: string, retryAfter?: number): Fault => ({
  kind: 'status',
  status,
  body: JSON.stringify({ error: { code, message: 'chaos', issues: [], next_action: 'try again' } }),
  headers: {
    'Content-Type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  },
});

describe('signedFetch', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
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
    const port = await freePort();
    proxy = await startWireProxy(`http://127.0.0.1:${port}`, true);
    const hosts = `127.0.0.1:${port},${new URL(proxy.url).host}`;
    const environment = {
      PORT: String(port),
      PUBLIC_HOSTS: hosts,
      RATE_PER_ADDRESS: '0',
      UPLOAD_UNNAMED_PER_SOLVER: '1000',
      UPLOAD_UNNAMED_PER_ADDRESS: '10000',
      RATE_PER_SIGNER: '0',
    };
    server = await startApiServer(stack.serverEnvironment(environment), { watch: stack.watch });
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

  after(async () => {
    await server?.stop();
    await proxy?.stop();
  });

  afterEach(() => {
    proxy.fault = undefined;
  });

  const call = (changes: Partial<SignedFetchOptions> = {}) =>
    signedFetch({ method: 'GET', url }, { ...options, ...changes });
  const failure = async (work: Promise<unknown>): Promise<ApiError> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(ApiError);
    return error as ApiError;
  };

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
    await clock.mine();
    const waiting = call({
      fetch: async (input, init) => {
        await clock.mine();
        return recording(input, init);
      },
    });
    expect((await waiting).status).to.equal(200);
    expect(headers).to.have.length(2);
    expect(headers[0]).to.not.equal(headers[1]);
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

  it('stops waiting when it is told to', async () => {
    proxy.fault = refusing(503, 'bounty_chain_state_unavailable', 30);
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 50);
    const error = await call({ signal: abort.signal }).catch((reason: unknown) => reason);
    expect((error as Error).message).to.equal('enough');
  });

  it(`succeeds ${CALLS} times although some valid approvals are refused and the service is away now and then`, async function () {
    this.timeout(60_000);
    let count = 0;
    const told = { refused: 0, away: 0, slow: 0 };
    // Not random, so that a failure can be repeated: every 20th is refused, every 97th away, every 7th slow.
    proxy.fault = () => {
      count += 1;
      if (count % 20 === 0) {
        told.refused += 1;
        return refusing(401, 'unauthorized');
      }
      if (count % 97 === 0) {
        told.away += 1;
        return refusing(503, 'bounty_projection_unavailable', 1);
      }
      if (count % 7 === 0) {
        told.slow += 1;
        return { kind: 'delay', milliseconds: 20 };
      }
      return undefined;
    };
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
