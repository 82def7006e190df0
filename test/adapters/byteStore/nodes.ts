// The IPFS nodes that the contract of the byte store is tried on: the embedded one always, a real Kubo where `ipfs` is
// on the PATH. Each starts on an empty folder of its own, listens on loopback alone and joins no network.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base32upper } from 'multiformats/bases/base32';
import type { CID } from 'multiformats/cid';
import { freePort } from '../../../server/local/freePort.ts';
import { startIpfsNode } from '../../../server/local/ipfsNode/startIpfsNode.ts';

/** A running node under test. */
export interface NodeUnderTest {
  readonly url: string;
  /** Replaces a block's bytes on disk behind the node's back. */
  corrupt(cid: CID, bytes: Uint8Array): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** A kind of node; `missing` says why it cannot be tried here. */
export interface NodeKind {
  readonly name: string;
  readonly missing?: string;
  /** True for Kubo: it takes a chunked body without its closing boundary for whole. */
  readonly takesOpenEnds?: boolean;
  start(): Promise<NodeUnderTest>;
}

/** Every kind. */
export const NODE_KINDS: readonly NodeKind[] = [
  { name: 'the embedded node', start: startEmbedded },
  {
    name: 'Kubo',
    start: startKubo,
    takesOpenEnds: true,
    ...(hasKubo() ? {} : { missing: 'no `ipfs` on the PATH' }),
  },
];

async function startEmbedded(): Promise<NodeUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'ipfs-node-'));
  const node = await startIpfsNode({ dataDir: folder });
  return {
    url: node.url,
    corrupt: (cid, bytes) => corruptBlock(folder, cid, bytes),
    async stop() {
      await node.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startKubo(): Promise<NodeUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'kubo-'));
  const env = { PATH: process.env.PATH, HOME: folder, IPFS_PATH: folder, IPFS_TELEMETRY: 'off' };
  const run = (...args: string[]): void => {
    execFileSync('ipfs', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const port = await freePort();
  run('init', '--empty-repo');
  run('config', 'Addresses.API', `/ip4/127.0.0.1/tcp/${port}`);
  run('config', '--json', 'Addresses.Gateway', '[]');
  run('config', '--json', 'Addresses.Swarm', '[]');
  run('config', '--json', 'Bootstrap', '[]');
  const daemon = spawn('ipfs', ['daemon', '--offline'], { env, stdio: 'ignore' });
  const ended = once(daemon, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    daemon.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const up = await fetch(`${url}/api/v0/version`, { method: 'POST' }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return { url, corrupt: (cid, bytes) => corruptBlock(folder, cid, bytes), stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error('Kubo did not answer within 10 s');
}

/** Both nodes name a block's file by its multihash in upper-case base32. */
async function corruptBlock(folder: string, cid: CID, bytes: Uint8Array): Promise<void> {
  const name = base32upper.encode(cid.multihash.bytes).slice(1);
  const blocks = join(folder, 'blocks');
  const files = (await readdir(blocks, { recursive: true })).filter((file) => file.includes(`${name}.data`));
  if (files.length !== 1) throw new Error(`${files.length} files hold the block ${cid}`);
  await writeFile(join(blocks, files[0] ?? ''), bytes);
}

function hasKubo(): boolean {
  try {
    execFileSync('ipfs', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
