// The time lock of a key bag: an age file with exactly one tlock stanza, for the round and the drand chain that the
// envelope's reveal policy names (specification section 1: nobody can open a Submission before the deadline; tlock
// libraries do not compare the chain hash). Must never try to open the bag.
import { parseAgeHeader } from './ageHeader.ts';
import { decodeBase64Url } from './base64Url.ts';
import type { Envelope } from './envelope.ts';
import type { Issue } from './errors.ts';

const PATH = '/key_bag/ciphertext';

/** What keeps an envelope's key bag from being locked as its reveal policy says; at most one issue. */
export function keyBagLockIssues({
  key_bag,
  reveal_policy,
}: Pick<Envelope, 'key_bag' | 'reveal_policy'>): Issue[] {
  const problem = lockProblem(key_bag.ciphertext, reveal_policy);
  return problem === undefined ? [] : [{ path: PATH, message: problem }];
}

function lockProblem(ciphertext: string, policy: Envelope['reveal_policy']): string | undefined {
  const file = decodeBase64Url(ciphertext);
  if (file === undefined) return 'Must be base64url without padding.';
  const header = parseAgeHeader(file);
  if ('problem' in header) return header.problem;
  const [stanza] = header.stanzas;
  if (header.stanzas.length !== 1 || stanza?.type !== 'tlock') {
    return 'The key bag must have exactly one stanza, of type tlock.';
  }
  const [round, chainHash, ...more] = stanza.args;
  if (more.length > 0 || round !== String(policy.round))
    return `The key bag must be locked to round ${policy.round}.`;
  return chainHash === policy.chain_hash
    ? undefined
    : "The key bag must be locked to the reveal policy's drand chain.";
}
