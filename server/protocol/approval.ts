// What a wallet signs for one request: the typed data `ApiRequestApproval` (specification section 5, EIP-712).
// Client and server derive every field here, so that both get the same digest. Must never parse the body.
import type { Address, Hex } from 'viem';
import { canonicalQuery, splitTarget } from './canonicalQuery.ts';
import { commitmentOf } from './commitment.ts';

/** `name` of the typed-data domain. */
export const APPROVAL_DOMAIN_NAME = 'Service';

/** `version` of the typed-data domain (specification section 9). */
export const APPROVAL_DOMAIN_VERSION = '1';

/** The EIP-712 types of an approval, in the specification's order. */
export const APPROVAL_TYPES = {
  ApiRequestApproval: [
    { name: 'endpointId', type: 'string' },
    { name: 'audience', type: 'string' },
    { name: 'bodyHash', type: 'bytes32' },
    { name: 'query', type: 'string' },
    { name: 'blockNumber', type: 'uint256' },
    { name: 'blockHash', type: 'bytes32' },
  ],
} as const;

/** The deployment that an approval is bound to. */
export interface ApprovalDeployment {
  readonly chainId: number;
  readonly hubAddress: Address;
}

/** A recent block of the deployment's chain, which stands in for a nonce. */
export interface ApprovalBlock {
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
}

/** The parts of an HTTP request that are signed: exactly as sent, the target with its query, the host with its port. */
export interface ApprovalRequest {
  readonly method: string;
  readonly rawTarget: string;
  readonly host: string;
  /** The exact bytes, empty when there is no body; or their keccak256 where that is known already. */
  readonly body: Uint8Array | { readonly bodyHash: Hex };
}

/** The signed struct (specification section 5). */
export interface ApprovalMessage extends ApprovalBlock {
  readonly endpointId: string;
  readonly audience: string;
  readonly bodyHash: Hex;
  readonly query: string;
}

/** The typed-data domain of a deployment (specification section 5). */
export function approvalDomain({ chainId, hubAddress }: ApprovalDeployment) {
  return {
    name: APPROVAL_DOMAIN_NAME,
    version: APPROVAL_DOMAIN_VERSION,
    chainId,
    verifyingContract: hubAddress,
  } as const;
}

/** The six signed fields of a request at a block (specification section 5). */
export function approvalMessage(request: ApprovalRequest, block: ApprovalBlock): ApprovalMessage {
  const { pathname, rawQuery } = splitTarget(request.rawTarget);
  const { body } = request;
  return {
    endpointId: `${request.method.toUpperCase()} ${pathname}`,
    audience: request.host.toLowerCase(),
    bodyHash: body instanceof Uint8Array ? commitmentOf(body) : body.bodyHash,
    query: canonicalQuery(rawQuery),
    blockNumber: block.blockNumber,
    blockHash: block.blockHash,
  };
}

/** The whole typed data, as `eth_signTypedData_v4` and viem's `signTypedData` take it (EIP-712). */
export function approvalTypedData(deployment: ApprovalDeployment, message: ApprovalMessage) {
  return {
    domain: approvalDomain(deployment),
    types: APPROVAL_TYPES,
    primaryType: 'ApiRequestApproval',
    message,
  } as const;
}
