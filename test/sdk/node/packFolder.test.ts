// A folder there and back, and what is not packed.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { assert, asyncProperty, constantFrom, dictionary, string, uint8Array } from 'fast-check';
import { PackageError } from '../../../server/sdk/node/packageError.ts';
import { packFolder } from '../../../server/sdk/node/packFolder.ts';
import { unpackFolder } from '../../../server/sdk/node/unpackFolder.ts';
import { failureOf } from '../failureOf.ts';

describe('packing a folder', () => {
  let base: string;
  let count = 0;

  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'packing-'));
  });
  after(() => rm(base, { recursive: true, force: true }));

  const fresh = (): string => {
    count += 1;
    return join(base, String(count));
  };

  const folderOf = async (files: Record<string, Uint8Array | string>): Promise<string> => {
    const folder = fresh();
    await mkdir(folder);
    for (const [path, content] of Object.entries(files)) {
      const place = join(folder, path);
      await mkdir(dirname(place), { recursive: true });
      if (path.endsWith('/')) await mkdir(place, { recursive: true });
      else await writeFile(place, content);
    }
    return folder;
  };

  /** Every path of a folder with its content; folders are null. */
  const contentOf = async (folder: string): Promise<Record<string, string | null>> => {
    const found: Record<string, string | null> = {};
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const place = join(entry.parentPath, entry.name);
      found[place.slice(folder.length + 1)] = entry.isFile()
        ? (await readFile(place)).toString('base64')
        : null;
    }
    return found;
  };

  const thereAndBack = async (folder: string): Promise<string> => {
    const [archive, target] = [fresh(), fresh()];
    const packed = await packFolder(folder, archive);
    expect((await stat(archive)).size).to.equal(packed.packedBytes);
    const unpacked = await unpackFolder(createReadStream(archive), target);
    expect(unpacked).to.deep.equal(packed);
    return target;
  };

  const reasonOf = async (work: Promise<unknown>) => (await failureOf(work, PackageError)).reason;

  it('comes back byte for byte: empty files and folders, long and foreign names, executables', async () => {
    const folder = await folderOf({
      'README.md': '# A result\n',
      empty: '',
      'nothing here/': '',
      'données/ß 测量 🧪.csv': 'a,b\n',
      [`${'deep/'.repeat(40)}${'n'.repeat(200)}.bin`]: randomBytes(70_000),
      'run.sh': '#!/bin/sh\n',
    });
    await chmod(join(folder, 'run.sh'), 0o4755);
    const target = await thereAndBack(folder);
    expect(await contentOf(target)).to.deep.equal(await contentOf(folder));
    expect((await stat(join(target, 'run.sh'))).mode & 0o7777).to.equal(0o755);
    expect((await stat(join(target, 'README.md'))).mode & 0o7777).to.equal(0o644);
  });

  it('comes back whatever is in it', async function () {
    this.timeout(30_000);
    const name = string({
      unit: constantFrom('a', 'B', 'é', '测', '-', '.', ' '),
      minLength: 1,
      maxLength: 30,
    }).map((text) => `n${text}`);
    await assert(
      asyncProperty(
        dictionary(name, uint8Array({ maxLength: 2_000 }), { minKeys: 1, maxKeys: 5 }),
        async (files) => {
          const folded = new Set(Object.keys(files).map((path) => path.normalize('NFC').toLowerCase()));
          if (folded.size !== Object.keys(files).length) return;
          const folder = await folderOf(files);
          expect(await contentOf(await thereAndBack(folder))).to.deep.equal(await contentOf(folder));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('gives the same bytes for the same content, whoever packs it and when', async () => {
    const files = { 'b/c': 'one', a: 'two' };
    const archives = [fresh(), fresh()];
    for (const archive of archives) {
      await packFolder(await folderOf(files), archive);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const [first, second] = await Promise.all(archives.map((archive) => readFile(archive)));
    expect(first!.equals(second!)).to.equal(true);
  });

  it('can be opened with tar', async () => {
    const archive = fresh();
    await packFolder(await folderOf({ 'x/y.txt': 'y', z: 'z' }), archive);
    const listed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' });
    expect(listed.trim().split('\n')).to.deep.equal(['x/', 'x/y.txt', 'z']);
  });

  it('packs no links, pipes or sockets, and leaves no archive behind', async () => {
    const folder = await folderOf({ file: 'x' });
    for (const make of [
      () => symlink('/etc/passwd', join(folder, 'odd')),
      async () => void execFileSync('mkfifo', [join(folder, 'odd')]),
    ]) {
      await make();
      const archive = fresh();
      const failed = await failureOf(packFolder(folder, archive), PackageError);
      expect([failed.reason, failed.path]).to.deep.equal(['unsupported_entry', 'odd']);
      expect(await stat(archive).catch(() => 'gone')).to.equal('gone');
      await rm(join(folder, 'odd'));
    }
  });

  it('refuses what other file systems would mix up, and names that have two readings', async () => {
    expect(await reasonOf(packFolder(await folderOf({ Data: '1', data: '2' }), fresh()))).to.equal(
      'duplicate_path',
    );
    const composed = await folderOf({ 'caf\u00e9': '1', 'cafe\u0301': '2' });
    expect(await reasonOf(packFolder(composed, fresh()))).to.equal('duplicate_path');
    for (const name of ['back\\slash', 'line\nbreak', 'c:file'])
      expect(await reasonOf(packFolder(await folderOf({ [name]: '1' }), fresh())), name).to.equal(
        'unsafe_path',
      );
  });

  it('keeps to the limits of entries, packed and extracted bytes, and leaves nothing', async () => {
    const folder = await folderOf({ a: crypto.getRandomValues(new Uint8Array(5_000)), 'b/c': 'x' });
    const cases = [
      [{ entries: 2 }, 'too_many_entries'],
      [{ extractedBytes: 5_000 }, 'extracted_too_large'],
      [{ packedBytes: 4_000 }, 'packed_too_large'],
    ] as const;
    for (const [limits, reason] of cases) {
      const archive = fresh();
      expect(await reasonOf(packFolder(folder, archive, { limits }))).to.equal(reason);
      expect(await stat(archive).catch(() => 'gone')).to.equal('gone');
    }
    expect(await reasonOf(packFolder(await folderOf({}), fresh()))).to.equal('empty_folder');
  });

  it('notices a file that grows while it is packed', async () => {
    const folder = await folderOf({ log: new Uint8Array(3_000_000) });
    const packing = packFolder(folder, fresh(), {
      onProgress: ({ done }) => {
        if (done < 600_000) void writeFile(join(folder, 'log'), 'more', { flag: 'a' });
      },
    });
    const failed = await failureOf(packing, PackageError);
    expect([failed.reason, failed.path]).to.deep.equal(['changed_while_read', 'log']);
  });

  it('overwrites no archive, and stops when it is told to', async () => {
    const folder = await folderOf({ a: new Uint8Array(3_000_000) });
    const archive = fresh();
    await writeFile(archive, 'mine');
    expect((await failureOf(packFolder(folder, archive), Error)).message).to.contain('EEXIST');
    expect(await readFile(archive, 'utf8')).to.equal('mine');
    const controller = new AbortController();
    const target = fresh();
    const stopped = packFolder(folder, target, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    expect((await failureOf(stopped, Error)).name).to.equal('AbortError');
    expect(await stat(target).catch(() => 'gone')).to.equal('gone');
  });
});
