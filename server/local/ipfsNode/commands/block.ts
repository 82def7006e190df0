// block/put, get, stat, rm: single blocks, of any codec, under sha2-256 or keccak-256.

import * as dagCbor from '@ipld/dag-cbor';
import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import { keyOf } from '../blocks.ts';
import type { Call, Commands } from '../command.ts';
import { linksOf, walk } from '../dag.ts';
import { multihashOf } from '../multihash.ts';
import { heldBlocks } from '../repo.ts';
import { resolveCid } from '../resolve.ts';
import { RpcError } from '../rpcError.ts';

/** Larger blocks are refused by other nodes (bitswap); Kubo's own limit. */
const MAX_BLOCK_BYTES = 2 * 1024 * 1024;
const RAW = 0x55;
const CODECS: Readonly<Record<string, number>> = { raw: RAW, 'dag-pb': dagPb.code, 'dag-cbor': dagCbor.code };

/** The commands of this group. */
export const blockCommands: Commands = {
  async 'block/put'(call) {
    const { repo } = call;
    const lines: { Key: string; Size: number }[] = [];
    const pin = call.flag('pin', false);
    await repo.gate.shared(async () => {
      for await (const { content } of call.parts()) {
        const bytes = await limited(content, call.flag('allow-big-block', false));
        const cid = cidFor(call, bytes);
        if (pin) {
          // A pin is a promise about everything below: refuse it before anything is stored.
          for await (const _ of walk(repo.blocks, linksOf(cid, bytes)));
        }
        await repo.blocks.put(cid, bytes);
        if (pin) await repo.pins.add(cid, 'recursive');
        lines.push({ Key: cid.toString(), Size: bytes.length });
      }
    });
    if (lines.length === 0) throw new RpcError('file argument "data" is required', { status: 400 });
    return { lines };
  },

  async 'block/get'(call) {
    const bytes = await call.repo.blocks.read(await resolveCid(call.repo.blocks, call.arg('cid')));
    return { stream: one(bytes), byteLength: bytes.length };
  },

  async 'block/stat'(call) {
    const cid = await resolveCid(call.repo.blocks, call.arg('cid'));
    return { json: { Key: cid.toString(), Size: (await call.repo.blocks.read(cid)).length } };
  },

  async 'block/rm'(call) {
    const { repo } = call;
    call.arg('cid');
    const force = call.flag('force', false);
    const lines = await repo.gate.exclusive(async () => {
      const pinned = await heldBlocks(repo);
      const removed: { Hash: string; Error?: string }[] = [];
      for (const text of call.args) {
        const cid = await resolveCid(repo.blocks, text);
        const Hash = cid.toString();
        if (pinned.has(keyOf(cid))) removed.push({ Hash, Error: 'pinned: recursive' });
        else if (!force && !(await repo.blocks.has(cid))) {
          removed.push({ Hash, Error: `ipld: could not find ${cid}` });
        } else {
          await repo.blocks.remove(cid);
          removed.push({ Hash });
        }
      }
      return removed;
    });
    return { lines: call.flag('quiet', false) ? lines.filter((line) => line.Error !== undefined) : lines };
  },
};

function cidFor(call: Call, bytes: Uint8Array): CID {
  const multihash = multihashOf(bytes, call.text('mhtype') ?? 'sha2-256');
  const format = call.text('format');
  if (format === 'v0') return CID.create(0, dagPb.code, multihash);
  const name =
    (format === 'protobuf' ? 'dag-pb' : format === 'cbor' ? 'dag-cbor' : format) ??
    call.text('cid-codec') ??
    'raw';
  const codec = Object.hasOwn(CODECS, name) ? CODECS[name] : undefined;
  if (codec === undefined) throw new RpcError(`unrecognized codec: ${name}`);
  return CID.createV1(codec, multihash);
}

async function limited(content: AsyncIterable<Uint8Array>, big: boolean): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > MAX_BLOCK_BYTES && !big) {
      throw new RpcError(
        "produced block is over 2MiB: big blocks can't be exchanged with other peers. consider using UnixFS for automatic chunking of bigger files, or pass --allow-big-block to override",
      );
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
