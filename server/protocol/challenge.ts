// The challenge document `bounty_challenge.md`: a frontmatter contract, a task, criteria and deliverables
// (specification section 2; section 1: the committed artifact is the exact bytes). Shape and context are checked
// apart: the first needs the bytes alone. Must never repair or rewrite a document.
import type { Address } from 'viem';
import { type AcceptanceCriterion, readCriteria } from './acceptanceCriteria.ts';
import { parseAddress, ZERO_ADDRESS } from './accountAddress.ts';
import { type ChallengeFields, chainIdText, challengeFrontmatter } from './challengeSchema.ts';
import type { Issue } from './errors.ts';
import { frontmatterPath, parseFrontmatter } from './frontmatter.ts';
import { LIMITS } from './limits.ts';
import { type MarkdownSection, markdownSections } from './markdownSections.ts';
import { requiredSection } from './requiredSections.ts';
import { shapeCheck } from './shapeCheck.ts';
import { parseUtcTime } from './utcTime.ts';

/** An outside input file that a challenge lists; the bytes at `uri` are not committed, their digest is. */
export interface ChallengeInput {
  readonly name: string;
  readonly uri: string;
  readonly sha256: string;
  readonly byteLength: number;
}

/** A challenge as it was committed; addresses in lower case, times in Unix seconds. */
export interface Challenge {
  readonly title: string;
  readonly summary: string;
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly posterAddress: Address;
  /** `amount` in the token's smallest unit. */
  readonly reward: { readonly tokenAddress: Address; readonly amount: bigint };
  readonly submissionDeadline: number;
  readonly judgingDeadlineAt: number;
  readonly settlementTimeoutAt: number;
  readonly keywords: readonly string[];
  readonly license: string | undefined;
  readonly inputs: readonly ChallengeInput[];
  /** The smaller of the challenge's own limits and the service's (specification section 8). */
  readonly limits: { readonly packedBytes: number; readonly extractedBytes: number };
  readonly criteria: readonly AcceptanceCriterion[];
}

/** What of a challenge its place and time decide about; undefined where it could not be read. */
export type ChallengeTerms = {
  readonly [Term in
    | 'chainId'
    | 'hubAddress'
    | 'posterAddress'
    | 'submissionDeadline'
    | 'judgingDeadlineAt'
    | 'settlementTimeoutAt']?: Challenge[Term] | undefined;
};

/** What a challenge must agree with: the deployment, its Poster, and the chain's clock. */
export interface ChallengeContext {
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly posterAddress: Address;
  /** Timestamp of the chain's latest block, Unix seconds. */
  readonly chainNow: number;
  /** The shortest time between now, the first deadline, and each next one. */
  readonly minimumGapSeconds: number;
}

const DEADLINES = ['submission_deadline', 'judging_deadline_at', 'settlement_timeout_at'] as const;

const checkShape = shapeCheck(challengeFrontmatter);

/** Reads a challenge from its exact bytes, or tells everything that is wrong with it at once. Never throws. */
export function parseChallenge(bytes: Uint8Array): { challenge: Challenge } | { issues: Issue[] } {
  if (bytes.length > LIMITS.documentBytes) {
    return { issues: [{ path: '', message: `A challenge has at most ${LIMITS.documentBytes} bytes.` }] };
  }
  const document = parseFrontmatter(bytes);
  const readable = document.issues.length === 0;
  const shape = checkShape(document.fields).map(({ path, message }) => ({
    path: frontmatterPath(path),
    message,
  }));
  const fields = document.fields as unknown as ChallengeFields;
  // A document whose frontmatter cannot be read at all gets that one issue, not one for every missing key.
  const unread = !readable && Object.keys(document.fields).length === 0;
  if (unread) return { issues: [...document.issues] };
  const sound = shape.length === 0;
  const values = sound ? valueIssues(fields) : [];
  const { criteria, issues } = readBody(document.body, document.fields.title);
  const all = [...document.issues, ...shape, ...values, ...issues];
  return all.length > 0 ? { issues: all } : { challenge: challengeOf(fields, criteria) };
}

/**
 * The terms of a document whose contract is broken elsewhere, so that its author learns everything at once. Absent is
 * each whose own field cannot be read. Never throws.
 */
export function readableChallengeTerms(bytes: Uint8Array): ChallengeTerms {
  if (bytes.length > LIMITS.documentBytes) return {};
  const { fields } = parseFrontmatter(bytes);
  const text = (key: string): string => (typeof fields[key] === 'string' ? fields[key] : '');
  return {
    chainId: new RegExp(chainIdText.pattern).test(text('chain_id')) ? Number(text('chain_id')) : undefined,
    hubAddress: parseAddress(text('hub_address')),
    posterAddress: parseAddress(text('poster_address')),
    submissionDeadline: parseUtcTime(text('submission_deadline')),
    judgingDeadlineAt: parseUtcTime(text('judging_deadline_at')),
    settlementTimeoutAt: parseUtcTime(text('settlement_timeout_at')),
  };
}

/** What keeps a challenge from being published here and now; what is absent is passed over. Empty when nothing does. */
export function challengeContextIssues(challenge: ChallengeTerms, context: ChallengeContext): Issue[] {
  const issues: Issue[] = [];
  const refuse = (key: string, message: string) => issues.push({ path: `frontmatter.${key}`, message });
  const { chainId, hubAddress, posterAddress } = challenge;
  if (chainId !== undefined && chainId !== context.chainId)
    refuse('chain_id', `Must be ${context.chainId}, this deployment's chain.`);
  if (hubAddress !== undefined && hubAddress !== context.hubAddress.toLowerCase()) {
    refuse('hub_address', "Must be this deployment's Hub.");
  }
  if (posterAddress !== undefined && posterAddress !== context.posterAddress.toLowerCase()) {
    refuse('poster_address', 'Must be the Poster who publishes it.');
  }
  const times = [challenge.submissionDeadline, challenge.judgingDeadlineAt, challenge.settlementTimeoutAt];
  const before = ["the chain's clock", ...DEADLINES];
  DEADLINES.forEach((key, index) => {
    const earlier = index === 0 ? context.chainNow : times[index - 1];
    const time = times[index];
    if (time !== undefined && earlier !== undefined && time - earlier < context.minimumGapSeconds) {
      refuse(key, `Must be at least ${context.minimumGapSeconds} seconds after ${before[index]}.`);
    }
  });
  return issues;
}

function valueIssues(fields: ChallengeFields): Issue[] {
  const issues: Issue[] = [];
  const refuse = (key: string, message: string) => issues.push({ path: `frontmatter.${key}`, message });
  if (fields.reward.amount === '0') refuse('reward.amount', 'Must be more than zero.');
  const accounts = {
    hub_address: fields.hub_address,
    poster_address: fields.poster_address,
    'reward.token_address': fields.reward.token_address,
  };
  for (const [key, text] of Object.entries(accounts)) {
    if (parseAddress(text) === ZERO_ADDRESS) refuse(key, 'Must not be the zero address.');
  }
  const times = DEADLINES.map((key) => parseUtcTime(fields[key])!);
  DEADLINES.forEach((key, index) => {
    if (index > 0 && times[index]! <= times[index - 1]!)
      refuse(key, `Must be after ${DEADLINES[index - 1]}.`);
  });
  const names = new Set<string>();
  fields.inputs?.forEach(({ name }, index) => {
    if (names.has(name)) refuse(`inputs.${index}.name`, 'Names of inputs must differ.');
    names.add(name);
  });
  return issues;
}

function readBody(
  body: string,
  title: unknown,
): { criteria: readonly AcceptanceCriterion[]; issues: Issue[] } {
  const sections = markdownSections(body);
  const issues = titleIssues(sections, title);
  let criteria: readonly AcceptanceCriterion[] = [];
  for (const name of ['Task', 'Acceptance criteria', 'Deliverables']) {
    const found = requiredSection(sections, name);
    if ('issues' in found) issues.push(...found.issues);
    else if (name === 'Acceptance criteria') {
      const read = readCriteria(found.section);
      criteria = read.criteria;
      issues.push(...read.issues);
    }
  }
  return { criteria, issues };
}

function titleIssues(sections: readonly MarkdownSection[], title: unknown): Issue[] {
  const [heading, second] = sections.filter(({ level }) => level === 1);
  if (heading === undefined) return [{ path: 'section:#', message: 'The heading "# <title>" is missing.' }];
  const path = `section:${heading.title.slice(0, 100)}`;
  if (second !== undefined) return [{ path, message: 'There must be one heading of level 1.' }];
  if (sections[0] !== heading) return [{ path, message: 'The title must be the first heading.' }];
  return heading.title === title
    ? []
    : [{ path, message: 'The heading must equal the title of the frontmatter.' }];
}

function challengeOf(fields: ChallengeFields, criteria: readonly AcceptanceCriterion[]): Challenge {
  const { reward, limits } = fields;
  return {
    title: fields.title,
    summary: fields.summary,
    chainId: Number(fields.chain_id),
    hubAddress: parseAddress(fields.hub_address)!,
    posterAddress: parseAddress(fields.poster_address)!,
    reward: { tokenAddress: parseAddress(reward.token_address)!, amount: BigInt(reward.amount) },
    submissionDeadline: parseUtcTime(fields.submission_deadline)!,
    judgingDeadlineAt: parseUtcTime(fields.judging_deadline_at)!,
    settlementTimeoutAt: parseUtcTime(fields.settlement_timeout_at)!,
    keywords: fields.keywords ?? [],
    license: fields.license,
    inputs: (fields.inputs ?? []).map(({ name, uri, sha256, byte_length }) => ({
      name,
      uri,
      sha256,
      byteLength: Number(byte_length),
    })),
    limits: {
      packedBytes: Math.min(LIMITS.packedBytes, Number(limits?.packed_bytes ?? LIMITS.packedBytes)),
      extractedBytes: Math.min(
        LIMITS.extractedBytes,
        Number(limits?.extracted_bytes ?? LIMITS.extractedBytes),
      ),
    },
    criteria,
  };
}
