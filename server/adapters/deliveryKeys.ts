// The deployment's delivery keys: the current one, and earlier ones that still open what was wrapped to them. Private
// keys live here alone; nothing outside ever sees one.

import { encodeBase64Url } from '../protocol/base64Url.ts';
import { type DeliveryPlace, deliveryBinding, openKey } from '../protocol/keyWrap.ts';
import { keyId, x25519PublicKey } from '../protocol/x25519KeyPair.ts';

/** The delivery keys. */
export interface DeliveryKeys {
  /** What new wraps are made to; the public key in base64url. */
  readonly current: { readonly keyId: string; readonly publicKey: string };
  /** The ids of all keys that open wraps, the current one first. */
  readonly keyIds: readonly string[];
  /**
   * The content key of a wrap, or undefined when it does not open with the key that it names. The caller zeroes it after
   * use.
   */
  open(wrappedKey: string, place: DeliveryPlace): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** @param privateKey,previousKeys 32-byte X25519 private keys */
export function deliveryKeys(privateKey: Uint8Array, previousKeys: readonly Uint8Array[]): DeliveryKeys {
  const keys = new Map(
    [privateKey, ...previousKeys].map((secret) => [keyId(x25519PublicKey(secret)), Uint8Array.from(secret)]),
  );
  const publicKey = x25519PublicKey(privateKey);
  return {
    current: { keyId: keyId(publicKey), publicKey: encodeBase64Url(publicKey) },
    keyIds: [...keys.keys()],
    async open(wrappedKey, place) {
      const secret = keys.get(place.keyId);
      return secret && openKey(wrappedKey, secret, deliveryBinding(place));
    },
  };
}
