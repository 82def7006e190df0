// Sealing by hand, from the document formats alone: a second way beside the SDK. Small packages in memory.

import { armor, Encrypter, identityToRecipient } from 'age-encryption';
import { HttpCachingChain, HttpChainClient, timelockEncrypt } from 'tlock-js';
import type { Address, Hex } from 'viem';
import type { LocalGuardian } from '../../server/local/localAccounts.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { ciphertextLocator } from '../../server/protocol/address.ts';
import { ageIdentity } from '../../server/protocol/ageIdentity.ts';
import { decodeBase64Url, encodeBase64Url } from '../../server/protocol/base64Url.ts';
import { canonicalBytes } from '../../server/protocol/canonicalJson.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import type { Envelope } from '../../server/protocol/envelope.ts';
import { keyBagBytes } from '../../server/protocol/keyBag.ts';
import { guardianBinding, wrapKey } from '../../server/protocol/keyWrap.ts';
import { revealRound } from '../../server/protocol/reveal.ts';
import { recipientsCommitment } from '../../server/protocol/roster.ts';
import { sha256Hex } from '../../server/protocol/sha256Hex.ts';
import { submissionContext } from '../../server/protocol/submissionContext.ts';

/** What was sealed, with the content key that a Solver would throw away. */
export interface HandSealed {
  readonly ciphertext: Uint8Array;
  readonly contentKey: Uint8Array<ArrayBuffer>;
  readonly envelope: Envelope;
  readonly envelopeBytes: Uint8Array;
  readonly submissionCommitment: Hex;
}

/** What a Submission is for. */
export interface SealingBounty {
  readonly bountyId: bigint;
  readonly specCommitment: Hex;
  readonly submissionDeadline: bigint;
  readonly guardianRosterHash: Hex;
}

/** Seal bytes for the stack's roster; `change` replaces top-level fields of the envelope afterwards. */
export async function sealByHand(
  stack: LocalStack,
  bounty: SealingBounty,
  solver: Address,
  plaintext: Uint8Array,
  change: (envelope: Envelope) => Envelope = (envelope) => envelope,
): Promise<HandSealed> {
  const contentKey = crypto.getRandomValues(new Uint8Array(32));
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(ageIdentity(contentKey)));
  const ciphertext = await encrypter.encrypt(plaintext);
  const digest = sha256Hex(ciphertext);
  const { chainId, hubAddress, drand, accounts } = stack;
  const context = submissionContext({ ...bounty, chainId, hubAddress, solverAddress: solver });
  const network = { genesisSeconds: drand.genesis, periodSeconds: drand.period };
  const deadline = Number(bounty.submissionDeadline);
  const round = revealRound(deadline, network);
  const bag = await lock(stack, round, await wraps(accounts.guardians, context, digest, contentKey));
  const envelope = change({
    schema: 'submission-envelope/v0',
    context,
    bundle: {
      ciphertext_sha256: digest,
      ciphertext_byte_length: ciphertext.length,
      encryption: 'age-x25519',
    },
    recipients: {
      guardian_roster_hash: bounty.guardianRosterHash,
      recipients_commitment: recipientsCommitment(
        accounts.guardians.map(({ address, name, encryption_public_key }) => ({
          account: address,
          name,
          encryptionPublicKey: encryption_public_key,
        })),
      ),
    },
    reveal_policy: { type: 'drand-timelock', chain_hash: drand.chainHash, round, not_before: deadline },
    key_bag: { ciphertext: encodeBase64Url(bag), sha256: sha256Hex(bag) },
    storage: { locator: ciphertextLocator(digest) },
  });
  const envelopeBytes = canonicalBytes(envelope);
  return {
    ciphertext,
    contentKey,
    envelope,
    envelopeBytes,
    submissionCommitment: commitmentOf(envelopeBytes),
  };
}

async function wraps(
  guardians: readonly LocalGuardian[],
  context: Envelope['context'],
  digest: string,
  contentKey: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const entries = guardians.map(async ({ address, encryption_public_key }) => {
    const publicKey = decodeBase64Url(encryption_public_key) as Uint8Array<ArrayBuffer>;
    return {
      account: address,
      wrapped_key: await wrapKey(contentKey, publicKey, guardianBinding(context, digest, address)),
    };
  });
  return keyBagBytes(await Promise.all(entries));
}

/** The time-locked bag as a binary age file. */
async function lock({ drand }: LocalStack, round: number, bag: Uint8Array): Promise<Uint8Array> {
  const options = {
    disableBeaconVerification: false,
    noCache: true,
    chainVerificationParams: { chainHash: drand.chainHash, publicKey: drand.publicKey },
  };
  const chain = new HttpCachingChain(`${drand.url}/${drand.chainHash}`, options);
  const armored = await timelockEncrypt(round, Buffer.from(bag), new HttpChainClient(chain, options));
  return armor.decode(armored);
}
