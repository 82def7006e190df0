// The same bytes and options get the same CID as in Kubo, whose answers are the golden vectors.

import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import { pieces } from '../../adapters/byteStore/content.ts';
import { DAG_ROOTS, LONG_BYTES } from '../../adapters/byteStore/dagRoots.ts';
import { NODE_KINDS, type NodeUnderTest } from '../../adapters/byteStore/nodes.ts';

for (const kind of NODE_KINDS) {
  describe(`DAG roots of ${kind.name}${kind.missing ? ` (skipped: ${kind.missing})` : ''}`, () => {
    let node: NodeUnderTest;
    before(async function () {
      if (kind.missing) return this.skip();
      node = await kind.start();
    });
    after(() => node?.stop());

    for (const { byte_length, options, root, cumulative_size } of DAG_ROOTS) {
      if (byte_length > LONG_BYTES) continue;
      it(`${byte_length} bytes with ${JSON.stringify(options)}`, async () => {
        const added = await create({ url: node.url }).add(pieces(byte_length), { ...options, pin: false });
        expect([added.cid.toString(), added.size]).to.deep.equal([root, cumulative_size]);
      });
    }
  });
}
