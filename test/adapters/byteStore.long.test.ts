// What takes long: the server's memory under eight uploads at once, and DAGs of more than one level of links. The node
// runs as a process of its own, so that only the store's memory is measured.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import { openByteStore } from '../../server/adapters/byteStore.ts';
import { described, pieces } from './byteStore/content.ts';
import { DAG_ROOTS, LONG_BYTES } from './byteStore/dagRoots.ts';

const MAIN = fileURLToPath(new URL('../../server/local/ipfsNode/main.ts', import.meta.url));
const MIB = 1024 * 1024;
const UPLOADS = 8;
const WARM_UP_SEEDS = [101, 102, 103];
const UPLOAD_BYTES = 50 * MIB;
const GROWTH_LIMIT_BYTES = 64 * MIB;

describe('byte store under load', () => {
  let url: string;
  let stop: () => Promise<void>;

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ipfs-node-'));
    const child = spawn(process.execPath, ['--import', 'tsx', MAIN, '--data-dir', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    stop = async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    };
    url = String((await once(child.stdout, 'data'))[0]).trim();
  });
  after(() => stop());

  it('takes eight ciphertexts of 50 MiB at once, and gives them back, in flat memory', async () => {
    const store = openByteStore(url);
    const seeds = Array.from({ length: UPLOADS }, (_, index) => index);
    const packages = await Promise.all(seeds.map((seed) => described(UPLOAD_BYTES, seed)));
    // What the first streams allocate stays: the growth that counts is that of a process which has worked before.
    for (const seed of WARM_UP_SEEDS) {
      const { locator, expected } = await described(UPLOAD_BYTES, seed);
      await store.putCiphertext(locator, pieces(UPLOAD_BYTES, seed), expected);
      for await (const chunk of store.readCiphertext(locator)) expect(chunk.length).to.be.greaterThan(0);
    }
    const before = process.memoryUsage.rss();
    let highest = before;
    const timer = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage.rss());
    }, 10);
    await Promise.all(
      packages.map(({ locator, expected }, seed) =>
        store.putCiphertext(locator, pieces(UPLOAD_BYTES, seed), expected),
      ),
    );
    const lengths = await Promise.all(
      packages.map(async ({ locator }) => {
        let length = 0;
        for await (const chunk of store.readCiphertext(locator)) length += chunk.length;
        return length;
      }),
    );
    clearInterval(timer);
    expect(lengths).to.deep.equal(seeds.map(() => UPLOAD_BYTES));
    expect(highest - before).to.be.lessThan(GROWTH_LIMIT_BYTES);
  });

  for (const { byte_length, options, root } of DAG_ROOTS.filter((entry) => entry.byte_length > LONG_BYTES)) {
    it(`gives ${byte_length} bytes the root that Kubo gives them`, async () => {
      const { cid } = await create({ url }).add(pieces(byte_length), { ...options, pin: false });
      expect(cid.toString()).to.equal(root);
    });
  }
});
