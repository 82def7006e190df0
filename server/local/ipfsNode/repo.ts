// Everything that the node keeps in its data folder: blocks, pins, the MFS root and its name in the network.

import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { base58btc } from 'multiformats/bases/base58';
import type { CID } from 'multiformats/cid';
import { createGate, type Gate } from '../../adapters/byteStore/gate.ts';
import { type Blocks, keyOf, openBlocks } from './blocks.ts';
import { named } from './dag.ts';
import { writeDurably } from './durableFile.ts';
import { type Mfs, openMfs } from './mfs.ts';
import { openPins, type Pins } from './pins.ts';

/** An open repository. */
export interface Repo {
  readonly folder: string;
  readonly peerId: string;
  readonly blocks: Blocks;
  readonly pins: Pins;
  readonly mfs: Mfs;
  /** Held shared by whoever stores blocks, exclusively by garbage collection. */
  readonly gate: Gate;
}

/** Opens the repository in a folder, which is created when missing. */
export async function openRepo(folder: string): Promise<Repo> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const blocks = await openBlocks(join(folder, 'blocks'));
  const [pins, mfs, peerId] = await Promise.all([
    openPins(join(folder, 'pins')),
    openMfs(blocks, join(folder, 'mfs-root')),
    openPeerId(join(folder, 'peer-id')),
  ]);
  return { folder, peerId, blocks, pins, mfs, gate: createGate() };
}

/** The blocks that the pins hold, by {@link keyOf}, and those under `roots`; throws when one cannot be followed. */
export async function heldBlocks({ blocks, pins }: Repo, roots: readonly CID[] = []): Promise<Set<string>> {
  const recursive = pins.entries().filter(({ mode }) => mode === 'recursive');
  const held = await named(blocks, [...roots, ...recursive.map(({ cid }) => cid)]);
  for (const { cid, mode } of pins.entries()) if (mode === 'direct') held.add(keyOf(cid));
  return held;
}

/** A peer id of the form that clients parse: base58btc of the identity multihash of an Ed25519 key. */
async function openPeerId(file: string): Promise<string> {
  const held = await readFile(file, 'utf8').catch(() => undefined);
  if (held) return held.trim();
  const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const bytes = Uint8Array.from([
    0x00,
    0x24,
    0x08,
    0x01,
    0x12,
    0x20,
    ...Buffer.from(key.x ?? '', 'base64url'),
  ]);
  const peerId = base58btc.encode(bytes).slice(1);
  await writeDurably(file, `${peerId}\n`);
  return peerId;
}
