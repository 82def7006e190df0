// A Solver's way through the API: upload URL, upload, prepare, and the submit call sent as it was prepared.

import type { Hex } from 'viem';
import type { LocalStack } from '../../server/local/stack.ts';
import type { Actor, Actors } from './actors.ts';
import type { HandSealed } from './handSealed.ts';
import { answerOf, type SignedAnswer, signerOf } from './signedRequest.ts';

/** The steps of one Solver against one server. */
export function submissionFlow(stack: LocalStack, apiUrl: string, actors: Actors) {
  const signer = signerOf(stack, apiUrl);
  const base = (bountyId: bigint, solver: Actor): string =>
    `/api/bounties/${bountyId}/submissions/${solver.address}`;

  const requestUrl = (solver: Actor, bountyId: bigint, sealed: HandSealed): Promise<SignedAnswer> =>
    signer.send(solver, {
      method: 'POST',
      target: `${base(bountyId, solver)}/artifact-upload-url`,
      body: {
        ciphertext_sha256: sealed.envelope.bundle.ciphertext_sha256,
        ciphertext_byte_length: sealed.envelope.bundle.ciphertext_byte_length,
      },
    });

  const put = async (url: string, bytes: Uint8Array): Promise<SignedAnswer> =>
    answerOf(
      await fetch(url, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: bytes as BodyInit,
      }),
    );

  const upload = async (solver: Actor, bountyId: bigint, sealed: HandSealed): Promise<SignedAnswer> => {
    const issued = await requestUrl(solver, bountyId, sealed);
    return issued.status === 200 ? put(issued.body.upload.url, sealed.ciphertext) : issued;
  };

  const prepare = (solver: Actor, bountyId: bigint, envelope: Uint8Array): Promise<SignedAnswer> =>
    signer.send(solver, { method: 'POST', target: `${base(bountyId, solver)}/prepare`, body: envelope });

  return {
    signer,
    requestUrl,
    put,
    upload,
    prepare,
    /** Everything, up to the submit call on chain. */
    async submit(solver: Actor, bountyId: bigint, sealed: HandSealed): Promise<void> {
      const uploaded = await upload(solver, bountyId, sealed);
      if (uploaded.status !== 201) throw new Error(`upload: ${JSON.stringify(uploaded.body)}`);
      const prepared = await prepare(solver, bountyId, sealed.envelopeBytes);
      if (prepared.status !== 200) throw new Error(`prepare: ${JSON.stringify(prepared.body)}`);
      for (const { to, data } of prepared.body.prepared.calls as { to: Hex; data: Hex }[]) {
        const hash = await actors.client.sendTransaction({ account: solver.account, to, data });
        const receipt = await actors.client.waitForTransactionReceipt({ hash });
        if (receipt.status !== 'success') throw new Error('submit was reverted');
      }
    },
  };
}
