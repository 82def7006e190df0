// The written Verdict: one Guardian's judgement of a bounty in Markdown, identified by `report_commitment`
// (specification sections 1, 2 and 4). Shape and context are checked apart. Must never decide an outcome, and never
// say who may publish: the signer is compared elsewhere.
import type { Address, Hex } from 'viem';
import { parseAddress, ZERO_ADDRESS } from './accountAddress.ts';
import type { Issue } from './errors.ts';
import { frontmatterPath, parseFrontmatter } from './frontmatter.ts';
import type { HubVerdict, Outcome } from './hubVerdict.ts';
import { LIMITS } from './limits.ts';
import { markdownSections } from './markdownSections.ts';
import { encodePayoutData, netRewardAmount, type Payout } from './payout.ts';
import { requiredSection } from './requiredSections.ts';
import { shapeCheck } from './shapeCheck.ts';
import { parseUtcTime } from './utcTime.ts';
import {
  type CRITERION_RESULTS,
  type SUBMISSION_RESULTS,
  type WrittenVerdictFields,
  writtenVerdictFrontmatter,
} from './writtenVerdictSchema.ts';

/** One Submission that a Guardian reviewed. */
export interface ReviewedSubmission {
  readonly solverAddress: Address;
  readonly submissionCommitment: Hex;
  readonly result: (typeof SUBMISSION_RESULTS)[number];
}

/** A written Verdict; addresses and hashes in lower case, times in Unix seconds. */
export interface WrittenVerdict {
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly bountyId: bigint;
  readonly specCommitment: Hex;
  readonly guardianAddress: Address;
  readonly outcome: Outcome;
  /** Whom to pay for which Submission how much; null when refunded. */
  readonly award: {
    readonly winner: Address;
    readonly submissionCommitment: Hex;
    readonly payout: Payout;
  } | null;
  readonly reviewedSubmissions: readonly ReviewedSubmission[];
  readonly criteria: readonly { readonly id: string; readonly result: (typeof CRITERION_RESULTS)[number] }[];
  readonly issuedAt: number;
}

/** What a written Verdict must agree with: the bounty on chain and the chain's clock. */
export interface WrittenVerdictContext {
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly bountyId: bigint;
  readonly specCommitment: Hex;
  readonly tokenAddress: Address;
  /** The escrow in the token's smallest unit. */
  readonly amount: bigint;
  readonly feeBps: number;
  /** Unix seconds. */
  readonly submissionDeadline: number;
  /** Timestamp of the chain's latest block, Unix seconds. */
  readonly chainNow: number;
  /** The ids of the challenge's criteria, or undefined while its bytes cannot be had. */
  readonly criteria: readonly string[] | undefined;
}

const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`;

const checkShape = shapeCheck(writtenVerdictFrontmatter);

/** Reads a written Verdict from its exact bytes, or tells everything that is wrong with it at once. Never throws. */
export function parseWrittenVerdict(bytes: Uint8Array): { verdict: WrittenVerdict } | { issues: Issue[] } {
  if (bytes.length > LIMITS.documentBytes) {
    return {
      issues: [{ path: '', message: `A written Verdict has at most ${LIMITS.documentBytes} bytes.` }],
    };
  }
  const document = parseFrontmatter(bytes);
  if (document.issues.length > 0 && Object.keys(document.fields).length === 0) {
    return { issues: [...document.issues] };
  }
  const shape = checkShape(document.fields).map(({ path, message }) => ({
    path: frontmatterPath(path),
    message,
  }));
  const fields = document.fields as unknown as WrittenVerdictFields;
  const values = shape.length === 0 ? [...awardIssues(fields), ...listIssues(fields)] : [];
  const sections = markdownSections(document.body);
  const bodies = ['Summary', 'Findings'].flatMap((title) => {
    const found = requiredSection(sections, title);
    return 'issues' in found ? found.issues : [];
  });
  const issues = [...document.issues, ...shape, ...values, ...bodies];
  return issues.length > 0 ? { issues } : { verdict: verdictOf(fields) };
}

/** What keeps a well-formed written Verdict from being one on this bounty now; empty when nothing does. */
export function writtenVerdictContextIssues(
  verdict: WrittenVerdict,
  context: WrittenVerdictContext,
): Issue[] {
  const issues: Issue[] = [];
  const expect = (holds: boolean, key: string, message: string) => {
    if (!holds) issues.push({ path: `frontmatter.${key}`, message });
  };
  expect(
    verdict.chainId === context.chainId,
    'chain_id',
    `Must be ${context.chainId}, this deployment's chain.`,
  );
  expect(
    verdict.hubAddress === context.hubAddress.toLowerCase(),
    'hub_address',
    "Must be this deployment's Hub.",
  );
  expect(verdict.bountyId === context.bountyId, 'bounty_id', `Must be ${context.bountyId}.`);
  expect(
    verdict.specCommitment === context.specCommitment.toLowerCase(),
    'spec_commitment',
    "Must be the bounty's spec_commitment.",
  );
  expect(
    context.chainNow >= context.submissionDeadline,
    'issued_at',
    "Verdicts are taken from the bounty's submission deadline on, by the chain's clock.",
  );
  if (verdict.award !== null) {
    const { tokenAddress, amount } = verdict.award.payout;
    const net = netRewardAmount(context.amount, context.feeBps);
    const sameToken = tokenAddress === context.tokenAddress.toLowerCase();
    expect(sameToken, 'payout.token_address', "Must be the token of the bounty's escrow.");
    expect(amount === net, 'payout.amount', `Must be ${net}, the escrow less the fee.`);
  }
  if (context.criteria !== undefined) {
    const same = verdict.criteria.map(({ id }) => id).join() === context.criteria.join();
    expect(same, 'criteria', `Must name ${context.criteria.join(', ')}, in this order.`);
  }
  return issues;
}

/** The Verdict that a document's Guardian records on chain (IHub.Verdict). */
export function toHubVerdict({ outcome, award }: WrittenVerdict): HubVerdict {
  if (award === null) {
    return { outcome, winner: ZERO_ADDRESS, submissionCommitment: ZERO_HASH, payoutData: '0x' };
  }
  const { winner, submissionCommitment, payout } = award;
  return { outcome, winner, submissionCommitment, payoutData: encodePayoutData(payout) };
}

const AWARD_KEYS = ['winner', 'awarded_submission_commitment', 'payout'] as const;

function awardIssues(fields: WrittenVerdictFields): Issue[] {
  const awarded = fields.outcome === 'awarded';
  const issues: Issue[] = AWARD_KEYS.filter((key) => (fields[key] !== undefined) !== awarded).map((key) => ({
    path: `frontmatter.${key}`,
    message: awarded
      ? 'This field is missing: the outcome is awarded.'
      : 'Must be absent: the outcome is refunded.',
  }));
  if (!awarded || issues.length > 0) return issues;
  const named = fields.reviewed_submissions.find(
    ({ solver_address }) => parseAddress(solver_address) === parseAddress(fields.winner!),
  );
  const commitment = fields.awarded_submission_commitment!.toLowerCase();
  if (named?.result !== 'meets' || named.submission_commitment.toLowerCase() !== commitment) {
    issues.push({
      path: 'frontmatter.reviewed_submissions',
      message: 'Must name the awarded Submission of the winner with the result meets.',
    });
  }
  return issues;
}

function listIssues({ reviewed_submissions, criteria }: WrittenVerdictFields): Issue[] {
  const issues: Issue[] = [];
  const solvers = new Set<string>();
  reviewed_submissions.forEach(({ solver_address }, index) => {
    const solver = parseAddress(solver_address)!;
    if (solvers.has(solver)) {
      issues.push({
        path: `frontmatter.reviewed_submissions.${index}.solver_address`,
        message: 'Solvers must differ.',
      });
    }
    solvers.add(solver);
  });
  criteria.forEach(({ id }, index) => {
    if (id === `AC-${index + 1}`) return;
    issues.push({
      path: `frontmatter.criteria.${index}.id`,
      message: `Must be AC-${index + 1}: every criterion of the challenge once, in its order.`,
    });
  });
  return issues;
}

function verdictOf(fields: WrittenVerdictFields): WrittenVerdict {
  const hash = (text: string) => text.toLowerCase() as Hex;
  const { winner, awarded_submission_commitment: commitment, payout } = fields;
  const award =
    winner === undefined || commitment === undefined || payout === undefined
      ? null
      : {
          winner: parseAddress(winner)!,
          submissionCommitment: hash(commitment),
          payout: { tokenAddress: parseAddress(payout.token_address)!, amount: BigInt(payout.amount) },
        };
  return {
    chainId: Number(fields.chain_id),
    hubAddress: parseAddress(fields.hub_address)!,
    bountyId: BigInt(fields.bounty_id),
    specCommitment: hash(fields.spec_commitment),
    guardianAddress: parseAddress(fields.guardian_address)!,
    outcome: fields.outcome,
    award,
    reviewedSubmissions: fields.reviewed_submissions.map((reviewed) => ({
      solverAddress: parseAddress(reviewed.solver_address)!,
      submissionCommitment: hash(reviewed.submission_commitment),
      result: reviewed.result,
    })),
    criteria: fields.criteria,
    issuedAt: parseUtcTime(fields.issued_at)!,
  };
}
