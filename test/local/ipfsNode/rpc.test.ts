// The local node's manners: Kubo's RPC as clients, graph-node and scripts speak it, on both the embedded node and, where
// it is installed, on Kubo itself, so that the expectations are Kubo's and not ours.

import { request } from 'node:http';
import { expect } from 'chai';
import { create, type KuboRPCClient } from 'ipfs-http-client';
import { gathered, pieces } from '../../adapters/byteStore/content.ts';
import { NODE_KINDS, type NodeUnderTest } from '../../adapters/byteStore/nodes.ts';

const ABSENT = 'bafkreigkgwdvr5wspzwpiutssn4xpj2i7wedshnwphhnu7ohx4pqaxxipe';

for (const kind of NODE_KINDS) {
  describe(`IPFS RPC of ${kind.name}${kind.missing ? ` (skipped: ${kind.missing})` : ''}`, () => {
    let node: NodeUnderTest;
    let kubo: KuboRPCClient;
    before(async function () {
      if (kind.missing) return this.skip();
      node = await kind.start();
      kubo = create({ url: node.url });
    });
    after(() => node?.stop());

    const post = (path: string, init: RequestInit = {}) =>
      fetch(`${node.url}/api/v0/${path}`, { method: 'POST', ...init }).then(async (answer) => ({
        status: answer.status,
        text: (await answer.text()).trim(),
      }));
    const names = async (path: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const { name } of kubo.files.ls(path)) found.push(name);
      return found.sort();
    };
    const failure = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'no failure',
        (error: Error) => error.message,
      );

    it('names its version and itself', async () => {
      expect((await kubo.version()).version).to.match(/^\d+\.\d+\.\d+$/);
      expect((await kubo.id()).id.toString()).to.match(/^12D3KooW/);
    });

    it('answers unknown commands, other methods, browsers and malformed requests as Kubo does', async () => {
      expect((await post('nothing')).status).to.equal(404);
      expect((await post('version', { method: 'GET' })).status).to.equal(405);
      expect((await post('version', { headers: { origin: 'http://page.example' } })).status).to.equal(403);
      expect((await post('version', { headers: { 'user-agent': 'Mozilla/5.0' } })).status).to.equal(403);
      expect(await post('cat')).to.deep.equal({ status: 400, text: 'argument "ipfs-path" is required' });
      expect((await post(`cat?arg=${ABSENT}&offset=x`)).status).to.equal(400);
      const missing = await post(`block/get?arg=${ABSENT}&offline=true`);
      expect(missing.status).to.equal(500);
      expect(JSON.parse(missing.text)).to.deep.equal({
        Message: `block was not found locally (offline): ipld: could not find ${ABSENT}`,
        Code: 0,
        Type: 'error',
      });
    });

    it('stores blocks under the hash that is asked for, and refuses large ones', async () => {
      const bytes = new TextEncoder().encode('abc');
      const keccak = await kubo.block.put(bytes, { mhtype: 'keccak-256' });
      expect(keccak.toString()).to.equal('bafkrwicoansxv2sfvfh4pvd3vatmrvthydi6nyz2msqdn3ce6wh2cllmiu');
      expect(await kubo.block.get(keccak)).to.deep.equal(bytes);
      expect((await kubo.block.stat(keccak)).size).to.equal(3);
      expect(await failure(kubo.block.put(new Uint8Array(2 * 1024 * 1024 + 1)))).to.match(/over 2MiB/);
      expect(await failure(kubo.block.put(bytes, { mhtype: 'sha9' }))).to.match(/unrecognized|unknown/i);
    });

    it('reads files whole and by range, and no folders', async () => {
      const { cid } = await kubo.add('0123456789');
      const read = async (options = {}): Promise<string> =>
        new TextDecoder().decode(await gathered(kubo.cat(cid, options)));
      expect(await read()).to.equal('0123456789');
      expect(await read({ offset: 3, length: 4 })).to.equal('3456');
      expect(await read({ offset: 8, length: 100 })).to.equal('89');
      expect(await read({ offset: 99 })).to.equal('');
      const root = await kubo.files.stat('/');
      expect(await failure(gathered(kubo.cat(root.cid)))).to.equal('this dag node is a directory');
    });

    it('adds folders like Kubo, file by file and wrapped', async () => {
      const roots: string[] = [];
      for await (const { path, cid } of kubo.addAll([
        { path: 'a/b.txt', content: 'hi\n' },
        { path: 'a/c/d.txt', content: 'there\n' },
      ])) {
        roots.push(`${path} ${cid}`);
      }
      expect(roots.sort()).to.deep.equal([
        'a QmccBHSgNYc7mnJ8xMujeM38jbizbF3BVrMpHPCh8spkSn',
        'a/b.txt QmZLRFWaz9Kypt2ACNMDzA5uzACDRiCqwdkNSP1UZsu56D',
        'a/c QmQLETonKmNYAkxYDpowrn97doqcouUuju2HZeUBFzUznT',
        'a/c/d.txt QmdU1pMfnDrFyhfS3zqMNF5bwaxNnrGXEB29oLaT5uf3aJ',
      ]);
      const found = await gathered(kubo.cat('QmccBHSgNYc7mnJ8xMujeM38jbizbF3BVrMpHPCh8spkSn/c/d.txt'));
      expect(new TextDecoder().decode(found)).to.equal('there\n');
    });

    it('keeps a file system that can be changed', async () => {
      const { cid } = await kubo.add('file');
      await kubo.files.cp(`/ipfs/${cid}`, '/x/y/one', { parents: true });
      await kubo.files.cp('/x/y/one', '/x/y/two');
      expect(await failure(kubo.files.cp(`/ipfs/${cid}`, '/x/y/one'))).to.match(
        /directory already has entry by that name/,
      );
      expect(await failure(kubo.files.cp(`/ipfs/${cid}`, '/absent/one'))).to.match(/file does not exist/);
      expect(await failure(kubo.files.cp(`/ipfs/${ABSENT}`, '/x/absent'))).to.match(/could not find/);
      expect(await names('/x/y')).to.deep.equal(['one', 'two']);
      await kubo.files.mv('/x/y/two', '/x/three');
      expect(await names('/x')).to.deep.equal(['three', 'y']);
      expect(await names('/x/y')).to.deep.equal(['one']);
      const stat = await kubo.files.stat('/x/three', { withLocal: true });
      expect([stat.type, stat.size, stat.local, stat.cid.toString()]).to.deep.equal([
        'file',
        4,
        true,
        cid.toString(),
      ]);
      expect(
        new TextDecoder().decode(await gathered(kubo.files.read('/x/three', { offset: 1, length: 2 }))),
      ).to.equal('il');
      await kubo.files.mkdir('/x/folder');
      expect(await failure(kubo.files.mkdir('/x/folder'))).to.match(/file already exists/);
      expect(await failure(kubo.files.rm('/x'))).to.match(/use -r to remove directories/);
      expect(await failure(kubo.files.rm('/absent'))).to.match(/file does not exist/);
      await kubo.files.rm('/x', { recursive: true });
      expect(await failure(kubo.files.stat('/x'))).to.equal('file does not exist');
    });

    it('has the same root for the same tree', async () => {
      const { cid } = await kubo.add('leaf');
      await kubo.files.cp(`/ipfs/${cid}`, '/tree/b/leaf', { parents: true });
      await kubo.files.cp(`/ipfs/${cid}`, '/tree/a', { parents: true });
      expect((await kubo.files.stat('/tree')).cid.toString()).to.equal(
        'QmWyCa6nntWkNDiNzGguho4tPpC52uqxAwM3gtfbnPMJUq',
      );
      await kubo.files.rm('/tree', { recursive: true });
    });

    it('collects what nothing holds, and keeps what pins and files hold', async () => {
      const pinned = (await kubo.add(pieces(600_000), { pin: true })).cid;
      const filed = (await kubo.add(pieces(600_001), { pin: false })).cid;
      const loose = (await kubo.add(pieces(600_002), { pin: false })).cid;
      await kubo.files.cp(`/ipfs/${filed}`, '/filed');
      for await (const { err } of kubo.repo.gc()) expect(err).to.equal(null);
      expect((await gathered(kubo.cat(pinned))).length).to.equal(600_000);
      expect((await gathered(kubo.cat(filed))).length).to.equal(600_001);
      expect(await failure(gathered(kubo.cat(loose)))).to.match(/could not find/);
      for await (const { cid, error } of kubo.block.rm(pinned)) {
        expect(cid.equals(pinned)).to.equal(true);
        expect(error?.message).to.match(/pinned/);
      }
      expect(await failure(kubo.pin.add(loose))).to.match(/could not find/);
      const pins: string[] = [];
      for await (const { cid, type } of kubo.pin.ls({ type: 'recursive' }))
        if (type === 'recursive') pins.push(`${cid}`);
      expect(pins).to.include(`${pinned}`).and.not.include(`${filed}`);
      await kubo.pin.rm(pinned);
      expect(await failure(kubo.pin.rm(pinned))).to.match(/not pinned/);
    });

    it('takes no half body for a whole one', async () => {
      const boundary = 'cut';
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n`;
      const path = '/api/v0/add?cid-version=1&to-files=/half';
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      // Ended in good form, but without the closing boundary.
      if (!kind.takesOpenEnds) {
        const answer = await new Promise<string>((resolve) => {
          const sending = request(`${node.url}${path}`, { method: 'POST', headers }, (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (part: string) => {
              text += part;
            });
            response.once('close', () => resolve(text));
          });
          sending.once('error', () => resolve('broken off'));
          sending.end(`${head}half of the by`);
        });
        expect(answer).to.not.match(/"Hash"/);
      }
      // Torn off.
      await new Promise<void>((resolve) => {
        const sending = request(`${node.url}${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-length': 10_000 },
        });
        sending.once('error', () => resolve());
        sending.write(`${head}half of the by`, () =>
          setTimeout(() => sending.destroy(new Error('torn')), 50),
        );
      });
      expect(await failure(kubo.files.stat('/half'))).to.equal('file does not exist');
      expect((await kubo.version()).version).to.be.a('string');
    });
  });
}
