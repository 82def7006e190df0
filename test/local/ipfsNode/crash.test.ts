// SIGKILL while the node writes: after a restart everything that was confirmed is there and whole, and the node works.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Hex } from 'viem';
import { openByteStore } from '../../../server/adapters/byteStore.ts';
import { commitmentOf } from '../../../server/protocol/commitment.ts';
import { described, gathered, pieces } from '../../adapters/byteStore/content.ts';

const MAIN = fileURLToPath(new URL('../../../server/local/ipfsNode/main.ts', import.meta.url));
const KILLS = 5;
const LONGEST_MS = 400;
const CIPHERTEXT_BYTES = 1_500_000;

describe('IPFS node, killed while it writes', () => {
  let folder: string;
  let child: ChildProcess | undefined;

  const start = async (): Promise<string> => {
    const started = spawn(process.execPath, ['--import', 'tsx', MAIN, '--data-dir', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const [line] = await once(started.stdout, 'data');
    return String(line).trim();
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    child = undefined;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ipfs-crash-'));
  });
  after(async () => {
    await end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('loses nothing that it confirmed', async () => {
    const documents: Hex[] = [];
    const envelopes: Hex[] = [];
    const ciphertexts: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const store = openByteStore(await start(), { silenceMs: 2_000 });
      let killed = false;
      const writing = (async () => {
        for (let count = 0; !killed; count += 1) {
          const bytes = new TextEncoder().encode(`document ${round}.${count}`);
          documents.push((await store.putDocument(bytes)).commitment);
          const envelope = new TextEncoder().encode(`envelope ${round}.${count}`);
          await store.putEnvelope('7', commitmentOf(envelope), envelope);
          envelopes.push(commitmentOf(envelope));
          if (count % 4 !== 0) continue;
          const seed = (round * 50 + count) % 251;
          const { locator, expected } = await described(CIPHERTEXT_BYTES, seed);
          await store.putCiphertext(locator, pieces(CIPHERTEXT_BYTES, seed), expected);
          ciphertexts.push(locator);
        }
      })().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_MS));
      await end('SIGKILL');
      killed = true;
      await writing;
    }

    const store = openByteStore(await start());
    await store.collectGarbage();
    expect(documents.length).to.be.greaterThan(0);
    for (const commitment of documents) expect((await store.getDocument(commitment)).state).to.equal('found');
    for (const commitment of envelopes)
      expect((await store.getEnvelope('7', commitment)).state).to.equal('found');
    for (const locator of ciphertexts) {
      expect((await gathered(store.readCiphertext(locator))).length).to.equal(CIPHERTEXT_BYTES);
    }
    for await (const { locator } of store.listCiphertexts()) {
      expect((await gathered(store.readCiphertext(locator))).length).to.equal(CIPHERTEXT_BYTES);
    }
    const left = (await readdir(folder, { recursive: true })).filter((name) => /\.tmp$|\.new$/.test(name));
    expect(left).to.deep.equal([]);
    await store.putDocument(new TextEncoder().encode('and on'));
  });
});
