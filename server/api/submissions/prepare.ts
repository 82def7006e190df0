// POST …/submissions/{solver_address}/prepare: everything that the specification lists is verified again before the
// envelope is stored; the answer is the exact submit call. The Solver's own wallet sends it.

import { type Address, getAddress } from 'viem';
import type { BountyFacts } from '../../adapters/hubIndex/decision.ts';
import { largestCiphertextBytes } from '../../adapters/packageLimit.ts';
import type { Services } from '../../adapters/services.ts';
import { solverInPath } from '../../auth/policies/solverInPath.ts';
import { asOf } from '../../http/asOf.ts';
import { address, bountyId } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { commitmentOf } from '../../protocol/commitment.ts';
import { type Envelope, envelopeContextIssues, parseEnvelope } from '../../protocol/envelope.ts';
import { envelopeSchema } from '../../protocol/envelopeSchema.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { submitCall } from '../../protocol/hubCalls.ts';
import { keyBagLockIssues } from '../../protocol/keyBagLock.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { recipientsCommitment } from '../../protocol/roster.ts';
import { requireOpenForSubmissions } from './openBounty.ts';
import { storedCiphertextIssues } from './storedCiphertext.ts';
import { PREPARED_SUBMISSION_SCHEMA } from './submissionSchema.ts';

/** The route. */
export const prepareSubmission = route({
  method: 'POST',
  route: '/api/bounties/{bounty_id}/submissions/{solver_address}/prepare',
  operationId: 'prepareSubmission',
  tag: 'Submissions',
  summary: 'Verify and store a sealed envelope, and prepare the submit call.',
  path: { bounty_id: bountyId(), solver_address: address('The Solver, who signs.') },
  query: {},
  invalid: 'invalid_solver_submission',
  body: {
    kind: 'json',
    maxBytes: LIMITS.documentBytes,
    schema: envelopeSchema,
    parse(bytes: Uint8Array): { value: Envelope } | { issues: readonly { path: string; message: string }[] } {
      const parsed = parseEnvelope(bytes);
      return 'envelope' in parsed ? { value: parsed.envelope } : parsed;
    },
  },
  policy: solverInPath,
  limited: true,
  success: {
    200: {
      description: 'The stored envelope and the submit call.',
      contentType: 'application/json',
      schema: PREPARED_SUBMISSION_SCHEMA,
    },
  },
  errors: ['bounty_not_found', 'storage_unavailable'],
  async handle({ path, body: envelope, bytes, facts }, services) {
    requireOpenForSubmissions(facts, services);
    const issues = [
      ...(await envelopeIssues(envelope, path.solver_address, facts, services)),
      ...keyBagLockIssues(envelope),
    ];
    if (issues.length > 0) throw new ServiceError('invalid_solver_submission', { issues });
    const ciphertext = await storedCiphertextIssues(envelope, services.byteStore);
    if (ciphertext.length > 0) throw new ServiceError('invalid_solver_submission', { issues: ciphertext });

    const commitment = commitmentOf(bytes);
    await services.byteStore.putEnvelope(path.bounty_id, commitment, bytes);
    const retainedUntil = await services.uploads.recordEnvelope({
      bountyId: path.bounty_id,
      solver: path.solver_address,
      submissionCommitment: commitment,
      locator: envelope.storage.locator,
    });
    const { chainId, hubAddress } = services.config;
    return {
      status: 200,
      json: {
        submission_commitment: commitment,
        storage_locator: envelope.storage.locator,
        retained_until: retainedUntil,
        prepared: {
          chain_id: chainId,
          from: getAddress(path.solver_address),
          calls: [submitCall(hubAddress, BigInt(path.bounty_id), commitment)],
        },
        as_of: asOf(facts.at),
      },
    };
  },
});

/** The envelope against the bounty: context, pinned roster, reveal policy, size. */
async function envelopeIssues(
  envelope: Envelope,
  solverAddress: Address,
  { bounty, roster }: BountyFacts,
  { config, documents }: Services,
) {
  return envelopeContextIssues(envelope, {
    chainId: config.chainId,
    hubAddress: config.hubAddress,
    bountyId: BigInt(bounty.id),
    solverAddress,
    specCommitment: bounty.specCommitment,
    guardianRosterHash: bounty.guardianRosterHash,
    recipientsCommitment: recipientsCommitment(roster),
    submissionDeadline: Number(bounty.submissionDeadline),
    drand: config.drand,
    maxCiphertextBytes: await largestCiphertextBytes(documents, bounty.specCommitment),
  });
}
