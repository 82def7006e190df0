// Contract wallets as Posters on the real server: ERC-1271 in every mood, ERC-6492 before and after deployment, and an
// account whose own key signs although it carries delegated code (EIP-7702). An outage is 503 and never 401.

import { expect } from 'chai';
import {
  type Address,
  concatHex,
  createPublicClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { compileSolidity } from '../../abis/compileSolidity.ts';
import { hubAbi } from '../../abis/hubAbi.ts';
import { testTokenAbi } from '../../abis/testTokenAbi.ts';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import { localRpc } from '../../server/local/localRpc.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { ApiError } from '../../server/sdk/apiError.ts';
import type { ApprovalSigner, SignedRequest } from '../../server/sdk/authorize.ts';
import { signedFetch } from '../../server/sdk/signedFetch.ts';
import { type Actors, actorsOn, ESCROW } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { sealByHand } from '../actors/handSealed.ts';
import { submissionFlow } from '../actors/submissionFlow.ts';
import { startWireProxy, type WireProxy } from '../faults/wireProxy.ts';
import { sharedStack } from '../localStack.ts';

const MOODS = { honest: 0, reverting: 1, wrongMagic: 2, burning: 3, verbose: 4 } as const;
const MAGIC_6492 = '0x6492649264926492649264926492649264926492649264926492649264926492';
const SALT = keccak256(toHex('salt'));

describe('contract wallets', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let rpc: WireProxy;
  let actors: Actors;
  let clock: Clock;
  let flow: ReturnType<typeof submissionFlow>;
  let wallet: Address;
  let content: string;
  const [walletContract, factoryContract] = compileSolidity([
    'test/auth/contracts/Wallets.sol',
    'test/auth/contracts/WalletFactory.sol',
  ]);

  before(async function () {
    this.timeout(60_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
    rpc = await startWireProxy(stack.rpcUrl);
    const environment = {
      RPC_URLS: rpc.url,
      RATE_PER_ADDRESS: '0',
      UPLOAD_UNNAMED_PER_SOLVER: '1000',
      UPLOAD_UNNAMED_PER_ADDRESS: '10000',
      RATE_PER_SIGNER: '0',
    };
    server = await startApiServer(stack.serverEnvironment(environment), { watch: stack.watch });
    flow = submissionFlow(stack, server.url, actors);
    wallet = await deploy(walletContract!, [actors.stranger.address]);
    content = await bountyOf(wallet);
  });

  after(async () => {
    await server?.stop();
    await rpc?.stop();
  });

  const deploy = async (contract: { abi: unknown; bytecode: Hex }, args: unknown[]): Promise<Address> => {
    const hash = await actors.client.deployContract({
      ...contract,
      args,
      account: actors.stranger.account,
    } as never);
    return (await actors.client.waitForTransactionReceipt({ hash })).contractAddress as Address;
  };

  /** A bounty that `poster` funded, with one Submission; returns the URL of its content. */
  const bountyOf = async (poster: Address): Promise<string> => {
    const rpcCall = localRpc(stack.rpcUrl).call;
    const send = async (to: Address, data: Hex): Promise<void> => {
      const hash = (await rpcCall('eth_sendTransaction', [
        { from: poster, to, data, gas: '0x4c4b40' },
      ])) as Hex;
      const receipt = await actors.client.waitForTransactionReceipt({ hash });
      expect(receipt.status).to.equal('success');
    };
    await rpcCall('anvil_impersonateAccount', [poster]);
    await rpcCall('anvil_setBalance', [poster, '0xde0b6b3a7640000']);
    const terms = await actors.bountyTerms();
    await send(
      stack.tokenAddress,
      encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [poster, ESCROW] }),
    );
    await send(
      stack.tokenAddress,
      encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [stack.hubAddress, ESCROW] }),
    );
    await send(
      stack.hubAddress,
      encodeFunctionData({ abi: hubAbi, functionName: 'createBounty', args: [terms] }),
    );
    await rpcCall('anvil_stopImpersonatingAccount', [poster]);
    const bountyId = await actors.client.readContract({
      address: stack.hubAddress,
      abi: hubAbi,
      functionName: 'bountyCount',
    });
    await clock.finalizeFor(server.url);
    const solver = actors.solvers[0]!;
    const sealed = await sealByHand(
      stack,
      { ...terms, bountyId },
      solver.address,
      new TextEncoder().encode('for a wallet'),
    );
    await flow.submit(solver, bountyId, sealed);
    await clock.finalizeFor(server.url);
    return `${server.url}/api/bounties/${bountyId}/submissions/${sealed.submissionCommitment}/content`;
  };

  const owner = () => privateKeyToAccount(actors.stranger.private_key);
  const walletSigner = (
    address: Address,
    wrap: (signature: Hex) => Hex = (signature) => signature,
  ): ApprovalSigner => ({
    address,
    signTypedData: async (typedData) => wrap(await owner().signTypedData(typedData)),
  });

  const read = (url: string, signer: ApprovalSigner): Promise<number> => send({ method: 'GET', url }, signer);
  const send = async (request: SignedRequest, signer: ApprovalSigner): Promise<number> => {
    const blocks = createPublicClient({ transport: http(stack.rpcUrl), cacheTime: 0 });
    const options = { deployment: stack, signer, blocks, maxWaitSeconds: 0 };
    return signedFetch(request, options).then(
      ({ status }) => status,
      (error: unknown) => {
        expect(error).to.be.instanceOf(ApiError);
        return (error as ApiError).status;
      },
    );
  };

  const setMood = (mood: keyof typeof MOODS) =>
    actors.client.writeContractSync({
      address: wallet,
      abi: walletContract!.abi,
      functionName: 'setMood',
      args: [MOODS[mood]],
      account: actors.stranger.account,
    } as never);

  it('ERC-1271: counts what the wallet says, for the wallet and not for its key', async () => {
    expect(await read(content, walletSigner(wallet))).to.equal(200);
    expect(await read(content, owner())).to.equal(403);
  });

  for (const mood of ['reverting', 'wrongMagic', 'burning', 'verbose'] as const) {
    it(`ERC-1271: a ${mood} wallet is 401`, async function () {
      this.timeout(20_000);
      await setMood(mood);
      const began = performance.now();
      expect(await read(content, walletSigner(wallet))).to.be.oneOf([401, 503]);
      expect(performance.now() - began).to.be.lessThan(6_000);
      await setMood('honest');
      // Never remembered: the wallet has changed its mind.
      expect(await read(content, walletSigner(wallet))).to.equal(200);
    });
  }

  it('is 503 and never 401 when the chain does not answer the check', async () => {
    for (const fault of [
      { kind: 'status', status: 429, body: 'slow down' },
      {
        kind: 'status',
        status: 200,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'limit exceeded' } }),
      },
      { kind: 'reset' },
      { kind: 'hang' },
    ] as const) {
      rpc.fault = (_path, body) => (body.includes('eth_call') ? fault : undefined);
      expect(await read(content, walletSigner(wallet)), JSON.stringify(fault)).to.equal(503);
    }
    rpc.fault = undefined;
  });

  it('keeps ordinary wallets quick while contract signatures arrive in numbers', async function () {
    this.timeout(30_000);
    rpc.fault = (_path, body) =>
      body.includes('eth_call') ? { kind: 'delay', milliseconds: 1_800 } : undefined;
    const flood = Array.from({ length: 60 }, () => read(content, walletSigner(wallet)));
    let isOver = false;
    void Promise.allSettled(flood).then(() => {
      isOver = true;
    });
    for (let i = 0; i < 5; i += 1) expect(await read(content, owner())).to.equal(403);
    expect(isOver, 'the ordinary wallet waited for the contract wallets').to.equal(false);
    const statuses = new Set(await Promise.all(flood));
    rpc.fault = undefined;
    for (const status of statuses) expect(status).to.be.oneOf([200, 429, 503]);
    expect(statuses.has(429)).to.equal(true);
  });

  it('ERC-6492: counts before the wallet is deployed, and after', async function () {
    this.timeout(40_000);
    const factory = await deploy(factoryContract!, []);
    const call = { address: factory, abi: factoryContract!.abi, args: [actors.stranger.address, SALT] };
    const counterfactual = (await actors.client.readContract({
      ...call,
      functionName: 'addressOf',
    } as never)) as Address;
    const deployData = encodeFunctionData({ ...call, functionName: 'deploy' } as never);
    const wrap = (signature: Hex): Hex =>
      concatHex([
        encodeAbiParameters(
          [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
          [factory, deployData, signature],
        ),
        MAGIC_6492,
      ]);
    // As a Solver, who needs nothing on chain before: an account that has sent a transaction cannot be deployed to.
    const { bountyId } = await actors.createBounty();
    await clock.finalizeFor(server.url);
    const ask = { ciphertext_sha256: 'ab'.repeat(32), ciphertext_byte_length: 100 };
    const request: SignedRequest = {
      method: 'POST',
      url: `${server.url}/api/bounties/${bountyId}/submissions/${counterfactual}/artifact-upload-url`,
      body: new TextEncoder().encode(JSON.stringify(ask)),
      contentType: 'application/json',
    };
    expect(await actors.client.getCode({ address: counterfactual })).to.equal(undefined);
    expect(await send(request, walletSigner(counterfactual, wrap))).to.equal(200);
    expect(await send(request, walletSigner(counterfactual))).to.equal(401);
    expect(await send(request, owner())).to.equal(403);
    await actors.client.writeContractSync({
      ...call,
      functionName: 'deploy',
      account: actors.stranger.account,
    } as never);
    expect(await send(request, walletSigner(counterfactual, wrap))).to.equal(200);
    expect(await send(request, walletSigner(counterfactual))).to.equal(200);
  });

  it('EIP-7702: an account with delegated code signs with its own key', async function () {
    this.timeout(30_000);
    const account = owner();
    const authorization = await actors.client.signAuthorization({
      account,
      contractAddress: wallet,
      executor: 'self',
    });
    const hash = await actors.client.sendTransaction({
      account,
      to: actors.poster.address,
      authorizationList: [authorization],
    });
    await actors.client.waitForTransactionReceipt({ hash });
    expect(await actors.client.getCode({ address: account.address })).to.match(/^0xef0100/);
    const url = await bountyOf(account.address);
    expect(await read(url, owner())).to.equal(200);
  });
});
