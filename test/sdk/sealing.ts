// A bounty as the chain would tell it, without a chain: for tests of sealing and opening alone.

import type { Address, Hex } from 'viem';
import { type LocalDrandBeacon, startDrandBeacon } from '../../server/local/drandBeacon.ts';
import { encodeBase64Url } from '../../server/protocol/base64Url.ts';
import { DEPLOYMENTS } from '../../server/protocol/deployments.ts';
import { revealRound } from '../../server/protocol/reveal.ts';
import { recipientsCommitment, rosterHash } from '../../server/protocol/roster.ts';
import { x25519PublicKey } from '../../server/protocol/x25519KeyPair.ts';
import type { openSubmission } from '../../server/sdk/open.ts';
import type { ReadSubmission } from '../../server/sdk/resources/submissions.ts';
import type { SealedSubmission } from '../../server/sdk/seal.ts';
import type { SealingFacts } from '../../server/sdk/sealingFacts.ts';

/** The time of the local chain's latest block in these tests, Unix seconds. */
export const NOW = 1_900_000_000;
/** The bounty's submission deadline, Unix seconds. */
export const DEADLINE = NOW + 3_600;

export const HUB: Address = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512';
export const SOLVER: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

/** The local deployment on {@link HUB}. */
export const deployment = { chainId: 31337, hubAddress: HUB, drand: DEPLOYMENTS.local.drand };

/** A Guardian with both keys. */
export interface KeyedGuardian {
  readonly account: Address;
  readonly name: string;
  readonly encryptionPublicKey: string;
  readonly privateKey: Uint8Array<ArrayBuffer>;
}

/** Guardians of a roster, accounts ascending. */
export function guardiansOf(count: number): KeyedGuardian[] {
  return Array.from({ length: count }, (_, index) => {
    const privateKey = crypto.getRandomValues(new Uint8Array(32));
    return {
      account: `0x${String(index + 1).padStart(40, '0')}`,
      name: `Guardian ${index + 1}`,
      encryptionPublicKey: encodeBase64Url(x25519PublicKey(privateKey)),
      privateKey,
    };
  });
}

/** The facts of an open bounty with this roster. */
export function factsOf(keyed: readonly KeyedGuardian[], timestamp = NOW): SealingFacts {
  const roster = keyed.map(({ account, name, encryptionPublicKey }) => ({
    account,
    name,
    encryptionPublicKey,
  }));
  const hash: Hex = `0x${'11'.repeat(32)}`;
  return {
    bounty: {
      bountyId: 7n,
      poster: SOLVER,
      status: 'open',
      token: HUB,
      amount: 1_000n,
      submissionDeadline: DEADLINE,
      judgingDeadlineAt: DEADLINE + 3_600,
      settlementTimeoutAt: DEADLINE + 7_200,
      specCommitment: hash,
      guardianRosterHash: rosterHash(roster),
      feeBps: 250,
      treasury: HUB,
      winner: null,
      awardedSubmissionCommitment: null,
    },
    roster,
    recipientsCommitment: recipientsCommitment(roster),
    round: revealRound(DEADLINE, deployment.drand),
    at: { number: 100n, hash, timestamp },
  };
}

/** A service that hands out one sealed Submission; the chain says these facts. */
export function clientWith(
  sealed: SealedSubmission,
  facts: SealingFacts,
  ciphertext: Blob = sealed.ciphertext,
): Parameters<typeof openSubmission>[0] {
  const { envelope, envelopeBytes, submissionCommitment } = sealed;
  const answer = { submission_commitment: submissionCommitment, ciphertext: {} };
  const submission = { envelope, envelopeBytes, answer } as unknown as ReadSubmission;
  return {
    deployment,
    hub: { submissionOf: async () => submissionCommitment },
    sealingFacts: async () => facts,
    submissions: {
      content: async () => submission,
      stream: () => ciphertext.stream() as unknown as AsyncGenerator<Uint8Array>,
    },
  } as unknown as Parameters<typeof openSubmission>[0];
}

/** A beacon whose clock the test holds. */
export async function startClockedBeacon(): Promise<LocalDrandBeacon & { now: number }> {
  const clock = { now: NOW };
  const beacon = await startDrandBeacon(async () => clock.now);
  return Object.assign(clock, beacon);
}
