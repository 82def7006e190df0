// pin/add, rm, ls.

import type { CID } from 'multiformats/cid';
import { keyOf } from '../blocks.ts';
import type { Commands } from '../command.ts';
import { walk } from '../dag.ts';
import type { Repo } from '../repo.ts';
import { resolveCid } from '../resolve.ts';
import { RpcError } from '../rpcError.ts';

/** The commands of this group. */
export const pinCommands: Commands = {
  async 'pin/add'(call) {
    const { repo } = call;
    call.arg('ipfs-path');
    const recursive = call.flag('recursive', true);
    const Pins = await repo.gate.shared(async () => {
      const pinned: string[] = [];
      for (const path of call.args) {
        const cid = await resolveCid(repo.blocks, path);
        if (recursive) for await (const _ of walk(repo.blocks, [cid]));
        else await repo.blocks.read(cid);
        await repo.pins.add(cid, recursive ? 'recursive' : 'direct');
        pinned.push(cid.toString());
      }
      return pinned;
    });
    return { json: { Pins } };
  },

  async 'pin/rm'(call) {
    const { repo } = call;
    call.arg('ipfs-path');
    const Pins: string[] = [];
    for (const path of call.args) {
      const cid = await resolveCid(repo.blocks, path);
      if (repo.pins.mode(cid) === undefined) throw new RpcError('not pinned or pinned indirectly');
      await repo.pins.remove(cid);
      Pins.push(cid.toString());
    }
    return { json: { Pins } };
  },

  async 'pin/ls'(call) {
    const { repo } = call;
    const type = call.text('type') ?? 'all';
    if (!['all', 'direct', 'recursive', 'indirect'].includes(type)) {
      throw new RpcError(`invalid type '${type}', must be one of {direct, indirect, recursive, all}`);
    }
    const listed: { Cid: string; Type: string; Name: string }[] = [];
    if (call.args.length > 0) {
      for (const path of call.args) {
        const cid = await resolveCid(repo.blocks, path);
        const found = repo.pins.mode(cid) ?? (await indirectly(repo, cid));
        if (found === undefined || (type !== 'all' && type !== found)) {
          throw new RpcError(`path '${path}' is not pinned`);
        }
        listed.push({ Cid: cid.toString(), Type: found, Name: '' });
      }
    } else {
      for (const { cid, mode } of repo.pins.entries()) {
        if (type === 'all' || type === mode) listed.push({ Cid: cid.toString(), Type: mode, Name: '' });
      }
      if (type === 'all' || type === 'indirect') {
        for await (const cid of below(repo)) listed.push({ Cid: cid.toString(), Type: 'indirect', Name: '' });
      }
    }
    if (call.flag('stream', false)) {
      return { lines: listed.map(({ Cid, Type }) => ({ Cid, Type })) };
    }
    return { json: { Keys: Object.fromEntries(listed.map(({ Cid, Type, Name }) => [Cid, { Type, Name }])) } };
  },
};

async function indirectly(repo: Repo, wanted: CID): Promise<'indirect' | undefined> {
  for await (const cid of below(repo)) if (keyOf(cid) === keyOf(wanted)) return 'indirect';
  return undefined;
}

/** What recursive pins keep besides their roots. */
async function* below({ blocks, pins }: Repo): AsyncGenerator<CID> {
  const roots = pins.entries().filter(({ mode }) => mode === 'recursive');
  for await (const { cid } of walk(
    blocks,
    roots.map(({ cid }) => cid),
  )) {
    if (pins.mode(cid) !== 'recursive') yield cid;
  }
}
