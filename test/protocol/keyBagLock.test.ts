import { armor } from 'age-encryption';
import { expect } from 'chai';
import { type ChainClient, timelockEncrypt } from 'tlock-js';
import { drandChain } from '../../server/local/drandChain.ts';
import { encodeBase64Url } from '../../server/protocol/base64Url.ts';
import type { Envelope } from '../../server/protocol/envelope.ts';
import { keyBagLockIssues } from '../../server/protocol/keyBagLock.ts';
import { envelope } from './envelopeFixture.ts';

const { info } = drandChain();
const client = {
  chain: () => ({
    info: async () => ({
      public_key: info.publicKey,
      period: info.period,
      genesis_time: info.genesis,
      hash: info.chainHash,
      groupHash: info.groupHash,
      schemeID: info.scheme,
      metadata: { beaconID: info.beaconId },
    }),
  }),
} as unknown as ChainClient;

async function locked(round: number): Promise<Uint8Array> {
  return armor.decode(await timelockEncrypt(round, Buffer.from('[]'), client));
}

function issuesOf(file: Uint8Array, policy: Partial<Envelope['reveal_policy']> = {}): string[] {
  const { key_bag, reveal_policy } = envelope();
  const issues = keyBagLockIssues({
    key_bag: { ...key_bag, ciphertext: encodeBase64Url(file) },
    reveal_policy: { ...reveal_policy, ...policy },
  });
  for (const { path } of issues) expect(path).to.equal('/key_bag/ciphertext');
  return issues.map(({ message }) => message);
}

const { round } = envelope().reveal_policy;
const text = (file: Uint8Array) => Buffer.from(file).toString('latin1');
const bytes = (file: string) => Uint8Array.from(Buffer.from(file, 'latin1'));

describe('keyBagLockIssues', () => {
  it('takes a bag that is locked as the reveal policy says', async () => {
    expect(issuesOf(await locked(round))).to.deep.equal([]);
  });

  it('refuses a lock to another round or chain', async () => {
    expect(issuesOf(await locked(round - 1))).to.deep.equal([
      `The key bag must be locked to round ${round}.`,
    ]);
    expect(issuesOf(await locked(round), { chain_hash: '00'.repeat(32) })[0]).to.contain('drand chain');
  });

  it('refuses anything but one tlock stanza', async () => {
    const file = text(await locked(round));
    const stanza = file.slice(file.indexOf('->'), file.indexOf('---'));
    expect(issuesOf(bytes(file.replace('---', `${stanza}---`)))[0]).to.contain('exactly one stanza');
    expect(issuesOf(bytes(file.replace('-> tlock', '-> X25519')))[0]).to.contain('exactly one stanza');
    expect(issuesOf(bytes(file.replace(stanza, '')))[0]).to.contain('exactly one stanza');
    expect(issuesOf(bytes(file.replace(info.chainHash, `${info.chainHash} x`)))[0]).to.contain('round');
    expect(issuesOf(bytes(file.replace(` ${info.chainHash}`, '')))[0]).to.contain('drand chain');
    expect(issuesOf(bytes(file.replace(String(round), `0${round}`)))[0]).to.contain('round');
    expect(issuesOf(bytes('hello'))[0]).to.contain('age file');
  });

  it('refuses what is no base64url', () => {
    const { reveal_policy } = envelope();
    const issues = keyBagLockIssues({ key_bag: { ciphertext: 'A', sha256: '' }, reveal_policy });
    expect(issues[0]).to.have.property('message', 'Must be base64url without padding.');
  });
});
