// Which block a request is signed over: three behind the tip, never the same twice for one request.

import { expect } from 'chai';
import { type Hex, numberToHex, pad } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeApprovalHeader } from '../../server/protocol/approvalHeader.ts';
import { ApiError } from '../../server/sdk/apiError.ts';
import { authorize, type BlockSource } from '../../server/sdk/authorize.ts';
import { failureOf } from './failureOf.ts';

const deployment = { chainId: 8453, hubAddress: '0x00000000000000000000000000000000000000a1' } as const;
const signer = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const url = new URL('https://api.example.org/api/x');

const hashAt = (number: bigint): Hex => pad(numberToHex(number + 1n), { size: 32 });
const chainAt = (tip: bigint): BlockSource => ({
  getBlockNumber: async () => tip,
  getBlock: async ({ blockNumber }) => ({ hash: hashAt(blockNumber) }),
});

describe('authorize', () => {
  const signed = async (tip: bigint, spent?: Set<Hex>): Promise<number> => {
    const header = await authorize(
      { method: 'GET', url: url.href },
      url,
      { deployment, signer, blocks: chainAt(tip) },
      spent,
    );
    const decoded = decodeApprovalHeader(header);
    if (!('claim' in decoded)) throw new Error(decoded.problem);
    expect(decoded.claim.blockHash).to.equal(hashAt(decoded.claim.blockNumber));
    return Number(decoded.claim.blockNumber);
  };

  it('takes the block three behind the tip, and the first on a young chain', async () => {
    expect(await signed(1_000n)).to.equal(997);
    for (const tip of [0n, 1n, 3n]) expect(await signed(tip)).to.equal(0);
    expect(await signed(4n)).to.equal(1);
  });

  it('goes back for a block that it did not sign over, and forward where there is none behind', async () => {
    const spent = new Set<Hex>();
    const numbers = [];
    for (let count = 0; count < 3; count += 1) numbers.push(await signed(1_000n, spent));
    expect(numbers).to.deep.equal([997, 996, 995]);
    const young = new Set<Hex>();
    expect([await signed(2n, young), await signed(2n, young), await signed(2n, young)]).to.deep.equal([
      0, 1, 2,
    ]);
    const error = await failureOf(signed(2n, young), ApiError);
    expect([error.code, error.retryable]).to.deep.equal(['no_fresh_block', true]);
    expect(await signed(3n, young)).to.equal(3);
  });

  it('stays well inside the window, however many approvals were spent', async () => {
    const spent = new Set<Hex>();
    const numbers: number[] = [];
    for (let count = 0; count < 34; count += 1) numbers.push(await signed(1_000n, spent));
    expect(Math.min(...numbers)).to.equal(967);
    expect(numbers.slice(-3)).to.deep.equal([998, 999, 1_000]);
    expect(new Set(numbers).size).to.equal(34);
  });

  it('claims the contract wallet, whatever key signs', async () => {
    const address = '0x00000000000000000000000000000000000000b2';
    const blocks = chainAt(10n);
    const wallet = { address, signTypedData: signer.signTypedData } as const;
    const header = await authorize({ method: 'GET', url: url.href }, url, {
      deployment,
      signer: wallet,
      blocks,
    });
    expect(decodeApprovalHeader(header)).to.have.nested.property('claim.address', address);
  });

  it('says that it is the user’s own RPC that does not answer', async () => {
    const blocks: BlockSource = {
      getBlockNumber: () => Promise.reject(new Error('connect ECONNREFUSED')),
      getBlock: () => Promise.reject(new Error('unused')),
    };
    const work = authorize({ method: 'GET', url: url.href }, url, { deployment, signer, blocks });
    const error = await failureOf(work, ApiError);
    expect([error.code, error.retryable]).to.deep.equal(['rpc_failure', true]);
    expect(error.message).to.not.contain('ECONNREFUSED');
  });

  it('hands a wallet’s own refusal on as it is', async () => {
    const rejected = new Error('User rejected the request.');
    const wallet = { address: signer.address, signTypedData: () => Promise.reject(rejected) };
    const approving = { deployment, signer: wallet, blocks: chainAt(9n) };
    const work = authorize({ method: 'GET', url: url.href }, url, approving);
    expect(await failureOf(work, Error)).to.equal(rejected);
  });
});
