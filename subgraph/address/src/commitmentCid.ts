// The CID of a public document, computed from its commitment alone (multiformats: CID version 1, codec raw, multihash
// keccak-256, base32 in lower case). Both subgraphs derive it here, as the service does in server/protocol/address.ts.
// Must never ask anybody: no table from commitment to CID exists.

import { Bytes } from '@graphprotocol/graph-ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
// CID version 1, codec raw, multihash keccak-256, 32 bytes of digest.
const PREFIX: u8[] = [0x01, 0x55, 0x1b, 0x20];

/** @example 0x8a88…c0c1 -> "bafkrwiekrcdoc3eiat7d5zyhbf5tipzqhaoubgeufv2iqbm3p4udwvgaye" */
export function commitmentCid(commitment: Bytes): string {
  let text = 'b';
  let buffer: u32 = 0;
  let bits = 0;
  const length = PREFIX.length + commitment.length;
  for (let i = 0; i < length; i++) {
    const byte: u8 = i < PREFIX.length ? PREFIX[i] : commitment[i - PREFIX.length];
    buffer = (buffer << 8) | <u32>byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt(<i32>((buffer >> <u32>bits) & 31));
    }
    buffer &= ((<u32>1) << (<u32>bits)) - 1;
  }
  if (bits > 0) text += ALPHABET.charAt(<i32>((buffer << (<u32>(5 - bits))) & 31));
  return text;
}
