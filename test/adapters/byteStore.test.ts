// The contract of the byte store, the same for the embedded node and for a real Kubo: what is put can be got, what is
// missing is missing, what does not hash is never handed out, what was refused or removed leaves nothing behind.

import { expect } from 'chai';
import { create, type KuboRPCClient } from 'ipfs-http-client';
import { CID } from 'multiformats/cid';
import { type ByteStore, openByteStore } from '../../server/adapters/byteStore.ts';
import { commitmentCid } from '../../server/protocol/address.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { ServiceError } from '../../server/protocol/errors.ts';
import { LIMITS } from '../../server/protocol/limits.ts';
import { described, gathered, pieces } from './byteStore/content.ts';
import { NODE_KINDS, type NodeUnderTest } from './byteStore/nodes.ts';

const MIB = 1024 * 1024;
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const OFFLINE: { readonly offline: true; readonly timeout?: number } = { offline: true };

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );

for (const kind of NODE_KINDS) {
  describe(`byte store on ${kind.name}${kind.missing ? ` (skipped: ${kind.missing})` : ''}`, () => {
    let node: NodeUnderTest;
    let store: ByteStore;
    let kubo: KuboRPCClient;

    before(async function () {
      if (kind.missing) return this.skip();
      node = await kind.start();
      store = openByteStore(node.url);
      kubo = create({ url: node.url });
    });
    after(() => node?.stop());

    const holds = (cid: CID): Promise<boolean> =>
      kubo.block.stat(cid, OFFLINE).then(
        () => true,
        (error: Error) => {
          expect(error.message).to.match(/could not find/);
          return false;
        },
      );
    const objects = async (): Promise<number> => Number((await kubo.repo.stat()).numObjects);
    const listed = async <T>(entries: AsyncIterable<T>): Promise<T[]> => {
      const all: T[] = [];
      for await (const entry of entries) all.push(entry);
      return all;
    };

    it('answers its health check', () => store.health());

    describe('documents', () => {
      it('are found under their commitment, by us and by whoever cats their CID', async () => {
        const bytes = text('# A challenge\n');
        const { commitment } = await store.putDocument(bytes);
        expect(commitment).to.equal(commitmentOf(bytes));
        expect(await store.getDocument(commitment)).to.deep.equal({ state: 'found', bytes });
        expect(await gathered(kubo.cat(commitmentCid(commitment), OFFLINE))).to.deep.equal(bytes);
      });

      it('can be put again, and empty or as large as the limit', async () => {
        for (const bytes of [new Uint8Array(), new Uint8Array(LIMITS.documentBytes).fill(7)]) {
          const first = await store.putDocument(bytes);
          expect(await store.putDocument(bytes)).to.deep.equal(first);
          expect(await store.getDocument(first.commitment)).to.deep.equal({ state: 'found', bytes });
        }
        expect(await codeOf(store.putDocument(new Uint8Array(LIMITS.documentBytes + 1)))).to.equal(
          'payload_too_large',
        );
      });

      it('are missing when the node does not hold them', async () => {
        expect(await store.getDocument(commitmentOf(text('never stored')))).to.deep.equal({
          state: 'missing',
        });
      });

      it('are pinned: a collection leaves them', async () => {
        const { commitment } = await store.putDocument(text('kept'));
        const loose = await kubo.block.put(text('loose'), { pin: false });
        expect(await store.collectGarbage()).to.be.greaterThan(0);
        expect(await holds(loose)).to.equal(false);
        expect((await store.getDocument(commitment)).state).to.equal('found');
      });

      it('are missing once pin and block are lost, and can be put again', async () => {
        const bytes = text('pin lost');
        const { commitment } = await store.putDocument(bytes);
        await kubo.pin.rm(commitmentCid(commitment));
        await store.collectGarbage();
        expect(await store.getDocument(commitment)).to.deep.equal({ state: 'missing' });
        await store.putDocument(bytes);
        expect((await store.getDocument(commitment)).state).to.equal('found');
      });

      it('are never handed out when the bytes on disk changed', async () => {
        const { commitment } = await store.putDocument(text('as committed'));
        await node.corrupt(commitmentCid(commitment), text('as_tampered_'));
        expect(await store.getDocument(commitment)).to.deep.equal({ state: 'mismatch' });
      });
    });

    describe('envelopes', () => {
      const bytes = text('{"schema":"submission-envelope/v0"}');
      const commitment = commitmentOf(bytes);

      it('are found by bounty and commitment, and under no address that the commitment yields', async () => {
        await store.putEnvelope('12', commitment, bytes);
        await store.putEnvelope('12', commitment, bytes);
        expect(await store.getEnvelope('12', commitment)).to.deep.equal({ state: 'found', bytes });
        expect(await store.getEnvelope('13', commitment)).to.deep.equal({ state: 'missing' });
        expect(await store.getDocument(commitment)).to.deep.equal({ state: 'missing' });
        expect(await holds(commitmentCid(commitment))).to.equal(false);
      });

      it('outlive a collection while they are linked, and go with it afterwards', async () => {
        await store.putEnvelope('14', commitment, bytes);
        const { cid } = await kubo.files.stat(`/envelopes/14/${commitment}`);
        expect(cid.multihash.code).to.equal(0x12);
        await store.removeEnvelope('12', commitment);
        await store.collectGarbage();
        expect((await store.getEnvelope('14', commitment)).state).to.equal('found');
        expect(await listed(store.listEnvelopes())).to.deep.equal([{ bountyId: '14', commitment }]);
        expect(await store.removeEnvelope('14', commitment)).to.equal(true);
        expect(await store.removeEnvelope('14', commitment)).to.equal(false);
        await store.collectGarbage();
        expect(await holds(cid)).to.equal(false);
        expect(await store.getEnvelope('14', commitment)).to.deep.equal({ state: 'missing' });
      });

      it('that were replaced by other bytes are a mismatch, and a new put puts them right', async () => {
        await store.putEnvelope('15', commitment, bytes);
        const path = `/envelopes/15/${commitment}`;
        await kubo.files.rm(path);
        await kubo.files.cp(`/ipfs/${await kubo.block.put(text('other bytes'))}`, path);
        expect(await store.getEnvelope('15', commitment)).to.deep.equal({ state: 'mismatch' });
        await store.putEnvelope('15', commitment, bytes);
        expect((await store.getEnvelope('15', commitment)).state).to.equal('found');
        await store.removeEnvelope('15', commitment);
      });

      it('are refused for a commitment that is not theirs', async () => {
        expect(await codeOf(store.putEnvelope('16', commitmentOf(text('x')), bytes))).to.match(
          /does not hash/,
        );
        expect(await listed(store.listEnvelopes())).to.deep.equal([]);
      });
    });

    describe('ciphertexts', () => {
      const SIZE = 3 * MIB + 5;
      let package_: Awaited<ReturnType<typeof described>>;
      before(async () => {
        package_ = await described(SIZE);
      });
      const put = () => store.putCiphertext(package_.locator, pieces(SIZE), package_.expected);

      it('come back whole and by range', async () => {
        const { locator } = package_;
        const { dagRoot } = await put();
        expect(await put()).to.deep.equal({ dagRoot });
        expect(await store.statCiphertext(locator)).to.deep.equal({ dagRoot, byteLength: SIZE });
        const all = await gathered(pieces(SIZE));
        expect(Buffer.compare(await gathered(store.readCiphertext(locator)), all)).to.equal(0);
        for (const [offset, length] of [
          [0, 1],
          [0, 4096],
          [MIB - 3, 7],
          [SIZE - 1, 1],
          [2, SIZE - 2],
        ] as const) {
          const part = await gathered(store.readCiphertext(locator, { offset, length }));
          expect(Buffer.compare(part, all.subarray(offset, offset + length)), `${offset}+${length}`).to.equal(
            0,
          );
        }
      });

      it('are raw leaves of 1 MiB under a root that other nodes can fetch', async () => {
        const { dagRoot } = await put();
        const root = await kubo.block.get(CID.parse(dagRoot), OFFLINE);
        expect(root.length).to.be.lessThan(1024);
        expect((await kubo.files.stat(`/ipfs/${dagRoot}`)).blocks).to.equal(4);
      });

      it('stay while they are linked, and go when the sweep unlinks them', async () => {
        const { locator } = package_;
        const { dagRoot } = await put();
        await store.collectGarbage();
        expect(await listed(store.listCiphertexts())).to.deep.equal([{ locator, dagRoot, byteLength: SIZE }]);
        expect((await gathered(store.readCiphertext(locator))).length).to.equal(SIZE);
        expect(await store.removeCiphertext(locator)).to.equal(true);
        expect(await store.removeCiphertext(locator)).to.equal(false);
        expect(await store.statCiphertext(locator)).to.equal(undefined);
        expect(await listed(store.listCiphertexts())).to.deep.equal([]);
        await store.collectGarbage();
        expect(await holds(CID.parse(dagRoot))).to.equal(false);
        expect(await codeOf(gathered(store.readCiphertext(locator)))).to.equal('storage_unavailable');
      });

      it('of other bytes, too few or too many are refused, and leave nothing', async () => {
        const { locator, expected } = package_;
        const before = await objects();
        const refused = async (source: AsyncIterable<Uint8Array>): Promise<string> =>
          codeOf(store.putCiphertext(locator, source, expected));
        expect(await refused(pieces(SIZE, 32))).to.equal('invalid_solver_submission');
        expect(await refused(pieces(SIZE - 1))).to.equal('invalid_solver_submission');
        expect(await refused(pieces(0))).to.equal('invalid_solver_submission');
        expect(await refused(pieces(SIZE + 1))).to.equal('payload_too_large');
        expect(await store.statCiphertext(locator)).to.equal(undefined);
        expect(await objects()).to.equal(before);
      });

      it('without an end are cut off at the first byte too many', async () => {
        let sent = 0;
        async function* endless(): AsyncGenerator<Uint8Array> {
          for (;;) {
            sent += 65_536;
            yield new Uint8Array(65_536);
          }
        }
        const { locator, expected } = package_;
        expect(await codeOf(store.putCiphertext(locator, endless(), expected))).to.equal('payload_too_large');
        expect(sent).to.be.lessThan(SIZE + 4 * 65_536);
      });

      it('that are broken off at 90 % leave nothing and can be sent again', async () => {
        const { locator, expected } = package_;
        const before = await objects();
        const controller = new AbortController();
        async function* stalled(): AsyncGenerator<Uint8Array> {
          let sent = 0;
          for await (const piece of pieces(SIZE)) {
            sent += piece.length;
            yield piece;
            if (sent > 0.9 * SIZE) {
              controller.abort();
              await new Promise(() => {});
            }
          }
        }
        expect(await codeOf(store.putCiphertext(locator, stalled(), expected, controller.signal))).to.match(
          /abort/i,
        );
        async function* failing(): AsyncGenerator<Uint8Array> {
          yield* pieces(MIB);
          throw new ServiceError('request_timeout');
        }
        expect(await codeOf(store.putCiphertext(locator, failing(), expected))).to.equal('request_timeout');
        expect(await store.statCiphertext(locator)).to.equal(undefined);
        expect(await objects()).to.equal(before);
        await put();
        expect((await store.statCiphertext(locator))?.byteLength).to.equal(SIZE);
      });

      it('with a lost block fail, never end early, and a new upload heals them', async () => {
        const { locator } = package_;
        await put();
        const leaf = (
          await kubo.add(pieces(MIB), {
            cidVersion: 1,
            rawLeaves: true,
            chunker: 'size-1048576',
            onlyHash: true,
          })
        ).cid;
        for await (const { error } of kubo.block.rm(leaf)) expect(error).to.equal(undefined);
        expect(await codeOf(gathered(store.readCiphertext(locator)))).to.equal('storage_unavailable');
        await put();
        expect((await gathered(store.readCiphertext(locator))).length).to.equal(SIZE);
      });

      it('of no byte and of one byte are files too', async () => {
        for (const size of [0, 1]) {
          const { locator, expected } = await described(size);
          await store.putCiphertext(locator, pieces(size), expected);
          expect((await store.statCiphertext(locator))?.byteLength).to.equal(size);
          expect((await gathered(store.readCiphertext(locator))).length).to.equal(size);
        }
      });

      it('are not found under anything but a locator', async () => {
        for (const locator of [
          '',
          'ipfs://',
          '/ciphertexts',
          'ipfs://../envelopes',
          package_.locator.toUpperCase(),
        ]) {
          expect(await store.statCiphertext(locator), locator).to.equal(undefined);
          expect(await store.removeCiphertext(locator), locator).to.equal(false);
        }
      });
    });
  });
}
