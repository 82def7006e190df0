// Rosters under the hash that bounties pin, and their members.

import { RosterPublished } from '../generated/Hub/Hub';
import { Roster, RosterMember } from '../generated/schema';
import { rosterMemberKey } from './id';

export function publishRoster(event: RosterPublished): void {
  const hash = event.params.rosterHash;
  const guardians = event.params.guardians;
  const roster = new Roster(hash);
  roster.size = guardians.length;
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
