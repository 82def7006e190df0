// Sealing and opening without a service in between: what a Solver makes, and what each pinned Guardian gets back.

import { expect } from 'chai';
import type { LocalDrandBeacon } from '../../server/local/drandBeacon.ts';
import { ageIdentity } from '../../server/protocol/ageIdentity.ts';
import { canonicalBytes } from '../../server/protocol/canonicalJson.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { type Envelope, parseEnvelope } from '../../server/protocol/envelope.ts';
import { sha256Hex } from '../../server/protocol/sha256Hex.ts';
import { openSubmission } from '../../server/sdk/open.ts';
import { type SealedSubmission, seal } from '../../server/sdk/seal.ts';
import { SealError } from '../../server/sdk/sealError.ts';
import { TimeLockError } from '../../server/sdk/timeLockError.ts';
import type { Progress } from '../../server/sdk/transfer.ts';
import { UnopenableSubmissionError } from '../../server/sdk/unopenable.ts';
import { UntrustedAnswerError } from '../../server/sdk/untrustedAnswer.ts';
import { failureOf } from './failureOf.ts';
import {
  clientWith,
  DEADLINE,
  deployment,
  factsOf,
  guardiansOf,
  NOW,
  SOLVER,
  startClockedBeacon,
} from './sealing.ts';

const PACKAGE = crypto.getRandomValues(new Uint8Array(60_000));

describe('sealing', () => {
  const guardians = guardiansOf(3);
  const facts = factsOf(guardians);
  let beacon: LocalDrandBeacon & { now: number };
  let sealed: SealedSubmission;
  const progress: Progress[] = [];

  const sealing = { deployment, facts, solverAddress: SOLVER, package: new Blob([PACKAGE]) };

  before(async () => {
    beacon = await startClockedBeacon();
    sealed = await seal({ ...sealing, onProgress: (step) => progress.push(step) });
  });
  beforeEach(() => {
    beacon.now = DEADLINE + 3;
  });
  after(() => beacon.stop());

  const open = (submission: SealedSubmission, guardian = guardians[0]!, told = facts, bytes?: Blob) =>
    openSubmission(
      clientWith(submission, told, bytes),
      { bountyId: 7n, submissionCommitment: submission.submissionCommitment, ...guardian },
      { drandUrls: [beacon.url] },
    );

  const contentOf = async (stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
    const parts: Uint8Array[] = [];
    for await (const part of stream) parts.push(part);
    return new Uint8Array(Buffer.concat(parts));
  };

  /** The same Submission with a changed envelope, its commitment right again: what a careless or hostile Solver records. */
  const resealed = (change: (envelope: Envelope) => Envelope): SealedSubmission => {
    const envelope = change(sealed.envelope);
    const envelopeBytes = canonicalBytes(envelope);
    return { ...sealed, envelope, envelopeBytes, submissionCommitment: commitmentOf(envelopeBytes) };
  };

  it('makes an envelope that the service takes, with the digests of what it made', async () => {
    const parsed = parseEnvelope(sealed.envelopeBytes);
    expect(parsed).to.have.property('envelope');
    const bytes = new Uint8Array(await sealed.ciphertext.arrayBuffer());
    expect(sealed.envelope.bundle).to.deep.include({
      ciphertext_sha256: sha256Hex(bytes),
      ciphertext_byte_length: bytes.length,
    });
    expect(sealed.submissionCommitment).to.equal(commitmentOf(sealed.envelopeBytes));
    expect(progress.at(-1)).to.deep.equal({ done: PACKAGE.length, total: PACKAGE.length });
  });

  it('uses another key each time, and leaves none behind', async () => {
    const again = await seal(sealing);
    expect(again.envelope.bundle.ciphertext_sha256).to.not.equal(sealed.envelope.bundle.ciphertext_sha256);
    const { contentKey } = await open(sealed);
    expect(JSON.stringify(sealed)).to.not.contain(Buffer.from(contentKey).toString('hex'));
    expect(JSON.stringify(sealed)).to.not.contain(ageIdentity(contentKey));
  });

  it('opens for each pinned Guardian, byte for byte, once the round is out and not before', async () => {
    beacon.now = DEADLINE - 1;
    expect((await failureOf(open(sealed), TimeLockError)).reason).to.equal('too_early');
    beacon.now = DEADLINE + 3;
    for (const guardian of guardians) {
      const opened = await open(sealed, guardian, factsOf(guardians, DEADLINE));
      expect(await contentOf(opened.read())).to.deep.equal(PACKAGE);
      expect([opened.isActive, opened.openedBeforeDeadline]).to.deep.equal([true, false]);
    }
  });

  it('says when the lock opened before the chain reached the deadline', async () => {
    expect((await open(sealed, guardians[0], factsOf(guardians, NOW))).openedBeforeDeadline).to.equal(true);
  });

  it('does not open for anybody else', async () => {
    const [stranger] = guardiansOf(1);
    const outside = { ...stranger!, account: `0x${'99'.repeat(20)}` as const };
    expect((await failureOf(open(sealed, outside), TypeError)).message).to.contain(
      'not on the pinned roster',
    );
    const impostor = { ...guardians[0]!, privateKey: stranger!.privateKey };
    expect((await failureOf(open(sealed, impostor), TypeError)).message).to.contain('private key');
  });

  it('finds a Submission unopenable that was sealed for another roster, round, chain or ciphertext', async () => {
    const others = factsOf(guardiansOf(3));
    const changes: [string, SealedSubmission][] = [
      ['/recipients/guardian_roster_hash', await seal({ ...sealing, facts: others })],
      [
        '/reveal_policy/round',
        resealed((one) => ({ ...one, reveal_policy: { ...one.reveal_policy, round: 5 } })),
      ],
      [
        '/reveal_policy/chain_hash',
        resealed((one) => ({ ...one, reveal_policy: { ...one.reveal_policy, chain_hash: 'ab'.repeat(32) } })),
      ],
      [
        '/key_bag',
        // The wraps are bound to the ciphertext: with another digest none of them opens.
        resealed((one) => ({ ...one, bundle: { ...one.bundle, ciphertext_sha256: 'cd'.repeat(32) } })),
      ],
    ];
    for (const [path, submission] of changes) {
      const { issues } = await failureOf(open(submission), UnopenableSubmissionError);
      expect(issues.map((issue) => issue.path)).to.include(path);
    }
  });

  it('refuses a ciphertext that was changed on the way', async () => {
    const bytes = new Uint8Array(await sealed.ciphertext.arrayBuffer());
    bytes[bytes.length - 1]! ^= 1;
    const opened = await open(sealed, guardians[0], facts, new Blob([bytes]));
    await failureOf(contentOf(opened.read()), UntrustedAnswerError);
  });

  it('seals nothing for a bounty that takes nothing, and nothing of a wrong size', async () => {
    const reasons: [string, Partial<typeof sealing & { maxPackedBytes: number }>][] = [
      ['bounty_not_open', { facts: { ...facts, bounty: { ...facts.bounty, status: 'refunded' } } }],
      ['deadline_passed', { facts: factsOf(guardians, DEADLINE) }],
      ['package_empty', { package: new Blob([]) }],
      ['package_too_large', { maxPackedBytes: PACKAGE.length - 1 }],
    ];
    for (const [reason, change] of reasons) {
      expect((await failureOf(seal({ ...sealing, ...change }), SealError)).reason).to.equal(reason);
    }
  });

  it('discards what it wrote when it is stopped half-way', async () => {
    const events: string[] = [];
    const controller = new AbortController();
    const sink = {
      write: async () => {
        events.push('write');
        controller.abort(new RangeError('enough'));
      },
      finish: async () => new Blob([]),
      discard: async () => void events.push('discard'),
    };
    const large = new Blob([new Uint8Array(2_000_000)]);
    await failureOf(seal({ ...sealing, package: large, sink, signal: controller.signal }), RangeError);
    expect(events[0]).to.equal('write');
    expect(events.at(-1)).to.equal('discard');
  });
});
