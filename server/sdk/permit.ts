// An ERC-2612 permit that the API prepared, proven by the token itself through the user's own RPC before anybody signs it:
// it must be for exactly one escrow, one Hub and a short time.

import { type Address, type Client, type Hex, parseAbi, parseSignature } from 'viem';
import { readContract } from 'viem/actions';
import { canonicalJson } from '../protocol/canonicalJson.ts';
import type { SignedPermit } from '../protocol/hubCalls.ts';
import {
  type PermitDomain,
  type PermitMessage,
  permitDomainSeparator,
  permitTypedData,
  permitTypedDataJson,
} from '../protocol/permit.ts';
import type { PermitOffer } from './answers/prepared.ts';
import { hubErrorOf } from './hubError.ts';
import { contradictions } from './untrustedAnswer.ts';

/** What the permit must be for. */
export interface PermitPurpose {
  readonly chainId: number;
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
  readonly amount: bigint;
  /** The chain's clock, Unix seconds. */
  readonly now: number;
}

/** A permit that may be signed. */
export interface CheckedPermit {
  readonly domain: PermitDomain;
  readonly message: PermitMessage;
}

/** The longest time that a permit may be usable. */
const MAX_PERMIT_SECONDS = 86_400;

const tokenAbi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonces(address owner) view returns (uint256)',
]);

/** The permit of an offer, derived anew. @throws UntrustedAnswerError when it is for anything else, HubError */
export async function checkPermit(
  { typed_data: given }: PermitOffer,
  { chainId, token, owner, spender, amount, now }: PermitPurpose,
  client: Client,
): Promise<CheckedPermit> {
  const read = { address: token, abi: tokenAbi } as const;
  const [separator, nonce] = await Promise.all([
    readContract(client, { ...read, functionName: 'DOMAIN_SEPARATOR' }),
    readContract(client, { ...read, functionName: 'nonces', args: [owner] }),
  ]).catch((cause: unknown) => {
    throw hubErrorOf(cause);
  });
  const { name, version } = given.domain;
  const deadline = BigInt(given.message.deadline);
  const domain = { name, version, chainId, verifyingContract: token };
  const message = { owner, spender, value: amount, nonce, deadline };
  const check = contradictions('The API prepared a permit for something else.');
  const same = lowered(canonicalJson(given)) === lowered(canonicalJson(permitTypedDataJson(domain, message)));
  check.expect(same, 'permit', 'The permit must be for exactly this escrow, this Hub and the next nonce.');
  check.same("the token's domain separator", permitDomainSeparator(domain), separator);
  const lasts = deadline - BigInt(now);
  const inTime = lasts > 0n && lasts <= BigInt(MAX_PERMIT_SECONDS);
  check.expect(inTime, 'permit.deadline', 'The permit must end within a day from now.');
  check.done();
  return { domain, message };
}

/** What the owner signs. */
export function permitToSign({ domain, message }: CheckedPermit) {
  return permitTypedData(domain, message);
}

/** The permit as the Hub takes it. @throws When the signature is not one of a key: a contract wallet cannot permit */
export function signedPermit({ message }: CheckedPermit, signature: Hex): SignedPermit {
  const { r, s, yParity } = parseSignature(signature);
  return { deadline: message.deadline, v: 27 + yParity, r, s };
}

// Addresses may come in any case; names keep theirs, and the separator proves them.
function lowered(json: string): string {
  return json.replace(/"0x[0-9a-fA-F]{40}"/g, (address) => address.toLowerCase());
}
