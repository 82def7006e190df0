// The ERC-2612 permit that lets a Poster fund a bounty in one transaction: the typed data that the wallet signs.
// It is for exactly one escrow and one Hub. Must never be sent to the API: the signature goes on chain only.
import { type Address, domainSeparator, type Hex, keccak256, toHex } from 'viem';

/** The EIP-712 types of a permit (ERC-2612). */
export const PERMIT_TYPES = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

/** `keccak256` of the struct's encoded type (EIP-712), as tokens that state it answer `PERMIT_TYPEHASH()`. */
export const PERMIT_TYPEHASH: Hex = keccak256(
  toHex(`Permit(${PERMIT_TYPES.Permit.map(({ type, name }) => `${type} ${name}`).join(',')})`),
);

/** The typed-data domain of a token, as the token itself states it. */
export interface PermitDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
}

/** What a permit allows; `value` in the token's smallest unit, `deadline` in Unix seconds. */
export interface PermitMessage {
  readonly owner: Address;
  readonly spender: Address;
  readonly value: bigint;
  readonly nonce: bigint;
  readonly deadline: bigint;
}

/** The typed data as viem's `signTypedData` takes it (ERC-2612, EIP-712). */
export function permitTypedData(domain: PermitDomain, message: PermitMessage) {
  return { domain, types: PERMIT_TYPES, primaryType: 'Permit', message } as const;
}

/** The typed data as JSON for `eth_signTypedData_v4`: the domain's type spelled out, integers as decimal strings. */
export function permitTypedDataJson(domain: PermitDomain, message: PermitMessage) {
  const { owner, spender, value, nonce, deadline } = message;
  return {
    domain,
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      ...PERMIT_TYPES,
    },
    primaryType: 'Permit',
    message: { owner, spender, value: String(value), nonce: String(nonce), deadline: String(deadline) },
  } as const;
}

/** What the token's `DOMAIN_SEPARATOR()` must answer if the domain is right (EIP-712). */
export function permitDomainSeparator(domain: PermitDomain): Hex {
  return domainSeparator({ domain });
}
