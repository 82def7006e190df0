// POST /api/written-verdicts/{report_commitment}: a Guardian publishes the document that its on-chain Verdict commits to.
// The answer prepares recordVerdict; the Guardian's own wallet sends it.

import { getAddress, type Hex } from 'viem';
import type { BountyFacts } from '../../adapters/hubIndex/decision.ts';
import { readActiveSubmission } from '../../adapters/hubIndex/submission.ts';
import type { Services } from '../../adapters/services.ts';
import { type AuthoredDocument, verdictAuthor } from '../../auth/policies/verdictAuthor.ts';
import { asOf } from '../../http/asOf.ts';
import { bytes32 } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { commitmentLocator } from '../../protocol/address.ts';
import { parseChallenge } from '../../protocol/challenge.ts';
import { commitmentOf } from '../../protocol/commitment.ts';
import { type Issue, ServiceError } from '../../protocol/errors.ts';
import { recordVerdictCall } from '../../protocol/hubCalls.ts';
import { LIMITS } from '../../protocol/limits.ts';
import {
  parseWrittenVerdict,
  toHubVerdict,
  type WrittenVerdict,
  writtenVerdictContextIssues,
} from '../../protocol/writtenVerdict.ts';
import { requireJudgingTime } from './judgingTime.ts';
import { storeWrittenVerdict } from './storeWrittenVerdict.ts';
import { STORED_VERDICT_SCHEMA } from './verdictSchema.ts';

interface PublishedVerdict extends AuthoredDocument {
  readonly verdict: WrittenVerdict;
}

/** The route. */
export const publishWrittenVerdict = route({
  method: 'POST',
  route: '/api/written-verdicts/{report_commitment}',
  operationId: 'publishWrittenVerdict',
  tag: 'Written Verdicts',
  summary: 'Publish a written Verdict under its commitment.',
  path: { report_commitment: bytes32('keccak256 of the exact bytes of the document.') },
  query: {},
  invalid: 'invalid_written_verdict',
  body: { kind: 'markdown', maxBytes: LIMITS.documentBytes, parse: parseBody },
  policy: verdictAuthor,
  limited: true,
  success: {
    200: {
      description: 'It was stored before.',
      contentType: 'application/json',
      schema: STORED_VERDICT_SCHEMA,
    },
    201: { description: 'It is stored.', contentType: 'application/json', schema: STORED_VERDICT_SCHEMA },
  },
  errors: ['bounty_not_found', 'storage_unavailable'],
  async handle({ bytes, body: document, facts }, services) {
    const { verdict, guardianAddress, reportCommitment } = document;
    await requireJudgingTime(document, facts, services);
    const issues = await issuesOf(verdict, facts, services);
    if (issues.length > 0) throw new ServiceError('invalid_written_verdict', { issues });

    const wasThere = await storeWrittenVerdict(bytes, reportCommitment, services);
    const { chainId, hubAddress } = services.config;
    return {
      status: wasThere ? 200 : 201,
      json: {
        report_commitment: reportCommitment,
        byte_length: bytes.length,
        storage_locator: commitmentLocator(reportCommitment),
        prepared: {
          chain_id: chainId,
          from: getAddress(guardianAddress),
          calls: [recordVerdictCall(hubAddress, verdict.bountyId, toHubVerdict(verdict), reportCommitment)],
        },
        as_of: asOf(facts.at),
      },
    };
  },
});

function parseBody(
  bytes: Uint8Array,
  path: { readonly report_commitment: Hex },
): { value: PublishedVerdict } | { issues: readonly Issue[] } {
  if (commitmentOf(bytes) !== path.report_commitment) {
    return {
      issues: [
        { path: 'report_commitment', message: 'The document does not hash to the commitment in the path.' },
      ],
    };
  }
  const parsed = parseWrittenVerdict(bytes);
  if ('issues' in parsed) return parsed;
  const { verdict } = parsed;
  const { chainId, hubAddress, guardianAddress } = verdict;
  const bountyId = String(verdict.bountyId);
  const reportCommitment = path.report_commitment;
  return { value: { chainId, hubAddress, bountyId, guardianAddress, reportCommitment, verdict } };
}

async function issuesOf(
  verdict: WrittenVerdict,
  { bounty, at }: BountyFacts,
  { config, chain, documents, facts }: Services,
): Promise<Issue[]> {
  const document = await documents.read(bounty.specCommitment);
  const challenge = document.state === 'found' ? parseChallenge(document.bytes) : undefined;
  const issues = writtenVerdictContextIssues(verdict, {
    chainId: config.chainId,
    hubAddress: config.hubAddress,
    bountyId: BigInt(bounty.id),
    specCommitment: bounty.specCommitment,
    tokenAddress: bounty.token,
    amount: BigInt(bounty.amount),
    feeBps: bounty.feeBps,
    submissionDeadline: Number(bounty.submissionDeadline),
    chainNow: chain.head().timestamp,
    criteria:
      challenge && 'challenge' in challenge ? challenge.challenge.criteria.map(({ id }) => id) : undefined,
  });
  if (issues.length > 0 || verdict.award === null) return issues;
  const active = await readActiveSubmission(facts, bounty.id, verdict.award.winner, at);
  if (active === verdict.award.submissionCommitment) return [];
  const message = "Must be the winner's current active Submission.";
  return [{ path: 'frontmatter.awarded_submission_commitment', message }];
}
