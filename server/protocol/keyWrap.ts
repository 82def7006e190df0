// Key wraps: the 32-byte content key of a Submission, sealed with HPKE to a Guardian, to the deployment, or to the
// Poster (specification sections 1 and 4, delivery). Purpose and context are authenticated, so that no wrap serves
// elsewhere. `wrapped_key` is base64url(enc || ct). Must never return, log or keep a key beyond what is asked for.
import type { Address, Hex } from 'viem';
import { decodeBase64Url, encodeBase64Url } from './base64Url.ts';
import { canonicalBytes } from './canonicalJson.ts';
import { HPKE_ENC_BYTES, HPKE_TAG_BYTES, type HpkeBinding, hpkeOpen, hpkeSeal } from './hpke.ts';
import type { SubmissionContext } from './submissionContext.ts';

/** Length of a content key in bytes: the secret of an age X25519 identity. */
export const CONTENT_KEY_BYTES = 32;

/** Length of a wrap in bytes, before base64url. */
export const WRAPPED_KEY_BYTES = HPKE_ENC_BYTES + CONTENT_KEY_BYTES + HPKE_TAG_BYTES;

/** What a delivery wrap is bound to: Submission and delivery key. */
export interface DeliveryPlace {
  readonly context: SubmissionContext;
  readonly submissionCommitment: Hex;
  readonly keyId: string;
}

/** Binds a wrap to one Guardian of one Submission's key bag. */
export function guardianBinding(
  context: SubmissionContext,
  ciphertextSha256: string,
  account: Address,
): HpkeBinding {
  return binding('guardian', {
    context,
    ciphertext_sha256: ciphertextSha256,
    account: account.toLowerCase(),
  });
}

/** Binds a wrap to the deployment's delivery key and one Submission. */
export function deliveryBinding({ context, submissionCommitment, keyId }: DeliveryPlace): HpkeBinding {
  return binding('delivery', {
    context,
    submission_commitment: submissionCommitment.toLowerCase(),
    key_id: keyId,
  });
}

/** Binds a rewrap to the funding Poster and one Submission. */
export function posterBinding(place: DeliveryPlace, posterAddress: Address): HpkeBinding {
  return binding('poster', {
    context: place.context,
    submission_commitment: place.submissionCommitment.toLowerCase(),
    key_id: place.keyId,
    poster_address: posterAddress.toLowerCase(),
  });
}

/**
 * Wraps a content key to a public key. `ephemeralSeed` is for vectors alone. Throws a RangeError when a key has
 * another length than 32 bytes or the public key is of low order.
 */
export async function wrapKey(
  contentKey: Uint8Array<ArrayBuffer>,
  publicKey: Uint8Array<ArrayBuffer>,
  bound: HpkeBinding,
  ephemeralSeed?: Uint8Array<ArrayBuffer>,
): Promise<string> {
  if (contentKey.length !== CONTENT_KEY_BYTES) throw new RangeError('A content key has 32 bytes.');
  return encodeBase64Url(await hpkeSeal(publicKey, contentKey, bound, ephemeralSeed));
}

/** The content key of a wrap, or undefined when the wrap is malformed, made for another key, purpose or context. */
export async function openKey(
  wrappedKey: string,
  privateKey: Uint8Array<ArrayBuffer>,
  bound: HpkeBinding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const message = decodeBase64Url(wrappedKey);
  return message?.length === WRAPPED_KEY_BYTES ? hpkeOpen(privateKey, message, bound) : undefined;
}

function binding(purpose: 'guardian' | 'delivery' | 'poster', authenticated: object): HpkeBinding {
  return {
    info: Uint8Array.from(new TextEncoder().encode(`bounty-settlement/v1/${purpose}`)),
    aad: canonicalBytes(authenticated),
  };
}
