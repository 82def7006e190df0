// Facts of three finalized bounties for tests: one awarded, one refunded by Verdicts, one timed out.
import type { Hex } from 'viem';
import type { LogPlace, RecordFacts } from '../../server/protocol/verificationRecord.ts';

const hash = (byte: string): Hex => `0x${byte.repeat(32)}`;
const place = (blockNumber: number, block: string, transaction: string, logIndex: number): LogPlace => ({
  blockNumber,
  blockHash: hash(block),
  transactionHash: hash(transaction),
  logIndex,
});

/** Two of three Guardians agreed on a winner. */
export const AWARDED_FACTS: RecordFacts = {
  chainId: 31337,
  hubAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  bountyId: 7n,
  outcome: 'awarded',
  award: {
    winner: '0x5CbDd86a2FA8Dc4bDdd8a8f69dBa48572EeC07FB',
    submissionCommitment: hash('33'),
    payout: { tokenAddress: '0x00000000000000000000000000000000000000A1', amount: 975_000n },
  },
  challenge: { specCommitment: hash('11'), byteLength: 1234 },
  rosterSize: 3,
  matching: 2,
  supportingVerdicts: [
    {
      guardianAddress: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
      reportCommitment: hash('77'),
      place: place(100, 'a1', 'a2', 3),
    },
    {
      guardianAddress: '0x1563915e194D8CfBA1943570603F7606A3115508',
      reportCommitment: hash('66'),
      place: place(101, 'b1', 'b2', 1),
    },
  ],
  settlement: { place: place(110, 'c1', 'c2', 4), settledAt: 1_790_050_000 },
};

/** The same Guardians agreed to give the escrow back. */
export const REFUNDED_FACTS: RecordFacts = { ...AWARDED_FACTS, outcome: 'refunded', award: null };

/** No two Guardians agreed in time. */
export const TIMED_OUT_FACTS: RecordFacts = {
  ...REFUNDED_FACTS,
  outcome: 'timed_out',
  matching: 0,
  supportingVerdicts: [],
};
