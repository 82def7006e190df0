// Who may publish a written Verdict: a Guardian on the pinned roster of the bounty that the document names, and only the
// Guardian whose Verdict it says it is. The bounty stands in the body alone, so the body is parsed first; its id means
// something on the Hub that the document names and nowhere else.

import type { Address, Hex } from 'viem';
import { type BountyFacts, readBountyFacts } from '../../adapters/hubIndex/decision.ts';
import { type Issue, ServiceError } from '../../protocol/errors.ts';
import type { Policy } from '../policy.ts';
import { isPinnedGuardian } from './pinnedGuardian.ts';
import { requireWallet } from './requireWallet.ts';

/** What a written Verdict says of itself; addresses lower-case. */
export interface AuthoredDocument {
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly bountyId: string;
  readonly guardianAddress: Address;
  /** What the document's exact bytes hash to. */
  readonly reportCommitment: Hex;
}

/** The signer is the document's Guardian and on the pinned roster. */
export const verdictAuthor: Policy<unknown, unknown, AuthoredDocument, BountyFacts> = {
  rule: 'Signed by the Guardian that the document names, on the pinned roster of the bounty that it names.',
  readsBody: true,
  async check({ signer, body, snapshot }, services) {
    requireThisDeployment(body, services.config);
    const facts = await readBountyFacts(services.facts, body.bountyId, await snapshot());
    requireWallet(
      signer === body.guardianAddress,
      'Only the Guardian that the document names may publish it.',
    );
    requireWallet(
      isPinnedGuardian(facts, signer),
      "Only a Guardian on the bounty's pinned roster may publish a Verdict.",
    );
    return facts;
  },
};

function requireThisDeployment(
  document: AuthoredDocument,
  { chainId, hubAddress }: { readonly chainId: number; readonly hubAddress: Address },
): void {
  const issues: Issue[] = [];
  if (document.chainId !== chainId)
    issues.push({
      path: 'frontmatter.chain_id',
      message: `Must be ${chainId}, this deployment's chain.`,
    });
  if (document.hubAddress !== hubAddress.toLowerCase())
    issues.push({ path: 'frontmatter.hub_address', message: "Must be this deployment's Hub." });
  if (issues.length > 0) throw new ServiceError('invalid_written_verdict', { issues });
}
