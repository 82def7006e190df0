// A Poster publishes and funds on the real stack: exact bytes under their commitment, and prepared calls that create the
// bounty in one or two transactions, whatever the token is.

import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import {
  type Address,
  createPublicClient,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  parseSignature,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { compileSolidity } from '../../../abis/compileSolidity.ts';
import { hubAbi } from '../../../abis/hubAbi.ts';
import type { LocalApiServer } from '../../../server/local/apiServer.ts';
import { DEMO_ESCROW } from '../../../server/local/demoChallenge.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { commitmentCid } from '../../../server/protocol/address.ts';
import { commitmentOf } from '../../../server/protocol/commitment.ts';
import { signedFetch } from '../../../server/sdk/signedFetch.ts';
import { type Actors, actorsOn } from '../../actors/actors.ts';
import { type Clock, clockOf } from '../../actors/clock.ts';
import { signerOf } from '../../actors/signedRequest.ts';
import { sharedServer, sharedStack } from '../../localStack.ts';
import { get } from '../bounties/bountyAnswers.ts';
import { bytesOf, expectRefusal, newPublisher, publishingOn, ROUTE, targetOf } from './publishing.ts';

describe('prepare-publication', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let publishing: ReturnType<typeof publishingOn>;

  before(async function () {
    this.timeout(60_000);
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
    publishing = publishingOn(stack);
    await clock.finalizeFor(server.url);
  });

  const sendAsPoster = async ({ to, data }: { to: Address; data: Hex }): Promise<void> => {
    const hash = await actors.client.sendTransaction({ account: actors.poster.account, to, data });
    expect((await actors.client.waitForTransactionReceipt({ hash })).status).to.equal('success');
  };
  const functionsOf = (prepared: { calls: { function_name: string }[] }): string[] =>
    prepared.calls.map(({ function_name }) => function_name);
  const latestBounty = async () => {
    await clock.finalizeFor(server.url);
    const list = await get(server.url, `/api/bounties?poster=${actors.poster.address}&limit=1`);
    return (await get(server.url, `/api/bounties/${list.body.bounties[0].bounty_id}`)).body;
  };

  it('stores a document that, funded with the prepared calls, is served with the same bytes after finality', async function () {
    this.timeout(30_000);
    const text = await publishing.challenge(actors.poster, (plain) =>
      plain.replace('99.999 %', '99.999\u2009%'),
    );
    const bytes = bytesOf(text);
    const options = {
      deployment: stack,
      signer: privateKeyToAccount(actors.poster.private_key),
      blocks: createPublicClient({ transport: http(stack.rpcUrl), cacheTime: 0 }),
    };
    const url = server.url + targetOf(actors.poster);
    const request = { method: 'POST', url, body: bytes, contentType: 'text/markdown' } as const;
    const answer = await (await signedFetch(request, options)).json();

    const specCommitment = commitmentOf(bytes);
    expect(answer).to.deep.include({
      spec_commitment: specCommitment,
      byte_length: bytes.length,
      storage_locator: `ipfs://${commitmentCid(specCommitment)}`,
      fee_policy: {
        fee_bps: 250,
        treasury: stack.accounts.owner.address,
        charged_on: 'award',
        fee_amount: '62500000',
        net_reward_amount: '2437500000',
      },
    });
    expect(answer).to.have.all.keys(
      ...['spec_commitment', 'byte_length', 'storage_locator', 'guardian_roster_hash', 'fee_policy'],
      ...['prepared', 'as_of'],
    );
    const ipfs = create({ url: stack.ipfsUrl });
    expect(await ipfs.block.get(commitmentCid(specCommitment))).to.deep.equal(bytes);

    expect(answer.prepared).to.deep.include({
      chain_id: stack.chainId,
      from: getAddress(actors.poster.address),
    });
    expect(functionsOf(answer.prepared)).to.deep.equal(['approve', 'createBounty']);
    expect(answer.prepared.calls[0].args.amount).to.equal(String(DEMO_ESCROW));
    for (const call of answer.prepared.calls) await sendAsPoster(call);
    const { bounty, challenge } = await latestBounty();
    expect(challenge).to.equal(text);
    expect(bounty.spec_commitment).to.equal(answer.spec_commitment);
    expect(bounty.guardian_roster_hash).to.equal(answer.guardian_roster_hash);
  });

  it('prepares one call where the allowance suffices, and approves exactly the escrow where it does not', async function () {
    this.timeout(30_000);
    const allow = (amount: bigint) =>
      sendAsPoster({
        to: stack.tokenAddress,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'approve',
          args: [stack.hubAddress, amount],
        }),
      });
    await allow(DEMO_ESCROW - 1n);
    const short = await publishing.publish(
      server.url,
      actors.poster,
      await publishing.challenge(actors.poster),
    );
    expect(functionsOf(short.body.prepared)).to.deep.equal(['approve', 'createBounty']);
    await allow(DEMO_ESCROW);
    const text = await publishing.challenge(actors.poster);
    const { body } = await publishing.publish(server.url, actors.poster, text);
    expect(functionsOf(body.prepared)).to.deep.equal(['createBounty']);
    await sendAsPoster(body.prepared.calls[0]);
    expect((await latestBounty()).challenge).to.equal(text);
  });

  it('is funded in one transaction with the permit', async function () {
    this.timeout(30_000);
    const text = await publishing.challenge(actors.poster);
    const { body } = await publishing.publish(server.url, actors.poster, text);
    const { typed_data, function_name } = body.prepared.permit;
    expect(function_name).to.equal('createBountyWithPermit');
    expect(typed_data.message).to.deep.include({
      owner: actors.poster.address.toLowerCase(),
      spender: stack.hubAddress.toLowerCase(),
      value: String(DEMO_ESCROW),
    });
    const { EIP712Domain: _, ...types } = typed_data.types;
    const signature = await privateKeyToAccount(actors.poster.private_key).signTypedData({
      ...typed_data,
      types,
    });
    const { r, s, v } = parseSignature(signature);
    const call = body.prepared.calls.at(-1);
    const terms = decodeFunctionData({ abi: hubAbi, data: call.data }).args![0] as never;
    const permit = { deadline: BigInt(typed_data.message.deadline), v: Number(v), r, s };
    const data = encodeFunctionData({
      abi: hubAbi,
      functionName: 'createBountyWithPermit',
      args: [terms, permit],
    });
    await sendAsPoster({ to: call.to, data });
    expect((await latestBounty()).challenge).to.equal(text);
  });

  it('prepares approve and create, and no permit, for a token that answers nothing right', async () => {
    const [contract] = compileSolidity(['test/adapters/contracts/OddToken.sol']);
    for (const mood of ['Silent', 'Burning', 'Invalid']) {
      const args = [['Silent', 'Reverting', 'Verbose', 'Burning', 'Invalid'].indexOf(mood)];
      const { account } = actors.stranger;
      const hash = await actors.client.deployContract({ ...contract!, args, account });
      const { contractAddress } = await actors.client.waitForTransactionReceipt({ hash });
      const publisher = newPublisher();
      const text = await publishing.challenge(publisher, (plain) =>
        plain.replace(/token_address: ".*"/, `token_address: "${getAddress(contractAddress!)}"`),
      );
      const { status, body } = await publishing.publish(server.url, publisher, text);
      expect(status, mood).to.equal(200);
      expect(functionsOf(body.prepared)).to.deep.equal(['approve', 'createBounty']);
      expect(body.prepared).to.not.have.property('permit');
    }
  });

  it("waits while the Hub's terms change, for a call prepared on the old ones would be reverted", async function () {
    this.timeout(30_000);
    const hub = { address: stack.hubAddress, abi: hubAbi } as const;
    const [feeBps, treasury] = await actors.client.readContract({ ...hub, functionName: 'feePolicy' });
    const setFee = async (bps: number): Promise<void> => {
      const args = [bps, treasury] as const;
      const { account } = actors.owner;
      const hash = await actors.client.writeContract({ ...hub, functionName: 'setFeePolicy', args, account });
      await actors.client.waitForTransactionReceipt({ hash });
    };
    const publisher = newPublisher();
    const text = await publishing.challenge(publisher);
    await setFee(feeBps + 50);
    try {
      await clock.seenBy(server.url);
      const early = await publishing.publish(server.url, publisher, text);
      expectRefusal(early, 503, 'bounty_chain_state_unavailable');
      expect(Number(early.headers.get('retry-after'))).to.be.within(1, 10);
      await clock.finalizeFor(server.url);
      const { body } = await publishing.publish(server.url, publisher, text);
      expect(body.fee_policy.fee_bps).to.equal(feeBps + 50);
      expect(body.prepared.calls.at(-1).args.max_fee_bps).to.equal(String(feeBps + 50));
    } finally {
      await setFee(feeBps);
      await clock.finalizeFor(server.url);
    }
  });

  it('may be published again, and then is prepared again under the same commitment', async () => {
    const publisher = newPublisher();
    const text = await publishing.challenge(publisher);
    const answers = [];
    for (let time = 0; time < 2; time += 1) {
      answers.push(await publishing.publish(server.url, publisher, text));
      await clock.mine();
    }
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(answers[1]!.body.spec_commitment).to.equal(answers[0]!.body.spec_commitment);
  });

  it('may be published by the declared Poster alone', async () => {
    const text = await publishing.challenge(actors.poster);
    const answer = await publishing.publish(server.url, newPublisher(), text, targetOf(actors.poster));
    expectRefusal(answer, 403, 'forbidden');
  });

  it('needs exactly one poster_address', async () => {
    const publisher = newPublisher();
    const text = await publishing.challenge(publisher);
    for (const query of [
      '',
      '?poster_address=',
      `?poster_address=${publisher.address}&poster_address=${publisher.address}`,
      `?poster_address=${publisher.address}&x=1`,
      '?poster_address=poster.eth',
    ]) {
      const answer = await publishing.publish(server.url, publisher, text, ROUTE + query);
      expectRefusal(answer, 400, 'invalid_publication_request');
    }
  });

  it('takes the address in any case that is one, and compares it by value', async () => {
    const publisher = newPublisher();
    const text = await publishing.challenge(publisher);
    const target = targetOf({ address: publisher.address.toLowerCase() as Address });
    expect((await publishing.publish(server.url, publisher, text, target)).status).to.equal(200);
  });

  it('is taken as text/markdown in UTF-8 alone', async () => {
    const publisher = newPublisher();
    const body = await publishing.challenge(publisher);
    for (const contentType of ['application/json', 'text/markdown; charset=latin1', 'text/plain']) {
      const request = { method: 'POST', target: targetOf(publisher), body, contentType };
      const answer = await signerOf(stack, server.url).send(publisher, request);
      expectRefusal(answer, 415, 'unsupported_media_type');
    }
  });
});
