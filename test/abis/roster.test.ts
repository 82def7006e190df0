/** Rosters: the hash that both ends derive, every rule of membership, republishing, and the owner who publishes. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Address, getAddress, type Hex, numberToHex, zeroAddress, zeroHash } from 'viem';
import { type Guardian, guardiansOf, keyText, rosterHash } from './guardians.ts';
import { GUARDIANS, type HubBench, OWNER, openHubBench, STRANGER } from './hubBench.ts';
import { refusalOf } from './refusal.ts';

interface RosterVector {
  readonly guardians: readonly { account: Address; name: string; encryption_public_key: string }[];
  readonly guardian_roster_hash: Hex;
}

const VECTORS: RosterVector[] = JSON.parse(
  readFileSync(new URL('../vectors/roster.json', import.meta.url), 'utf8'),
);

/** `size` Guardians nobody has keys for, with the longest names there are. */
const crowd = (size: number): Guardian[] =>
  guardiansOf(
    Array.from({ length: size }, (_, index) => getAddress(numberToHex(index + 1, { size: 20 }))),
  ).map((guardian, index) => ({ ...guardian, name: `${index} `.padEnd(64, 'x') }));

describe('Hub rosters', () => {
  let bench: HubBench;
  before(async () => {
    bench = await openHubBench();
  });
  after(() => bench.stop());

  const [first, second, third] = GUARDIANS as [Guardian, Guardian, Guardian];
  const refusedRoster = (guardians: readonly Guardian[]) =>
    refusalOf(bench.call(OWNER, 'publishRoster', [guardians]));
  const named = (name: string): Guardian[] => [first, { ...second, name }];
  const keyed = (encryptionPublicKey: string): Guardian[] => [first, { ...second, encryptionPublicKey }];

  for (const [index, vector] of VECTORS.entries())
    it(`publishes golden roster ${index} under its hash`, async () => {
      const guardians = vector.guardians.map(({ account, name, encryption_public_key }) => ({
        account,
        name,
        encryptionPublicKey: encryption_public_key,
      }));
      const { events } = await bench.call(OWNER, 'publishRoster', [guardians]);
      expect(events).to.deep.equal([['RosterPublished', vector.guardian_roster_hash, guardians]]);
      expect(await bench.read('currentRosterHash', [])).to.equal(vector.guardian_roster_hash);
      expect(await bench.read('roster', [vector.guardian_roster_hash])).to.deep.equal(guardians);
    });

  it('makes an old roster current again, and tells so each time', async () => {
    const [old, next] = [GUARDIANS.slice(0, 2), GUARDIANS.slice(0, 4)];
    for (const guardians of [old, next, old, old]) {
      const { events } = await bench.call(OWNER, 'publishRoster', [guardians]);
      expect(events).to.deep.equal([['RosterPublished', rosterHash(guardians), guardians]]);
      expect(await bench.read('currentRosterHash', [])).to.equal(rosterHash(guardians));
    }
    expect(await bench.read('roster', [rosterHash(old)])).to.deep.equal(old);
    expect(await bench.read('roster', [rosterHash(next)])).to.deep.equal(next);
  });

  it('knows no members of a roster that nobody published', async () => {
    expect(await bench.read('roster', [zeroHash])).to.deep.equal([]);
  });

  it('refuses an empty roster and one of 101, and takes one of 100 with the longest names', async () => {
    expect(await refusedRoster([])).to.deep.equal(['Hub_RosterEmpty']);
    expect(await refusedRoster(crowd(101))).to.deep.equal(['Hub_RosterTooLarge', 101n, 100n]);
    const guardians = crowd(100);
    expect(await bench.publish(guardians)).to.equal(rosterHash(guardians));
    expect(await bench.read('roster', [rosterHash(guardians)])).to.deep.equal(guardians);
  });

  it('refuses accounts that do not ascend, that repeat, or that are zero', async () => {
    const notAscending = 'Hub_RosterNotAscending';
    expect(await refusedRoster([second, first])).to.deep.equal([notAscending, second.account, first.account]);
    const repeated = { ...first, name: 'other', encryptionPublicKey: second.encryptionPublicKey };
    expect(await refusedRoster([first, repeated])).to.deep.equal([
      notAscending,
      first.account,
      first.account,
    ]);
    const zero = { ...first, account: zeroAddress };
    expect(await refusedRoster([zero])).to.deep.equal([notAscending, zeroAddress, zeroAddress]);
  });

  it('refuses names that are empty, longer than 64, or not printable ASCII', async () => {
    for (const name of ['', 'x'.repeat(65), 'a\u001fb', 'a\u007fb', 'a\tb', 'Zoë'])
      expect(await refusedRoster(named(name)), JSON.stringify(name)).to.deep.equal([
        'Hub_GuardianNameInvalid',
        1n,
      ]);
    for (const name of [' ', '~', 'x'.repeat(64)]) await bench.publish(named(name));
  });

  it('refuses a name that another one repeats ignoring case, and only letters have a case', async () => {
    const repeated = [first, second, { ...third, name: first.name.toUpperCase() }];
    expect(await refusedRoster(repeated)).to.deep.equal(['Hub_GuardianNameRepeated', 0n, 2n]);
    // These pairs differ by the bit that tells 'A' from 'a' as well.
    for (const [one, other] of ['@`', '[{', '^~'].map((pair) => [...pair] as [string, string]))
      await bench.publish([
        { ...first, name: one },
        { ...second, name: other },
      ]);
    const edges = [
      { ...first, name: 'AZ' },
      { ...second, name: 'az' },
    ];
    expect(await refusedRoster(edges)).to.deep.equal(['Hub_GuardianNameRepeated', 0n, 1n]);
  });

  it('refuses keys that are not the one canonical text of 32 bytes', async () => {
    const good = keyText(2n ** 255n + 5n);
    const faults = ['', good.slice(1), `${good}A`, `${good}=`, keyText(0n)];
    // Neighbours of every range of the alphabet, and what only standard base64 knows.
    for (const character of ['+', '/', '=', '@', '[', '`', '{', ':', ',', '.', ' ', '\u007f', '\u0000'])
      faults.push(`${character}${good.slice(1)}`, `${good.slice(0, -1)}${character}`);
    // The last character has two bits to spare, which must be zero.
    for (const last of ['B', 'C', 'D', '1', '-', '_']) faults.push(`${good.slice(0, -1)}${last}`);
    for (const key of faults)
      expect(await refusedRoster(keyed(key)), key).to.deep.equal(['Hub_GuardianKeyInvalid', 1n]);
  });

  it('takes keys of every character, gives them back as they were, and refuses a repeated one', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const keys = [
      `${alphabet.slice(0, 42)}c`,
      `${alphabet.slice(22)}8`,
      keyText(1n),
      keyText(2n ** 256n - 1n),
    ];
    const guardians = GUARDIANS.slice(0, 4).map((guardian, index) => ({
      ...guardian,
      encryptionPublicKey: keys[index] as string,
    }));
    const hash = await bench.publish(guardians);
    expect(await bench.read('roster', [hash])).to.deep.equal(guardians);

    const repeated = [first, second, { ...third, encryptionPublicKey: second.encryptionPublicKey }];
    expect(await refusedRoster(repeated)).to.deep.equal(['Hub_GuardianKeyRepeated', 1n, 2n]);
  });

  it('lets the owner alone publish', async () => {
    const call = bench.call(STRANGER, 'publishRoster', [[first]]);
    expect(await refusalOf(call)).to.deep.equal(['OwnableUnauthorizedAccount', STRANGER]);
  });
});
