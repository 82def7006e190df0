// The pinned roster: the Guardians fixed for one bounty (specification sections 1 and 2), its hash, the commitment to
// its recipients, and its quorum. Must never reorder a roster: its hash covers the order that the Hub published.
import { type Address, encodeAbiParameters, type Hex, hexToBytes } from 'viem';
import { parseAddress, ZERO_ADDRESS } from './accountAddress.ts';
import { canonicalBytes } from './canonicalJson.ts';
import { commitmentOf } from './commitment.ts';
import type { Issue } from './errors.ts';
import { readX25519PublicKey } from './x25519Key.ts';

/** One Guardian of a roster, as `guardian_roster` prints it. */
export interface Guardian {
  readonly account: Address;
  readonly name: string;
  /** X25519 key, 43 characters of base64url. */
  readonly encryptionPublicKey: string;
}

/** The largest roster that the Hub publishes (Hub.MAX_ROSTER_SIZE). */
export const MAX_ROSTER_SIZE = 100;

/** The longest name of a Guardian (IHub.Guardian). */
export const MAX_GUARDIAN_NAME_CHARACTERS = 64;

const GUARDIANS_ABI = [
  {
    type: 'tuple[]',
    components: [
      { name: 'account', type: 'address' },
      { name: 'name', type: 'string' },
      { name: 'encryptionPublicKey', type: 'string' },
    ],
  },
] as const;

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/** `keccak256(abi.encode(guardians))`: what `guardian_roster_hash` is (IHub.publishRoster). */
export function rosterHash(guardians: readonly Guardian[]): Hex {
  return commitmentOf(hexToBytes(encodeAbiParameters(GUARDIANS_ABI, [guardians])));
}

/**
 * keccak256 of the canonical JSON of `[{account, encryption_public_key}]`, accounts lower case and ascending: to whom
 * an envelope's key bag is wrapped (specification section 1, envelope).
 */
export function recipientsCommitment(guardians: readonly Guardian[]): Hex {
  const recipients = guardians
    .map(({ account, encryptionPublicKey }) => ({
      account: account.toLowerCase(),
      encryption_public_key: encryptionPublicKey,
    }))
    .sort((one, other) => (one.account < other.account ? -1 : 1));
  return commitmentOf(canonicalBytes(recipients));
}

/** The smallest number of matching Verdicts that settles: `3 * matching >= 2 * size` (specification section 1). */
export function threshold(size: number): number {
  return Math.ceil((2 * size) / 3);
}

/** What keeps Guardians from being a roster of the Hub: order, names and keys (IHub.publishRoster). Empty when nothing. */
export function rosterIssues(guardians: readonly Guardian[]): Issue[] {
  if (guardians.length === 0) return [{ path: '', message: 'A roster has at least one Guardian.' }];
  if (guardians.length > MAX_ROSTER_SIZE) {
    return [{ path: '', message: `A roster has at most ${MAX_ROSTER_SIZE} Guardians.` }];
  }
  const names = new Set<string>();
  const keys = new Set<string>();
  return guardians.flatMap((guardian, index) => {
    const issue = (field: string, message: string): Issue => ({ path: `/${index}/${field}`, message });
    const issues = [
      ...accountIssues(guardian, guardians[index - 1]).map((message) => issue('account', message)),
      ...nameIssues(guardian.name, names).map((message) => issue('name', message)),
      ...keyIssues(guardian.encryptionPublicKey, keys).map((message) =>
        issue('encryption_public_key', message),
      ),
    ];
    names.add(guardian.name.toLowerCase());
    keys.add(guardian.encryptionPublicKey);
    return issues;
  });
}

function accountIssues({ account }: Guardian, previous: Guardian | undefined): string[] {
  const address = parseAddress(account);
  if (address === undefined || address === ZERO_ADDRESS)
    return ['The account must be an address other than zero.'];
  const ascending = previous === undefined || previous.account.toLowerCase() < address;
  return ascending ? [] : ['Accounts must be strictly ascending.'];
}

function nameIssues(name: string, earlier: ReadonlySet<string>): string[] {
  if (name.length > MAX_GUARDIAN_NAME_CHARACTERS || !PRINTABLE_ASCII.test(name)) {
    return [`A name is 1 to ${MAX_GUARDIAN_NAME_CHARACTERS} printable ASCII characters.`];
  }
  return earlier.has(name.toLowerCase()) ? ['Names must differ, ignoring case.'] : [];
}

function keyIssues(key: string, earlier: ReadonlySet<string>): string[] {
  const read = readX25519PublicKey(key);
  if ('problem' in read) return [read.problem];
  return earlier.has(key) ? ['Keys must differ.'] : [];
}
