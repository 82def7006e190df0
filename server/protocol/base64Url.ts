// base64url without padding (RFC 4648 section 5): how JSON of this service carries binary.
// Must never accept two spellings of the same bytes.
import { base64url } from 'multiformats/bases/base64';

/** The bytes in base64url without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return base64url.baseEncode(bytes);
}

/** The bytes of base64url text, or undefined when it is padded, has other characters or unused bits that are set. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.from(base64url.baseDecode(text));
    return base64url.baseEncode(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
