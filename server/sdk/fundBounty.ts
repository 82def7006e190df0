// Funds a published challenge with the Poster's own wallet: in one transaction where a permit can be signed, otherwise with
// the derived calls one after the other.

import { type Hex, parseEventLogs, type TransactionReceipt } from 'viem';
import { signTypedData } from 'viem/actions';
import { hubAbi } from '../../abis/hubAbi.ts';
import { createBountyWithPermitCall } from '../protocol/hubCalls.ts';
import type { Connection } from './connection.ts';
import { permitToSign, signedPermit } from './permit.ts';
import type { CheckedCalls } from './preparedCalls.ts';
import type { Publication } from './resources/publication.ts';
import { type Sending, sendPrepared } from './sendPrepared.ts';
import { contradictions } from './untrustedAnswer.ts';

/** A funded bounty. */
export interface FundedBounty {
  readonly bountyId: bigint;
  readonly receipts: readonly TransactionReceipt[];
}

/** How to fund. */
export interface Funding extends Omit<Sending, 'chain'> {
  /** Sign a permit where there is one and an approval would be needed; default true. Contract wallets cannot. */
  readonly permit?: boolean | undefined;
}

/** Send what funds it. @throws HubError when the Hub refuses, a wallet's own refusal as it is */
export async function fundBounty(
  connection: Connection,
  publication: Publication,
  { permit = true, ...sending }: Funding,
): Promise<FundedBounty> {
  const { calls, terms } = publication;
  const needsApproval = calls.calls.length > 1;
  const checked = permit && needsApproval ? await withPermit(publication, connection, sending.wallet) : calls;
  const receipts = await sendPrepared(checked, { ...sending, chain: connection.chain });
  const hub = connection.deployment.hubAddress.toLowerCase();
  const logs = receipts
    .flatMap((receipt) => receipt.logs)
    .filter(({ address }) => address.toLowerCase() === hub);
  const [created] = parseEventLogs({ abi: hubAbi, logs, eventName: 'BountyCreated' });
  const check = contradictions('The transaction did not create this bounty.');
  check.same('spec_commitment', created?.args.specCommitment ?? null, terms.specCommitment);
  check.done();
  return { bountyId: created!.args.bountyId, receipts };
}

async function withPermit(
  { calls, terms, permit }: Publication,
  { deployment }: Connection,
  wallet: Sending['wallet'],
): Promise<CheckedCalls> {
  if (permit === undefined) return calls;
  const account = wallet.account ?? calls.from;
  const signature: Hex = await signTypedData(wallet, { ...permitToSign(permit), account });
  const call = createBountyWithPermitCall(deployment.hubAddress, terms, signedPermit(permit, signature));
  return { ...calls, calls: [call] };
}
