// The client of one deployment: every route of the service with its answers checked, the Hub through the user's own RPC,
// and the user's wallet for what goes on chain. It trusts neither the API nor its operator (specification section 1).

import { type Account, type Client, createPublicClient, http, type TransactionReceipt } from 'viem';
import type { DeploymentAnswer } from './answers/deployment.ts';
import type { ApprovalSigner } from './authorize.ts';
import type { ClientDeployment } from './clientDeployment.ts';
import { type CallOptions, type Connection, type ConnectionOptions, connect } from './connection.ts';
import { type FundedBounty, type Funding, fundBounty } from './fundBounty.ts';
import type { Hub } from './hub.ts';
import type { CheckedCalls } from './preparedCalls.ts';
import { type Bounties, bountiesOf } from './resources/bounties.ts';
import { type Delivery, deliveryOf } from './resources/delivery.ts';
import { readDeployment } from './resources/deployment.ts';
import { type Publication, type Publications, publicationOf } from './resources/publication.ts';
import { type Submissions, submissionsOf } from './resources/submissions.ts';
import { type Verdicts, verdictsOf } from './resources/verdicts.ts';
import { readSealingFacts, type SealingFacts } from './sealingFacts.ts';
import { type Sending, sendPrepared } from './sendPrepared.ts';
import { walletSigner } from './walletSigner.ts';

/** A viem wallet client, which can sign and send. */
export type Wallet = Client & { readonly account?: Account | undefined };

/** What a client is made of. */
export interface ClientOptions extends Omit<ConnectionOptions, 'chain' | 'signer'> {
  /** The user's own RPC: its URL, or a viem client. */
  readonly chain: string | Client;
  /** Who signs requests: a viem wallet client, a local account, or any `{address, signTypedData}`. */
  readonly signer?: ApprovalSigner | Wallet | undefined;
}

/** The client of one deployment. */
export interface ServiceClient {
  readonly deployment: ClientDeployment;
  readonly hub: Hub;
  /** What the resources share, for further functions of this SDK. */
  readonly connection: Connection;
  readonly bounties: Bounties;
  readonly publication: Publications;
  readonly submissions: Submissions;
  readonly verdicts: Verdicts;
  readonly delivery: Delivery;
  /** The parameters that the API states. @throws UntrustedAnswerError when they are another deployment's */
  readDeployment(options?: CallOptions): Promise<DeploymentAnswer>;
  /** What a Submission is sealed for and opened from, read from the chain alone. */
  sealingFacts(bountyId: bigint): Promise<SealingFacts>;
  /** Fund a publication with the Poster's wallet. */
  fund(publication: Publication, funding: Funding): Promise<FundedBounty>;
  /** Send checked calls with the user's wallet. */
  send(calls: CheckedCalls, sending: Omit<Sending, 'chain'>): Promise<TransactionReceipt[]>;
}

const POLLING_MS = 1_000;

/** Makes a client; nothing is sent yet. @throws TypeError for a base address that is no http URL without a path */
export function createClient({ chain: rpc, signer: by, ...options }: ClientOptions): ServiceClient {
  const chain =
    typeof rpc === 'string' ? createPublicClient({ transport: http(rpc), pollingInterval: POLLING_MS }) : rpc;
  const signer = by !== undefined && 'request' in by ? walletSigner(by) : by;
  const connection = connect({ ...options, chain, signer });
  const { deployment, hub } = connection;
  return {
    deployment,
    hub,
    connection,
    bounties: bountiesOf(connection),
    publication: publicationOf(connection),
    submissions: submissionsOf(connection),
    verdicts: verdictsOf(connection),
    delivery: deliveryOf(connection),
    readDeployment: (callOptions) => readDeployment(connection, callOptions),
    sealingFacts: (bountyId) => readSealingFacts(hub, bountyId, deployment.drand),
    fund: (publication, funding) => fundBounty(connection, publication, funding),
    send: (calls, sending) => sendPrepared(calls, { ...sending, chain }),
  };
}
