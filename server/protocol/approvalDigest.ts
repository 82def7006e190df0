// The EIP-712 digest of an approval, on the path of every signed request: type hash and domain separator are
// computed once. Must always equal a general EIP-712 library over approvalTypedData (test/vectors/approval.json).
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { domainSeparator, type Hex } from 'viem';
import { APPROVAL_TYPES, type ApprovalDeployment, type ApprovalMessage, approvalDomain } from './approval.ts';

const WORD_BYTES = 32;
const MEMBERS = APPROVAL_TYPES.ApiRequestApproval.map(({ name, type }) => `${type} ${name}`).join(',');
const TYPE_HASH = keccak_256(utf8ToBytes(`ApiRequestApproval(${MEMBERS})`));
const PREFIX = Uint8Array.of(0x19, 0x01);

/**
 * A function from message to digest for one deployment (EIP-712 `hashTypedData`). The function throws a RangeError
 * when a hash is not 32 bytes or the block number does not fit a uint256.
 */
export function approvalDigester(deployment: ApprovalDeployment): (message: ApprovalMessage) => Hex {
  const separator = hexToBytes(domainSeparator({ domain: approvalDomain(deployment) }).slice(2));
  return (message) => {
    const structHash = keccak_256(
      concatBytes(
        TYPE_HASH,
        keccak_256(utf8ToBytes(message.endpointId)),
        keccak_256(utf8ToBytes(message.audience)),
        word(message.bodyHash.slice(2)),
        keccak_256(utf8ToBytes(message.query)),
        word(message.blockNumber.toString(16).padStart(2 * WORD_BYTES, '0')),
        word(message.blockHash.slice(2)),
      ),
    );
    return `0x${bytesToHex(keccak_256(concatBytes(PREFIX, separator, structHash)))}`;
  };
}

function word(hex: string): Uint8Array {
  if (hex.length !== 2 * WORD_BYTES) throw new RangeError('A word of 32 bytes is expected.');
  return hexToBytes(hex);
}
