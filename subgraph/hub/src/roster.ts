// Rosters under the hash that bounties pin, and their members: what the hash determines, so publishing one again
// changes nothing.

import { RosterPublished } from '../generated/Hub/Hub';
import { Roster, RosterMember } from '../generated/schema';
import { rosterMemberKey } from './id';

/** Keeps the roster and its members. */
export function keepRoster(event: RosterPublished): void {
  const hash = event.params.rosterHash;
  const guardians = event.params.guardians;
  const roster = new Roster(hash);
  roster.size = guardians.length;
  // The smallest count with 3 * count >= 2 * size.
  roster.threshold = (2 * guardians.length + 2) / 3;
  roster.save();
  for (let i = 0; i < guardians.length; i++) {
    const guardian = guardians[i];
    const member = new RosterMember(rosterMemberKey(hash, guardian.account));
    member.roster = hash;
    member.position = i;
    member.account = guardian.account;
    member.name = guardian.name;
    member.encryptionPublicKey = guardian.encryptionPublicKey;
    member.save();
  }
}
