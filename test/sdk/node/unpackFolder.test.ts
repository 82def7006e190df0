// Packages that were made to do harm: nothing of them stays, and nothing outside the target is touched.

import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGzip, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Header, pack } from 'tar-stream';
import { PackageError } from '../../../server/sdk/node/packageError.ts';
import { type UnpackOptions, unpackFolder } from '../../../server/sdk/node/unpackFolder.ts';
import { failureOf } from '../failureOf.ts';

type EntryOf = Partial<Header> & { name: string; content?: string };

describe('unpacking a package', () => {
  let base: string;
  let target: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'unpacking-'));
    target = join(base, 'target');
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  const tarOf = async (...entries: EntryOf[]): Promise<Buffer> => {
    const tar = pack();
    for (const { content, ...header } of entries) tar.entry(header, content ?? '');
    tar.finalize();
    return buffer(tar as never);
  };

  async function* pieces(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  const unpack = (bytes: Uint8Array, options?: UnpackOptions) => unpackFolder(pieces(bytes), target, options);

  const refused = async (bytes: Uint8Array, options?: UnpackOptions): Promise<PackageError> => {
    const failed = await failureOf(unpack(bytes, options), PackageError);
    expect(await readdir(base), 'nothing is left').to.deep.equal([]);
    return failed;
  };

  it('writes nothing outside its folder', async () => {
    for (const name of [
      '../out',
      'a/../../out',
      '/abs',
      'a//b',
      './a',
      'c:/x',
      'a\\b',
      'a/./b',
      '..',
      'nul\u0001',
    ])
      expect((await refused(gzipSync(await tarOf({ name, content: 'x' })))).reason, name).to.equal(
        'unsafe_path',
      );
  });

  it('takes files and folders alone', async () => {
    const odd: EntryOf[] = [
      { name: 'link', type: 'symlink', linkname: '/etc/passwd' },
      { name: 'hard', type: 'link', linkname: 'a' },
      { name: 'device', type: 'character-device', devmajor: 1, devminor: 3 },
      { name: 'block', type: 'block-device', devmajor: 1, devminor: 3 },
      { name: 'pipe', type: 'fifo' },
    ];
    for (const entry of odd) {
      const failed = await refused(gzipSync(await tarOf({ name: 'a', content: 'x' }, entry)));
      expect([failed.reason, failed.path]).to.deep.equal(['unsupported_entry', entry.name]);
    }
  });

  it('takes no path twice, however it is written', async () => {
    const twice: EntryOf[][] = [
      [
        { name: 'a', content: '1' },
        { name: 'a', content: '2' },
      ],
      [
        { name: 'a', content: '1' },
        { name: 'A', content: '2' },
      ],
      [
        { name: 'caf\u00e9', content: '1' },
        { name: 'cafe\u0301', content: '2' },
      ],
      [
        { name: 'a', content: '1' },
        { name: 'a/b', content: '2' },
      ],
      [
        { name: 'a/b', content: '1' },
        { name: 'a', content: '2' },
      ],
      [
        { name: 'a/b', content: '1' },
        { name: 'A/c', content: '2' },
      ],
    ];
    for (const entries of twice)
      expect((await refused(gzipSync(await tarOf(...entries)))).reason).to.equal('duplicate_path');
  });

  it('stops a bomb of bytes early', async () => {
    const gzip = createGzip({ level: 9 });
    const tar = pack();
    const size = 200_000_000;
    const bomb = buffer(gzip);
    tar.pipe(gzip as never);
    const sink = tar.entry({ name: 'zeros', size });
    const zeros = Buffer.alloc(1_000_000);
    for (let done = 0; done < size; done += zeros.length)
      if (!sink.write(zeros)) await new Promise<void>((resolve) => sink.once('drain', () => resolve()));
    sink.end(null);
    tar.finalize();
    const packed = await bomb;
    expect(packed.length).to.be.lessThan(400_000);
    let taken = 0;
    const source = (async function* () {
      for await (const piece of pieces(packed)) {
        taken += piece.length;
        yield piece;
      }
    })();
    const failed = await failureOf(
      unpackFolder(source, target, { limits: { extractedBytes: 10_000_000 } }),
      PackageError,
    );
    expect([failed.reason, failed.path]).to.deep.equal(['extracted_too_large', 'zeros']);
    expect(taken).to.be.lessThan(packed.length / 2);
    expect(await readdir(base)).to.deep.equal([]);
  }).timeout(20_000);

  it('stops at too many entries, folders on the way among them, and at too many packed bytes', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ name: `d${index}/f`, content: 'x' }));
    const bytes = gzipSync(await tarOf(...many));
    expect((await refused(bytes, { limits: { entries: 39 } })).reason).to.equal('too_many_entries');
    expect((await refused(bytes, { limits: { packedBytes: bytes.length - 1 } })).reason).to.equal(
      'packed_too_large',
    );
    expect(await unpack(bytes, { limits: { entries: 40 } })).to.deep.include({
      entries: 40,
      extractedBytes: 20,
    });
  });

  it('refuses what is cut off, empty or no archive', async () => {
    const whole = gzipSync(await tarOf({ name: 'a', content: 'x'.repeat(5_000) }));
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(3_000)));
    const half = (await tarOf({ name: 'a', content: 'x'.repeat(5_000) })).subarray(0, 2_000);
    for (const bytes of [
      whole.subarray(0, whole.length - 20),
      noise,
      gzipSync(noise),
      gzipSync(''),
      gzipSync(half),
    ])
      expect((await refused(bytes)).reason).to.equal('malformed_archive');
    expect((await failureOf(unpack(Buffer.alloc(0)), PackageError)).reason).to.equal('malformed_archive');
  });

  it('takes no target that is there, a link least of all', async () => {
    const bytes = gzipSync(await tarOf({ name: 'a', content: 'x' }));
    const victim = join(base, 'victim');
    await mkdir(victim);
    for (const plant of [() => symlink(victim, target), () => mkdir(target), () => writeFile(target, '')]) {
      await plant();
      expect((await failureOf(unpack(bytes), PackageError)).reason).to.equal('target_exists');
      expect(await readdir(victim)).to.deep.equal([]);
      await rm(target, { recursive: true });
    }
  });

  it('passes on what breaks its source, and leaves nothing', async () => {
    const bytes = gzipSync(await tarOf({ name: 'a', content: 'x'.repeat(100_000) }));
    const broken = (async function* () {
      yield bytes.subarray(0, 100);
      throw new RangeError('the digest is wrong');
    })();
    const failed = await failureOf(unpackFolder(broken, target), RangeError);
    expect(failed.message).to.equal('the digest is wrong');
    expect(await readdir(base)).to.deep.equal([]);
  });

  it('gives nobody more than reading and running', async () => {
    const bytes = gzipSync(
      await tarOf({ name: 'run', mode: 0o6777, content: 'x' }, { name: 'd', type: 'directory', mode: 0 }),
    );
    await unpack(bytes);
    expect(await readFile(join(target, 'run'), 'utf8')).to.equal('x');
    expect(await readdir(target)).to.have.members(['run', 'd']);
  });
});
