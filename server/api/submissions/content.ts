// GET …/submissions/{submission_commitment}/content: the sealed envelope and a short-lived URL of its ciphertext, for the
// funding Poster and the pinned Guardians. A Solver who recorded somebody else's commitment gives nobody anything.

import { readActiveSubmission, requireRecordedSubmission } from '../../adapters/hubIndex/submission.ts';
import { readStoredEnvelope } from '../../adapters/storedEnvelope.ts';
import { contentReader } from '../../auth/policies/contentReader.ts';
import { asOf } from '../../http/asOf.ts';
import { bountyId, bytes32 } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { contextIssues } from '../../protocol/submissionContext.ts';
import { SUBMISSION_CONTENT_SCHEMA } from './submissionSchema.ts';

/** The route. */
export const submissionContent = route({
  method: 'GET',
  route: '/api/bounties/{bounty_id}/submissions/{submission_commitment}/content',
  operationId: 'getSubmissionContent',
  tag: 'Submissions',
  summary: 'Read a sealed Submission. Everything returned is encrypted.',
  path: { bounty_id: bountyId(), submission_commitment: bytes32('The active commitment of a Solver.') },
  query: {},
  invalid: 'invalid_solver_submission',
  body: { kind: 'none' },
  policy: contentReader,
  limited: true,
  unavailableAs: 'bounty_submission_content_authority_unavailable',
  success: {
    200: {
      description: 'The envelope and where its ciphertext is.',
      contentType: 'application/json',
      schema: SUBMISSION_CONTENT_SCHEMA,
    },
  },
  errors: [
    'bounty_not_found',
    'submission_not_found',
    'solver_submission_content_invalid',
    'storage_unavailable',
    'bounty_submission_content_authority_unavailable',
  ],
  async handle({ path, facts }, services) {
    const { bounty_id: id, submission_commitment: commitment } = path;
    await requireRecordedSubmission(services.facts, id, commitment, facts.at);
    const stored = await readStoredEnvelope(services, id, commitment);
    if (stored === undefined) {
      throw new ServiceError('submission_not_found', {
        message: 'No envelope of this commitment was prepared here.',
      });
    }
    const { text, envelope } = stored;
    const { chainId, hubAddress } = services.config;
    const solver = envelope.context.solver_address;
    const foreign = contextIssues(envelope.context, {
      chainId,
      hubAddress,
      bountyId: BigInt(id),
      solverAddress: solver,
      specCommitment: facts.bounty.specCommitment,
    });
    const active = await readActiveSubmission(services.facts, id, solver, facts.at);
    if (foreign.length > 0 || active !== commitment) {
      throw new ServiceError('submission_not_found', {
        message: 'This commitment is not the active Submission of the Solver that the envelope names.',
      });
    }
    const ciphertext = await services.offerCiphertext({
      locator: envelope.storage.locator,
      sha256: envelope.bundle.ciphertext_sha256,
      byteLength: envelope.bundle.ciphertext_byte_length,
    });
    return {
      status: 200,
      json: { submission_commitment: commitment, envelope: text, ciphertext, as_of: asOf(facts.at) },
    };
  },
});
