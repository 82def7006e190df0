import { expect } from 'chai';
import fc from 'fast-check';
import type { Address } from 'viem';
import { encodeBase64Url } from '../../server/protocol/base64Url.ts';
import {
  type Guardian,
  recipientsCommitment,
  rosterHash,
  rosterIssues,
  threshold,
} from '../../server/protocol/roster.ts';
import vectors from '../vectors/roster.json' with { type: 'json' };

const key = (byte: number) => encodeBase64Url(new Uint8Array(32).fill(byte));
const account = (digit: string) => `0x${digit.repeat(40)}` as Address;
const ada: Guardian = { account: account('1'), name: 'Ada', encryptionPublicKey: key(1) };
const boehm: Guardian = { account: account('2'), name: 'Boehm', encryptionPublicKey: key(2) };

describe('roster', () => {
  for (const { guardians, guardian_roster_hash, recipients_commitment } of vectors) {
    const roster = guardians.map((guardian) => ({
      account: guardian.account as Address,
      name: guardian.name,
      encryptionPublicKey: guardian.encryption_public_key,
    }));
    it(`of ${roster.length} has its published hash and recipients commitment`, () => {
      expect(rosterHash(roster)).to.equal(guardian_roster_hash);
      expect(recipientsCommitment(roster)).to.equal(recipients_commitment);
      expect(rosterIssues(roster)).to.deep.equal([]);
    });
  }

  it('has a hash that covers order and names; its recipients commitment does not', () => {
    expect(rosterHash([boehm, ada])).to.not.equal(rosterHash([ada, boehm]));
    expect(rosterHash([{ ...ada, name: 'Eve' }])).to.not.equal(rosterHash([ada]));
    expect(recipientsCommitment([boehm, ada])).to.equal(recipientsCommitment([ada, boehm]));
    expect(recipientsCommitment([{ ...ada, name: 'Eve' }])).to.equal(recipientsCommitment([ada]));
    expect(recipientsCommitment([{ ...ada, encryptionPublicKey: key(3) }])).to.not.equal(
      recipientsCommitment([ada]),
    );
  });
});

describe('threshold', () => {
  it('is two thirds, rounded up', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 9, 10].map(threshold)).to.deep.equal([1, 2, 2, 3, 4, 4, 5, 6, 7]);
  });

  it('is the first count that the Hub settles with', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (size) => {
        expect(3 * threshold(size) >= 2 * size).to.equal(true);
        expect(3 * (threshold(size) - 1) >= 2 * size).to.equal(false);
      }),
    );
  });
});

describe('rosterIssues', () => {
  const cases: [why: string, guardians: Guardian[], path: string, message: string][] = [
    ['empty', [], '', 'at least one'],
    ['descending', [boehm, ada], '/1/account', 'ascending'],
    ['repeated account', [ada, { ...boehm, account: ada.account }], '/1/account', 'ascending'],
    ['zero account', [{ ...ada, account: account('0') }], '/0/account', 'address'],
    ['no address', [{ ...ada, account: '0x1' }], '/0/account', 'address'],
    ['no name', [{ ...ada, name: '' }], '/0/name', '1 to 64'],
    ['long name', [{ ...ada, name: 'a'.repeat(65) }], '/0/name', '1 to 64'],
    ['control character', [{ ...ada, name: 'a\n' }], '/0/name', 'printable'],
    ['non-ASCII name', [{ ...ada, name: 'Böhm' }], '/0/name', 'printable'],
    ['repeated name', [ada, { ...boehm, name: 'ADA' }], '/1/name', 'differ'],
    ['short key', [{ ...ada, encryptionPublicKey: 'AQ' }], '/0/encryption_public_key', '43'],
    ['low-order key', [{ ...ada, encryptionPublicKey: key(0) }], '/0/encryption_public_key', 'low order'],
    ['repeated key', [ada, { ...boehm, encryptionPublicKey: key(1) }], '/1/encryption_public_key', 'differ'],
  ];
  for (const [why, guardians, path, message] of cases) {
    it(`names: ${why}`, () => {
      const issues = rosterIssues(guardians);
      expect(issues).to.have.length(1);
      expect(issues[0]).to.have.property('path', path);
      expect(issues[0]).to.have.property('message').that.contains(message);
    });
  }

  it('names all faults at once', () => {
    const bad = { account: account('0'), name: '', encryptionPublicKey: '' };
    expect(rosterIssues([ada, bad]).map(({ path }) => path)).to.deep.equal([
      '/1/account',
      '/1/name',
      '/1/encryption_public_key',
    ]);
  });

  it('takes 100 Guardians and no more', () => {
    const many = Array.from({ length: 101 }, (_, index) => ({
      account: `0x${(index + 1).toString(16).padStart(40, '0')}` as Address,
      name: `Guardian ${index}`,
      encryptionPublicKey: encodeBase64Url(new Uint8Array(32).fill(index + 1)),
    }));
    expect(rosterIssues(many.slice(1))).to.deep.equal([]);
    expect(rosterIssues(many)).to.deep.equal([{ path: '', message: 'A roster has at most 100 Guardians.' }]);
  });

  it('takes names of 1 and of 64 characters', () => {
    expect(
      rosterIssues([
        { ...ada, name: ' ' },
        { ...boehm, name: '~'.repeat(64) },
      ]),
    ).to.deep.equal([]);
  });
});
