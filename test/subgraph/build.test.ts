// What is committed of the subgraphs is what their sources say, and no build listens to a Hub that nobody named.

import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { buildSubgraphs, generatedTypes } from '../../subgraph/build.ts';
import { networkSource } from '../../subgraph/networkSource.ts';

const HUB = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

/** The message of a rejection; fails when there is none. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => expect.fail('It was not refused'),
    (error: Error) => error.message,
  );
}

const networks = (address: unknown, startBlock: unknown = 0): string =>
  JSON.stringify({ base: { Hub: { address, startBlock } } });

describe('building the subgraphs', () => {
  for (const name of ['hub', 'documents'] as const) {
    it(`finds the committed types of ${name} up to date`, async function () {
      this.timeout(30_000);
      const folder = join('subgraph', name, 'generated');
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const committed = new Map<string, string>();
      for (const file of files.sort()) committed.set(relative(folder, file), await readFile(file, 'utf8'));
      const fresh = await generatedTypes(name);
      expect([...committed.keys()], 'run npm run subgraphs').to.deep.equal([...fresh.keys()]);
      for (const [path, text] of fresh) expect(committed.get(path) === text, path).to.equal(true);
    });

    it(`has the local Hub in the committed manifest of ${name}, and prunes nothing`, async () => {
      const manifest = parse(await readFile(`subgraph/${name}/subgraph.yaml`, 'utf8'));
      const local = await networkSource('local');
      expect(manifest.indexerHints).to.deep.equal({ prune: 'never' });
      for (const { network, source } of manifest.dataSources) {
        expect({ network, address: source.address, startBlock: source.startBlock }).to.deep.equal(local);
      }
    });
  }

  it('builds nothing again when nothing changed', async function () {
    this.timeout(60_000);
    await buildSubgraphs();
    const began = performance.now();
    const { hub, documents } = await buildSubgraphs();
    expect(performance.now() - began).to.be.lessThan(1_000);
    for (const { dir, manifest } of [hub, documents]) {
      const { dataSources } = parse(await readFile(manifest, 'utf8'));
      const wasm = await readFile(join(dir, dataSources[0].mapping.file));
      expect(WebAssembly.validate(wasm)).to.equal(true);
    }
  });

  it('refuses networks whose Hub nobody has filled in', async () => {
    for (const network of ['base', 'base-sepolia']) {
      expect(await refusal(buildSubgraphs({ network }))).to.match(
        new RegExp(`no Hub for ${network}: fill in`),
      );
    }
    const nobody = '0x0000000000000000000000000000000000000000';
    for (const address of [nobody, '', undefined, 7, HUB.slice(0, -1), HUB.replace('F', 'f')]) {
      expect(await refusal(networkSource('base', networks(address)))).to.match(/no Hub for base/);
    }
    for (const startBlock of [-1, 1.5, '0', {}, null]) {
      expect(await refusal(networkSource('base', networks(HUB, startBlock)))).to.match(/startBlock/);
    }
    expect(await refusal(networkSource('mainnet'))).to.match(/no network mainnet/);
    expect(await refusal(networkSource('constructor'))).to.match(/no network constructor/);
  });

  it('takes a network that is filled in, its address in any case', async () => {
    const source = { network: 'base', address: HUB, startBlock: 12 };
    expect(await networkSource('base', networks(HUB.toLowerCase(), 12))).to.deep.equal(source);
  });
});
