// Reading and writing EVM account addresses (EIP-55). Compared by value: lower case inside, EIP-55 in answers.
// Must never accept a mixed-case address whose checksum is wrong: a typing mistake would name another account.
import { type Address, checksumAddress as checksum } from 'viem';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Twenty zero bytes: no account. */
export const ZERO_ADDRESS: Address = '0x0000000000000000000000000000000000000000';

/**
 * The address in lower case, or undefined when the text is none: `0x` and 40 hex digits, all lower, all upper or
 * with a valid checksum (EIP-55).
 */
export function parseAddress(text: string): Address | undefined {
  if (!ADDRESS.test(text)) return undefined;
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  const oneCase = digits === lower || digits === digits.toUpperCase();
  if (!oneCase && checksum(`0x${lower}`) !== text) return undefined;
  return `0x${lower}`;
}

/** The address in EIP-55 case, as answers print it. Throws a TypeError when the text is no address. */
export function checksumAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new TypeError('An EVM address is expected.');
  return checksum(address);
}
