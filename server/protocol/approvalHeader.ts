// The Authorization header of a signed request: `Service-Approval <base64(address~signature~blockNumber~blockHash)>`
// (specification section 5). Strict standard base64 (RFC 4648 section 4), scheme in any case (RFC 9110 section 11.1).
// Must never throw on what a stranger sends, and never read more than the largest allowed signature.
import type { Address, Hex } from 'viem';
import { parseAddress } from './accountAddress.ts';

/** The scheme of the Authorization header. */
export const APPROVAL_SCHEME = 'Service-Approval';

/** The longest signature that is read, in bytes: ERC-6492 wraps a factory call around the wallet's own signature. */
export const MAX_SIGNATURE_BYTES = 16 * 1024;

const MAX_UINT256 = 2n ** 256n - 1n;
const MAX_FIELD_CHARACTERS = 42 + (2 + 2 * MAX_SIGNATURE_BYTES) + 78 + 66;
const MAX_BASE64_CHARACTERS = Math.ceil((MAX_FIELD_CHARACTERS + 3) / 3) * 4;

const CREDENTIALS = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([A-Za-z0-9+/]+={0,2})$/;
const DECIMAL = /^(?:0|[1-9][0-9]{0,77})$/;
const HASH = /^0x[0-9a-fA-F]{64}$/;
const HEX_BYTES = /^0x(?:[0-9a-fA-F]{2})*$/;

/** What a header claims: who signed, with what, at which block. Address and block hash in lower case. */
export interface ApprovalClaim {
  readonly address: Address;
  readonly signature: Hex;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
}

/** The value of the Authorization header for a claim (specification section 5); the address is written as given. */
export function encodeApprovalHeader(claim: ApprovalClaim): string {
  const { address, signature, blockNumber, blockHash } = claim;
  return `${APPROVAL_SCHEME} ${btoa([address, signature, blockNumber, blockHash].join('~'))}`;
}

/** The claim of an Authorization header, or in one sentence what is wrong with it; never throws. */
export function decodeApprovalHeader(value: string): { claim: ApprovalClaim } | { problem: string } {
  if (value.length > APPROVAL_SCHEME.length + 1 + MAX_BASE64_CHARACTERS) {
    return { problem: `The approval is longer than a signature of ${MAX_SIGNATURE_BYTES} bytes needs.` };
  }
  const [, scheme, payload] = CREDENTIALS.exec(value) ?? [];
  if (scheme?.toLowerCase() !== APPROVAL_SCHEME.toLowerCase() || payload === undefined) {
    return { problem: `The Authorization header must be "${APPROVAL_SCHEME} <base64>".` };
  }
  const text = decodeStrictBase64(payload);
  if (text === undefined) return { problem: 'The payload must be standard base64 with padding.' };
  return readFields(text.split('~'));
}

function readFields(fields: readonly string[]): { claim: ApprovalClaim } | { problem: string } {
  const [addressText, signature, number, blockHash] = fields;
  if (fields.length !== 4 || addressText === undefined || signature === undefined) {
    return { problem: 'The payload must be address~signature~blockNumber~blockHash.' };
  }
  const address = parseAddress(addressText);
  if (address === undefined)
    return { problem: 'The address must be 0x and 40 hex digits with a valid checksum.' };
  if (!HEX_BYTES.test(signature) || signature.length > 2 + 2 * MAX_SIGNATURE_BYTES) {
    return { problem: `The signature must be 0x and whole bytes in hex, at most ${MAX_SIGNATURE_BYTES}.` };
  }
  if (number === undefined || !DECIMAL.test(number) || BigInt(number) > MAX_UINT256) {
    return { problem: 'The block number must be a decimal uint256 without leading zeros.' };
  }
  if (blockHash === undefined || !HASH.test(blockHash)) {
    return { problem: 'The block hash must be 0x and 64 hex digits.' };
  }
  return {
    claim: {
      address,
      signature: signature as Hex,
      blockNumber: BigInt(number),
      blockHash: blockHash.toLowerCase() as Hex,
    },
  };
}

/** The payload has passed CREDENTIALS: only its length and its unused bits can still be wrong. */
function decodeStrictBase64(payload: string): string | undefined {
  if (payload.length % 4 !== 0) return undefined;
  const text = atob(payload);
  // Unused bits must be zero: one text, one encoding.
  return btoa(text) === payload ? text : undefined;
}
