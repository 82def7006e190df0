// POST /api/written-verdicts/{report_commitment}: a Guardian publishes the document that its on-chain Verdict commits to.
// The answer prepares recordVerdict; the Guardian's own wallet sends it.

import { type Address, getAddress, type Hex } from 'viem';
import { notFinalYet } from '../../adapters/hubIndex/bounty.ts';
import { type BountyFacts, requireSettledStatus } from '../../adapters/hubIndex/decision.ts';
import { hasRecordedReport } from '../../adapters/hubIndex/settlement.ts';
import { readActiveSubmission } from '../../adapters/hubIndex/submission.ts';
import type { Services } from '../../adapters/services.ts';
import { verdictAuthor } from '../../auth/policies/verdictAuthor.ts';
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
import { STORED_VERDICT_SCHEMA } from './verdictSchema.ts';

interface PublishedVerdict {
  readonly bountyId: string;
  readonly guardianAddress: Address;
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
  async handle({ path, bytes, body: { verdict, guardianAddress }, facts }, services) {
    const commitment = path.report_commitment;
    await requireTimely(verdict, commitment, facts, services);
    const issues = await issuesOf(verdict, facts, services);
    if (issues.length > 0) throw new ServiceError('invalid_written_verdict', { issues });

    const wasThere = (await services.documents.read(commitment)).state === 'found';
    if (!wasThere) await store(bytes, commitment, services);
    const { chainId, hubAddress } = services.config;
    return {
      status: wasThere ? 200 : 201,
      json: {
        report_commitment: commitment,
        byte_length: bytes.length,
        storage_locator: commitmentLocator(commitment),
        prepared: {
          chain_id: chainId,
          from: getAddress(guardianAddress),
          calls: [recordVerdictCall(hubAddress, verdict.bountyId, toHubVerdict(verdict), commitment)],
        },
        as_of: asOf(facts.at),
      },
    };
  },
});

/** Store the exact bytes and read them back. @throws ServiceError 503 */
async function store(bytes: Uint8Array, commitment: Hex, { byteStore, metrics }: Services): Promise<void> {
  await byteStore.putDocument(bytes);
  const { state } = await byteStore.getDocument(commitment);
  if (state === 'found') return;
  if (state === 'mismatch') metrics.storageMismatches.inc();
  throw new ServiceError('storage_unavailable', { retryAfterSeconds: 5 });
}

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
  return { value: { bountyId: String(verdict.bountyId), guardianAddress: verdict.guardianAddress, verdict } };
}

/**
 * From the submission deadline on, by the chain's clock and by P's; after settlement only what was recorded on chain.
 *
 * @throws ServiceError 400 with the state, 503 while it is not final
 */
async function requireTimely(
  { guardianAddress }: WrittenVerdict,
  commitment: Hex,
  facts: BountyFacts,
  { chain, hubIndex, facts: sources }: Services,
): Promise<void> {
  const { bounty, at } = facts;
  const deadline = Number(bounty.submissionDeadline);
  const head = chain.head();
  // Before it by the chain's own clock is the document's fault and told with its other issues.
  if (head.timestamp >= deadline && at.pinned.timestamp < deadline) {
    throw notFinalYet(head.number, at, sources.blockTimeSeconds);
  }
  requireSettledStatus(facts, sources);
  if (
    bounty.status === 'open' ||
    (await hasRecordedReport(hubIndex, bounty.id, guardianAddress, commitment, at))
  )
    return;
  const message = `The bounty is ${bounty.status}: only a document that this Guardian recorded on chain is taken now.`;
  throw new ServiceError('invalid_written_verdict', { issues: [{ path: 'bounty', message }] });
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
