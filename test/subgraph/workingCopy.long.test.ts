// A build for another network than the local one: its own Hub, and the committed manifest as it was.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { inWorkingCopy } from '../../subgraph/workingCopy.ts';

describe('a build for another network', () => {
  it('listens to that network’s Hub from its first block, and leaves the sources alone', async function () {
    this.timeout(60_000);
    const source = {
      network: 'base',
      address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      startBlock: 12_345,
    };
    const committed = await readFile('subgraph/documents/subgraph.yaml', 'utf8');
    await inWorkingCopy('documents', source, async (copy) => {
      await copy.generateTypes();
      await copy.compile();
      const manifest = parse(await readFile(join(copy.compiled, 'subgraph.yaml'), 'utf8'));
      expect(manifest.dataSources).to.have.length(1);
      expect(manifest.dataSources[0]).to.deep.include({
        network: 'base',
        source: { address: source.address, abi: 'Hub', startBlock: source.startBlock },
      });
      const wasm = await readFile(join(copy.compiled, manifest.dataSources[0].mapping.file));
      expect(WebAssembly.validate(wasm)).to.equal(true);
    });
    expect(await readFile('subgraph/documents/subgraph.yaml', 'utf8')).to.equal(committed);
  });
});
