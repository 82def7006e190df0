import { expect } from 'chai';
import {
  type Abi,
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  erc20Abi,
  keccak256,
  parseSignature,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { hubAbi } from '../../abis/hubAbi.ts';
import * as calls from '../../server/protocol/hubCalls.ts';
import { type HubVerdict, matchHash } from '../../server/protocol/hubVerdict.ts';
import { permitTypedData } from '../../server/protocol/permit.ts';
import { type PreparedCall, sameCall } from '../../server/protocol/preparedCall.ts';

const HUB = '0x5FbDB2315678afecb367f032d93F642f64180aa3' as Address;
const TOKEN = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512' as Address;
const SOLVER = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A' as Address;
const hash = (byte: string) => `0x${byte.repeat(32)}` as const;

const TERMS = {
  specCommitment: hash('11'),
  token: TOKEN,
  amount: 2n ** 200n,
  submissionDeadline: 1_790_000_000,
  judgingDeadlineAt: 1_790_100_000,
  settlementTimeoutAt: 1_790_200_000,
  guardianRosterHash: hash('22'),
  maxFeeBps: 250,
};
const ABI_TERMS = {
  ...TERMS,
  submissionDeadline: 1_790_000_000n,
  judgingDeadlineAt: 1_790_100_000n,
  settlementTimeoutAt: 1_790_200_000n,
};
const READABLE_TERMS = {
  spec_commitment: hash('11'),
  token: TOKEN,
  amount: String(2n ** 200n),
  submission_deadline: '1790000000',
  judging_deadline_at: '1790100000',
  settlement_timeout_at: '1790200000',
  guardian_roster_hash: hash('22'),
  max_fee_bps: '250',
};
const AWARD: HubVerdict = {
  outcome: 'awarded',
  winner: SOLVER,
  submissionCommitment: hash('33'),
  payoutData: '0x1234',
};
const PERMIT = { deadline: 1_790_000_000n, v: 28, r: hash('44'), s: hash('55') };

describe('hub calls', () => {
  const table: [call: PreparedCall, to: Address, abi: Abi, decoded: unknown[], readable: object][] = [
    [calls.approveCall(TOKEN, HUB, 7n), TOKEN, erc20Abi, [HUB, 7n], { spender: HUB, amount: '7' }],
    [calls.createBountyCall(HUB, TERMS), HUB, hubAbi, [ABI_TERMS], READABLE_TERMS],
    [
      calls.createBountyWithPermitCall(HUB, TERMS, PERMIT),
      HUB,
      hubAbi,
      [ABI_TERMS, PERMIT],
      { ...READABLE_TERMS, permit: { deadline: '1790000000', v: '28', r: hash('44'), s: hash('55') } },
    ],
    [
      calls.submitCall(HUB, 7n, hash('33')),
      HUB,
      hubAbi,
      [7n, hash('33')],
      { bounty_id: '7', submission_commitment: hash('33') },
    ],
    [
      calls.recordVerdictCall(HUB, 7n, AWARD, hash('66')),
      HUB,
      hubAbi,
      [7n, { ...AWARD, outcome: 1 }, hash('66')],
      {
        bounty_id: '7',
        verdict: {
          outcome: 'awarded',
          winner: SOLVER,
          submission_commitment: hash('33'),
          payout_data: '0x1234',
        },
        report_commitment: hash('66'),
      },
    ],
    [calls.settleCall(HUB, 7n), HUB, hubAbi, [7n], { bounty_id: '7' }],
    [calls.timeOutCall(HUB, 7n), HUB, hubAbi, [7n], { bounty_id: '7' }],
    [calls.claimCall(HUB, TOKEN, SOLVER), HUB, hubAbi, [TOKEN, SOLVER], { token: TOKEN, to: SOLVER }],
  ];
  for (const [call, to, abi, decoded, readable] of table) {
    it(`${call.function_name} says in words what its data says`, () => {
      expect(call).to.deep.include({ to, value: '0x0', args: readable });
      expect(decodeFunctionData({ abi, data: call.data })).to.deep.equal({
        functionName: call.function_name,
        args: decoded,
      });
    });
  }

  it('encode a refund with its own number', () => {
    const refund = { ...AWARD, outcome: 'refunded' } as const;
    const { data } = calls.recordVerdictCall(HUB, 7n, refund, hash('66'));
    const { args } = decodeFunctionData({ abi: hubAbi, data });
    expect(args?.[1]).to.have.property('outcome', 2);
  });

  it('print addresses in EIP-55 case whatever they came in', () => {
    const lower = (address: Address) => address.toLowerCase() as Address;
    const shouted = calls.createBountyCall(lower(HUB), { ...TERMS, token: lower(TOKEN) });
    expect(shouted).to.deep.equal(calls.createBountyCall(HUB, TERMS));
    expect(calls.claimCall(lower(HUB), lower(TOKEN), lower(SOLVER))).to.deep.equal(
      calls.claimCall(HUB, TOKEN, SOLVER),
    );
  });
});

describe('sameCall', () => {
  const call = calls.submitCall(HUB, 7n, hash('33'));

  it('ignores the case of hex, the spelling of zero and the order of words', () => {
    const other = {
      ...call,
      to: call.to.toLowerCase() as Address,
      value: '0x00',
      data: `0x${call.data.slice(2).toUpperCase()}`,
      args: { submission_commitment: call.args.submission_commitment!, bounty_id: '7' },
    } as const;
    expect(sameCall(other, call)).to.equal(true);
  });

  const changes: [why: string, change: object][] = [
    ['another contract', { to: TOKEN }],
    ['value', { value: '0x1' }],
    ['other data', { data: calls.submitCall(HUB, 8n, hash('33')).data }],
    ['more data', { data: `${call.data}00` }],
    ['another name', { function_name: 'settle' }],
    ['other words', { args: { ...call.args, bounty_id: '8' } }],
    ['no words', { args: undefined }],
    ['no value', { value: undefined }],
    ['a value that is no number', { value: 'much' }],
    ['no contract', { to: null }],
    ['nothing', { data: undefined }],
  ];
  for (const [why, change] of changes) {
    it(`refuses ${why}`, () => {
      expect(sameCall({ ...call, ...change } as PreparedCall, call)).to.equal(false);
    });
  }
});

describe('matchHash', () => {
  it('is the hash of the encoded Verdict, and changes with every part of it', () => {
    const parameters = [
      { type: 'uint8' },
      { type: 'address' },
      { type: 'bytes32' },
      { type: 'bytes' },
    ] as const;
    const expected = keccak256(encodeAbiParameters(parameters, [1, SOLVER, hash('33'), '0x1234']));
    expect(matchHash(AWARD)).to.equal(expected);
    const others: HubVerdict[] = [
      { ...AWARD, outcome: 'refunded' },
      { ...AWARD, winner: HUB },
      { ...AWARD, submissionCommitment: hash('34') },
      { ...AWARD, payoutData: '0x123400' },
    ];
    for (const other of others) expect(matchHash(other)).to.not.equal(expected);
  });
});

describe('a signed permit', () => {
  it('is what a wallet signs', async () => {
    const account = privateKeyToAccount(hash('11'));
    const typedData = permitTypedData(
      { name: 'Test', version: '1', chainId: 31337, verifyingContract: TOKEN },
      { owner: account.address, spender: HUB, value: 5n, nonce: 0n, deadline: 9n },
    );
    const { r, s, v } = parseSignature(await account.signTypedData(typedData));
    const call = calls.createBountyWithPermitCall(HUB, TERMS, { deadline: 9n, v: Number(v), r, s });
    const { args } = decodeFunctionData({ abi: hubAbi, data: call.data });
    expect(args?.[1]).to.deep.equal({ deadline: 9n, v: Number(v), r, s });
  });
});
