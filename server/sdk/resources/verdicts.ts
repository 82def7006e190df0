// Written Verdicts: published under their commitment, and read back as the exact bytes that hash to it
// (specification section 4).

import { getAddress, type Hex } from 'viem';
import { commitmentLocator } from '../../protocol/address.ts';
import { commitmentOf } from '../../protocol/commitment.ts';
import { recordVerdictCall } from '../../protocol/hubCalls.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { parseWrittenVerdict, toHubVerdict, type WrittenVerdict } from '../../protocol/writtenVerdict.ts';
import { type StoredVerdict, storedVerdict } from '../answers/verdict.ts';
import type { CallOptions, Connection } from '../connection.ts';
import { type CheckedCalls, checkPreparedCalls } from '../preparedCalls.ts';
import { readBody, readJson } from '../readAnswer.ts';
import { contradictions, UntrustedAnswerError } from '../untrustedAnswer.ts';

/** A written Verdict that hashes to the commitment that was asked for. */
export interface ReadVerdict {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly verdict: WrittenVerdict;
}

/** A stored written Verdict, and the call that records it. */
export interface PublishedVerdict {
  readonly answer: StoredVerdict;
  readonly calls: CheckedCalls;
}

/** The routes of written Verdicts. */
export interface Verdicts {
  /** @throws UntrustedAnswerError when the bytes do not hash to the commitment or are no written Verdict */
  get(reportCommitment: Hex, options?: CallOptions): Promise<ReadVerdict>;
  /**
   * Publish a document as the Guardian who signs.
   *
   * @throws ApiError with the service's issues, UntrustedAnswerError when the prepared call is not the derived one
   */
  publish(document: Uint8Array<ArrayBuffer>, options?: CallOptions): Promise<PublishedVerdict>;
}

/** The routes of written Verdicts of a connection. */
export function verdictsOf(connection: Connection): Verdicts {
  const { chainId, hubAddress } = connection.deployment;
  return {
    async get(reportCommitment, options = {}) {
      const response = await connection.get(`/api/written-verdicts/${reportCommitment}`, options);
      const bytes = await readBody(response, LIMITS.documentBytes, options.signal);
      const check = contradictions('The API answers another document.');
      check.same('the commitment of the document', commitmentOf(bytes), reportCommitment);
      check.done();
      return { bytes, verdict: verdictOf(bytes) };
    },
    async publish(document, options = {}) {
      const reportCommitment = commitmentOf(document);
      const response = await connection.sign(
        {
          method: 'POST',
          target: `/api/written-verdicts/${reportCommitment}`,
          body: document,
          contentType: 'text/markdown',
        },
        options,
      );
      const answer = await readJson(response, storedVerdict, options.signal);
      const check = contradictions('The API stored another document.');
      check.same('report_commitment', answer.report_commitment, reportCommitment);
      check.same('byte_length', answer.byte_length, document.length);
      check.same('storage_locator', answer.storage_locator, commitmentLocator(reportCommitment));
      check.done();
      const verdict = verdictOf(document);
      const call = recordVerdictCall(hubAddress, verdict.bountyId, toHubVerdict(verdict), reportCommitment);
      const derived = { chainId, from: getAddress(connection.signer().address), calls: [call] };
      return { answer, calls: checkPreparedCalls(answer.prepared, derived) };
    },
  };
}

function verdictOf(bytes: Uint8Array): WrittenVerdict {
  const parsed = parseWrittenVerdict(bytes);
  if ('verdict' in parsed) return parsed.verdict;
  throw new UntrustedAnswerError('The API takes for a written Verdict what is none.', parsed.issues);
}
