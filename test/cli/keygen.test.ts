// Fresh keys: the secret in a file of its owner alone, the public part on stdout, nothing overwritten.

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeBase64Url, encodeBase64Url } from '../../server/protocol/base64Url.ts';
import { keyId, x25519PublicKey } from '../../server/protocol/x25519KeyPair.ts';
import { cli } from './stage.ts';

describe('service-cli keygen', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'keygen-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const keygen = async (...args: string[]) => {
    const { out, log, code } = await cli(['keygen', ...args]);
    return { stdout: out, stderr: log, status: code };
  };

  it('makes a delivery key whose public part belongs to it', async () => {
    const out = join(folder, 'delivery');
    const { status, stdout } = await keygen('delivery', '--out', out);
    const secret = readFileSync(out, 'utf8').trim();
    const publicKey = x25519PublicKey(decodeBase64Url(secret)!);
    expect(status).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({
      algorithm: 'X25519',
      public_key: encodeBase64Url(publicKey),
      key_id: keyId(publicKey),
    });
    expect(stdout).to.not.contain(secret);
    expect(statSync(out).mode & 0o777).to.equal(0o600);
  });

  it('makes a wallet', async () => {
    const out = join(folder, 'wallet');
    const { stdout } = await keygen('wallet', '--out', out);
    const { address } = privateKeyToAccount(readFileSync(out, 'utf8').trim() as Hex);
    expect(JSON.parse(stdout)).to.deep.equal({ address });
  });

  it('overwrites nothing', async () => {
    const out = join(folder, 'kept');
    await keygen('url-signing', '--out', out);
    const before = readFileSync(out, 'utf8');
    const { status, stderr } = await keygen('url-signing', '--out', out);
    expect(status).to.equal(1);
    expect(stderr).to.contain('exists already');
    expect(readFileSync(out, 'utf8')).to.equal(before);
  });

  it('says what it wants when it is called wrongly', async () => {
    expect((await keygen('nothing', '--out', join(folder, 'x'))).status).to.equal(2);
    expect((await keygen('delivery')).status).to.equal(2);
  });
});
