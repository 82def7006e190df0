/** Rosters for tests: sorted as the Hub wants them, with a name and a key for each account. */
import { type Address, encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';

/** The struct `IHub.Guardian`. */
export interface Guardian {
  readonly account: Address;
  readonly name: string;
  readonly encryptionPublicKey: string;
}

/** The canonical base64url text of a 32-byte key that is `number`. */
export function keyText(number: bigint): string {
  return Buffer.from(numberToHex(number, { size: 32 }).slice(2), 'hex').toString('base64url');
}

/** A roster of these accounts, in ascending order. */
export function guardiansOf(accounts: readonly Address[]): Guardian[] {
  return [...accounts]
    .sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
    .map((account, index) => ({
      account,
      name: `Guardian ${index}`,
      encryptionPublicKey: keyText(BigInt(account)),
    }));
}

/** `keccak256(abi.encode(guardians))`, computed here and not by the Hub. */
export function rosterHash(guardians: readonly Guardian[]): Hex {
  const publish = hubAbi.find((item) => item.type === 'function' && item.name === 'publishRoster');
  if (publish?.type !== 'function') throw new Error('the ABI has no publishRoster');
  return keccak256(encodeAbiParameters(publish.inputs, [guardians] as never));
}
