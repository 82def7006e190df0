// Whether bytes are UTF-8 (RFC 3629) without NUL, which the store cannot hold: anything else must not reach it.

import { Bytes } from '@graphprotocol/graph-ts';

export function isPlainUtf8(bytes: Bytes): boolean {
  let i = 0;
  while (i < bytes.length) {
    const lead = <u32>bytes[i];
    if (lead == 0) return false;
    const more: i32 =
      lead < 0x80 ? 0 : lead < 0xc2 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : -1;
    if (more < 0 || i + more >= bytes.length) return false;
    for (let k = 1; k <= more; k++) {
      const next = <u32>bytes[i + k];
      let low: u32 = 0x80;
      let high: u32 = 0xbf;
      if (k == 1) {
        if (lead == 0xe0) low = 0xa0;
        if (lead == 0xed) high = 0x9f;
        if (lead == 0xf0) low = 0x90;
        if (lead == 0xf4) high = 0x8f;
      }
      if (next < low || next > high) return false;
    }
    i += more + 1;
  }
  return true;
}
