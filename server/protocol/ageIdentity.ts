// The content key of a Submission as an age identity (age-encryption.org/v1): its 32 bytes are the X25519 secret.
// Must never print or keep a key.

import { bech32 } from '@scure/base';
import { Decrypter } from 'age-encryption';

const IDENTITY_PREFIX = 'age-secret-key-';
const IDENTITY_CHARACTERS = 90;
const CONTENT_KEY_BYTES = 32;

/** `AGE-SECRET-KEY-1…` of a 32-byte content key. Throws a RangeError when the length differs. */
export function ageIdentity(contentKey: Uint8Array): string {
  if (contentKey.length !== CONTENT_KEY_BYTES) throw new RangeError('A content key has 32 bytes.');
  return bech32.encode(IDENTITY_PREFIX, bech32.toWords(contentKey), IDENTITY_CHARACTERS).toUpperCase();
}

/** The 32-byte content key of an identity, or undefined when the text is none. */
export function contentKeyOf(identity: string): Uint8Array | undefined {
  try {
    const { prefix, words } = bech32.decode(
      identity.toLowerCase() as `${string}1${string}`,
      IDENTITY_CHARACTERS,
    );
    const key = bech32.fromWords(words);
    return prefix === IDENTITY_PREFIX && key.length === CONTENT_KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a content key opens an age file, decided by the file's header alone. Never throws.
 *
 * @param head The file's first bytes, the whole header among them
 */
export async function opensAgeFile(contentKey: Uint8Array, head: Uint8Array): Promise<boolean> {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(ageIdentity(contentKey));
    const fileKey = await decrypter.decryptHeader(headerOf(head));
    fileKey.fill(0);
    return true;
  } catch {
    return false;
  }
}

/** The textual header, its MAC line included; empty when it does not end within these bytes. */
function headerOf(head: Uint8Array): Uint8Array {
  const text = Array.from(head, (byte) => String.fromCharCode(byte)).join('');
  const mac = text.indexOf('\n--- ');
  return head.subarray(0, mac < 0 ? 0 : text.indexOf('\n', mac + 1) + 1);
}
