// Steps 1 to 4 of the verification on the real server over real sockets, in the specification's order; the rows of bad
// input that concern signatures, hosts, paths and queries.

import { expect } from 'chai';
import { createPublicClient, type Hex, http, keccak256 } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import { localRpc } from '../../server/local/localRpc.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { type ApprovalMessage, approvalMessage, approvalTypedData } from '../../server/protocol/approval.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { sealByHand } from '../actors/handSealed.ts';
import { submissionFlow } from '../actors/submissionFlow.ts';
import { startWireProxy, type WireProxy } from '../faults/wireProxy.ts';
import { ownStack } from '../localStack.ts';
import { type RawAnswer, requestText, sendRaw } from './rawRequest.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

interface Claim {
  address: string;
  signature: string;
  blockNumber: string;
  blockHash: string;
}

/** What a test changes about a right request, before it is signed and after. */
interface Changes {
  readonly signer?: PrivateKeyAccount;
  readonly blockNumber?: bigint;
  readonly blockHash?: Hex;
  readonly message?: (message: ApprovalMessage) => ApprovalMessage;
  readonly domain?: { chainId?: number; hubAddress?: Hex };
  readonly typed?: (typed: ReturnType<typeof approvalTypedData>) => object;
  readonly claim?: (claim: Claim) => Claim;
  readonly payload?: (payload: string) => string;
  readonly authorization?: (value: string) => string[];
  readonly target?: string;
  readonly host?: string;
  readonly headers?: readonly string[];
  readonly method?: string;
}

describe('the verification of a signed request', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let rpc: WireProxy;
  let actors: Actors;
  let clock: Clock;
  let poster: PrivateKeyAccount;
  let path: string;
  let host: string;

  before(async function () {
    this.timeout(60_000);
    stack = await ownStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
    rpc = await startWireProxy(stack.rpcUrl);
    server = await startApiServer(
      stack.serverEnvironment({
        RPC_URLS: rpc.url,
        RATE_PER_ADDRESS: '0',
        UPLOAD_UNNAMED_PER_SOLVER: '1000',
        UPLOAD_UNNAMED_PER_ADDRESS: '10000',
        RATE_PER_SIGNER: '0',
      }),
      {
        watch: stack.watch,
      },
    );
    host = new URL(server.url).host;
    poster = privateKeyToAccount(actors.poster.private_key);
    const bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
    const sealed = await sealByHand(
      stack,
      bounty,
      actors.solvers[0]!.address,
      new TextEncoder().encode('to be read'),
    );
    await submissionFlow(stack, server.url, actors).submit(actors.solvers[0]!, bounty.bountyId, sealed);
    await clock.finalizeFor(server.url);
    path = `/api/bounties/${bounty.bountyId}/submissions/${sealed.submissionCommitment}/content`;
  });

  after(async () => {
    await stack?.stop();
    await rpc?.stop();
  });

  const client = () => createPublicClient({ transport: http(stack.rpcUrl), cacheTime: 0 });

  async function attempt(changes: Changes = {}): Promise<RawAnswer> {
    const signer = changes.signer ?? poster;
    const target = changes.target ?? path;
    const tip = await client().getBlockNumber();
    const blockNumber = changes.blockNumber ?? (tip > 3n ? tip - 3n : 0n);
    const blockHash = changes.blockHash ?? (await client().getBlock({ blockNumber })).hash;
    const request = { method: changes.method ?? 'GET', rawTarget: target, host, body: new Uint8Array(0) };
    const right = approvalMessage(request, { blockNumber, blockHash });
    const message = changes.message?.(right) ?? right;
    const { chainId, hubAddress } = { ...stack, ...changes.domain };
    const typed = approvalTypedData({ chainId, hubAddress }, message);
    const signature = await signer.signTypedData((changes.typed?.(typed) ?? typed) as typeof typed);
    const claim = {
      address: signer.address as string,
      signature,
      blockNumber: String(blockNumber),
      blockHash,
    };
    const {
      address,
      signature: sent,
      blockNumber: number,
      blockHash: hash,
    } = changes.claim?.(claim) ?? claim;
    const joined = [address, sent, number, hash].join('~');
    const payload = Buffer.from(changes.payload?.(joined) ?? joined).toString('base64');
    const values = changes.authorization?.(payload) ?? [`Service-Approval ${payload}`];
    const lines = [
      `Host: ${changes.host ?? host}`,
      ...values.map((value) => `Authorization: ${value}`),
      'Connection: close',
      ...(changes.headers ?? []),
    ];
    return sendRaw(server.url, requestText(changes.method ?? 'GET', target, lines));
  }

  const expectCode = (answer: RawAnswer, status: number, code: string): void => {
    expect([answer.status, answer.body.error?.code], JSON.stringify(answer.body)).to.deep.equal([
      status,
      code,
    ]);
    expect(Object.keys(answer.body.error)).to.have.members(['code', 'message', 'issues', 'next_action']);
  };
  const unauthorized = async (changes: Changes): Promise<void> =>
    expectCode(await attempt(changes), 401, 'unauthorized');

  it('accepts a right request', async () => {
    expect((await attempt()).status).to.equal(200);
  });

  describe('the header', () => {
    it('is needed, once, with its scheme', async () => {
      await unauthorized({ authorization: () => [] });
      await unauthorized({ authorization: (payload) => [`Bearer ${payload}`] });
      await unauthorized({ authorization: (payload) => [payload] });
      await unauthorized({
        authorization: (payload) => [`Service-Approval ${payload}`, `Service-Approval ${payload}`],
      });
    });

    it('takes its scheme in any case', async () => {
      expect(
        (await attempt({ authorization: (payload) => [`service-approval ${payload}`] })).status,
      ).to.equal(200);
    });

    it('is strict standard base64 of four fields', async () => {
      const url = (payload: string) => payload.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
      await unauthorized({ authorization: (payload) => [`Service-Approval ${url(payload)}!`] });
      await unauthorized({
        authorization: (payload) => [`Service-Approval ${payload.slice(0, 40)} ${payload.slice(40)}`],
      });
      await unauthorized({ payload: (joined) => joined.split('~').slice(0, 3).join('~') });
      await unauthorized({ payload: (joined) => `${joined}~` });
      await unauthorized({ payload: () => '' });
    });

    for (const number of ['007', '0x10', '1e6', '-1', '', ' 7', String(2n ** 256n), '9'.repeat(500)]) {
      it(`refuses the block number ${JSON.stringify(number.slice(0, 12))}`, () =>
        unauthorized({ claim: (claim) => ({ ...claim, blockNumber: number }) }));
    }

    it('takes addresses in lower and upper case, and refuses a bad checksum, a bad length and a name', async () => {
      const cased = (change: (address: string) => string) => ({
        claim: (claim: Claim) => ({ ...claim, address: change(claim.address) }),
      });
      expect((await attempt(cased((address) => address.toLowerCase()))).status).to.equal(200);
      expect((await attempt(cased((address) => `0x${address.slice(2).toUpperCase()}`))).status).to.equal(200);
      await unauthorized(
        cased((address) =>
          address
            .replace(/[a-f]/, (digit) => digit.toUpperCase())
            .replace(/[A-F](?=[^A-F]*$)/, (digit) => digit.toLowerCase()),
        ),
      );
      await unauthorized(cased((address) => address.slice(0, -1)));
      await unauthorized(cased(() => 'poster.eth'));
    });
  });

  describe('step 1: the block is canonical', () => {
    it('refuses a hash that is not', () => unauthorized({ blockHash: keccak256('0x01') }));

    it('refuses a hash that a reorg orphaned, and accepts the request signed anew', async function () {
      this.timeout(20_000);
      await clock.mine();
      const tip = await client().getBlock();
      const early = { blockNumber: tip.number, blockHash: tip.hash };
      expect((await attempt(early)).status).to.equal(200);
      await localRpc(stack.rpcUrl).call('anvil_reorg', [1, []]);
      await clock.mine();
      // The server looks at the chain's head several times in each block time.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await unauthorized(early);
      expect((await attempt()).status).to.equal(200);
    });

    it('says 503 and never 401 when the chain does not answer', async function () {
      this.timeout(30_000);
      // A block older than what is held in memory cannot be told from a bad one without asking.
      rpc.fault = { kind: 'reset' };
      try {
        await new Promise((resolve) => setTimeout(resolve, 10_500));
        const answer = await attempt({ blockHash: keccak256('0x02') });
        expect(answer.status).to.equal(503);
        expect(Number(answer.headers['retry-after'])).to.be.greaterThan(0);
      } finally {
        rpc.fault = undefined;
        await clock.mine();
        await new Promise((resolve) => setTimeout(resolve, 1_500));
      }
    });
  });

  describe('step 2: the block is fresh', () => {
    it('accepts exactly 150 blocks behind the head, and not 151; accepts block 0 of a young chain', async function () {
      this.timeout(30_000);
      const head = Number(await client().getBlockNumber());
      if (head < 150) expect((await attempt({ blockNumber: 0n })).status).to.equal(200);
      await clock.mine(160);
      await clock.finalizeFor(server.url);
      const tip = await client().getBlockNumber();
      expect((await attempt({ blockNumber: tip - 150n })).status).to.equal(200);
      await unauthorized({ blockNumber: tip - 151n });
      expect((await attempt({ blockNumber: tip })).status).to.equal(200);
    });

    it('refuses a block in the future', async () => {
      const tip = await client().getBlockNumber();
      await unauthorized({ blockNumber: tip + 1n, blockHash: keccak256('0x03') });
      await unauthorized({ blockNumber: tip + 10_000n, blockHash: keccak256('0x03') });
    });

    it('knows a block that is newer than its own view of the head', async () => {
      await clock.mine();
      const { number, hash } = await client().getBlock();
      expect((await attempt({ blockNumber: number, blockHash: hash })).status).to.equal(200);
    });
  });

  describe('step 3: the signature', () => {
    it('is bound to chain, Hub, name and version', async () => {
      await unauthorized({ domain: { chainId: 1 } });
      await unauthorized({ domain: { hubAddress: stack.tokenAddress } });
      await unauthorized({ typed: (typed) => ({ ...typed, domain: { ...typed.domain, name: 'Other' } }) });
      await unauthorized({ typed: (typed) => ({ ...typed, domain: { ...typed.domain, version: '2' } }) });
    });

    it('is bound to method, path, host, body, query and block', async () => {
      const changed = (change: Partial<ApprovalMessage>) =>
        unauthorized({ message: (message) => ({ ...message, ...change }) });
      await changed({ endpointId: `POST ${path}` });
      await changed({ endpointId: `GET ${path.replace('/content', '/contents')}` });
      await changed({ audience: 'other.example' });
      await changed({ bodyHash: keccak256('0x00') });
      await changed({ query: 'mine=' });
      await changed({ blockNumber: 1n });
      await changed({ blockHash: keccak256('0x04') });
    });

    it('is that of the claimed address', async () => {
      await unauthorized({ claim: (claim) => ({ ...claim, address: actors.guardians[0]!.address }) });
    });

    it('may have v 0 or 1, high s, or the compact form of EIP-2098', async () => {
      const parts = (signature: string) => ({
        r: signature.slice(2, 66),
        s: BigInt(`0x${signature.slice(66, 130)}`),
        v: Number.parseInt(signature.slice(130), 16),
      });
      const hex = (value: bigint) => value.toString(16).padStart(64, '0');
      const rewritten = (change: (signature: string) => string) => ({
        claim: (claim: Claim) => ({ ...claim, signature: change(claim.signature) }),
      });
      const forms: ((signature: string) => string)[] = [
        (signature) => `${signature.slice(0, 130)}0${parts(signature).v - 27}`,
        (signature) => {
          const { r, s, v } = parts(signature);
          return `0x${r}${hex(ORDER - s)}${(55 - v).toString(16)}`;
        },
        (signature) => {
          const { r, s, v } = parts(signature);
          return `0x${r}${hex(s | (BigInt(v - 27) << 255n))}`;
        },
      ];
      for (const form of forms) expect((await attempt(rewritten(form))).status).to.equal(200);
    });

    for (const [name, signature] of [
      ['empty', '0x'],
      ['66 bytes', `0x${'11'.repeat(66)}`],
      ['r of zero', `0x${'00'.repeat(32)}${'11'.repeat(32)}1b`],
      ['s of zero', `0x${'11'.repeat(32)}${'00'.repeat(32)}1b`],
      ['v of 29', `0x${'11'.repeat(64)}1d`],
      ['half a byte', '0x111'],
      ['not hex', '0xzz'],
      ['larger than it may be', `0x${'11'.repeat(16 * 1024 + 1)}`],
    ] as const) {
      it(`is refused when it is ${name}`, () =>
        unauthorized({ claim: (claim) => ({ ...claim, signature }) }));
    }

    it('of an ordinary wallet is checked without a call to the chain', async () => {
      const calls: string[] = [];
      rpc.fault = (_path, body) => {
        if (!/eth_getBlockByNumber/.test(body)) calls.push(body);
        return undefined;
      };
      expect((await attempt()).status).to.equal(200);
      rpc.fault = undefined;
      expect(calls).to.deep.equal([]);
    });
  });

  describe('step 4: the wallet', () => {
    it('is the right one, or it is 403', async () => {
      expectCode(
        await attempt({ signer: privateKeyToAccount(actors.stranger.private_key) }),
        403,
        'forbidden',
      );
    });

    it('is asked for last: the first failure answers', async () => {
      const stranger = privateKeyToAccount(actors.stranger.private_key);
      await unauthorized({ signer: stranger, blockHash: keccak256('0x05') });
      await unauthorized({
        signer: stranger,
        claim: (claim) => ({ ...claim, signature: `0x${'11'.repeat(65)}` }),
      });
      const malformed = path.replace('/0x', '/0y');
      expectCode(
        await attempt({ target: malformed, authorization: () => [] }),
        400,
        'invalid_solver_submission',
      );
    });
  });

  describe('the host', () => {
    it('is compared in lower case, port and all', async () => {
      expect((await attempt({ host: host.toUpperCase() })).status).to.equal(200);
      await unauthorized({ host: host.split(':')[0]! });
      await unauthorized({ host: 'other.example' });
    });

    it('is never taken from a forwarding header', async () => {
      const headers = ['X-Forwarded-Host: other.example', 'Forwarded: host=other.example'];
      expect((await attempt({ headers })).status).to.equal(200);
      await unauthorized({ headers, message: (message) => ({ ...message, audience: 'other.example' }) });
    });

    it('is given exactly once', async () => {
      const answer = await attempt({ headers: ['Host: other.example'] });
      expect(answer.status).to.be.oneOf([400, 401]);
      expect(answer.body.error).to.have.property('code');
    });
  });

  describe('the path', () => {
    for (const [name, change] of [
      ['in another case', (text: string) => text.replace('/api', '/API')],
      ['with a trailing slash', (text: string) => `${text}/`],
      ['with a double slash', (text: string) => text.replace('/bounties', '//bounties')],
      ['with a percent', (text: string) => text.replace('/content', '/%63ontent')],
      ['with an encoded slash', (text: string) => text.replace('/content', '%2fcontent')],
      ['with an encoded NUL', (text: string) => `${text}%00`],
      ['with a dot segment', (text: string) => text.replace('/bounties', '/x/../bounties')],
      ['with a backslash', (text: string) => text.replace('/content', '\\content')],
    ] as const) {
      it(`is not found ${name}`, async () =>
        expectCode(await attempt({ target: change(path) }), 404, 'not_found'));
    }
  });

  describe('the query', () => {
    it('is refused when it is unknown, also signed in its canonical form', async () => {
      const answer = await attempt({ target: `${path}?mine` });
      expectCode(answer, 400, 'invalid_solver_submission');
      expect(answer.body.error.issues[0].path).to.equal('mine');
    });
  });
});
