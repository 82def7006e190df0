// The page of the browser test: an application on the SDK, with what the test calls on the global object.

import { createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeBase64Url } from '../../server/protocol/base64Url.ts';
import { DEPLOYMENTS } from '../../server/protocol/deployments.ts';
import { createClient } from '../../server/sdk/client.ts';
import { clientDeployment } from '../../server/sdk/clientDeployment.ts';
import { openSubmission } from '../../server/sdk/open.ts';
import { seal } from '../../server/sdk/seal.ts';

interface Place {
  readonly baseUrl: string;
  readonly rpcUrl: string;
  readonly hubAddress: Hex;
  readonly bountyId: string;
  readonly key: Hex;
}

function clientOf({ baseUrl, rpcUrl, hubAddress, key }: Place) {
  const account = privateKeyToAccount(key);
  const wallet = createWalletClient({ account, transport: http(rpcUrl), pollingInterval: 100 });
  const deployment = clientDeployment(DEPLOYMENTS.local, hubAddress);
  return { wallet, account, client: createClient({ baseUrl, deployment, chain: rpcUrl, signer: wallet }) };
}

/** What the page offers. */
export const offered = {
  async submit(place: Place & { readonly work: string }) {
    const { client, wallet, account } = clientOf(place);
    const bountyId = BigInt(place.bountyId);
    const sealed = await seal({
      deployment: client.deployment,
      facts: await client.sealingFacts(bountyId),
      solverAddress: account.address,
      package: new Blob([place.work]),
    });
    await client.submissions.upload(bountyId, sealed.ciphertext);
    const { calls } = await client.submissions.prepare(bountyId, sealed.envelopeBytes);
    const receipts = await client.send(calls, { wallet });
    return {
      commitment: sealed.submissionCommitment,
      transactions: receipts.map(({ transactionHash }) => transactionHash),
    };
  },
  async open(
    place: Place & { readonly encryptionKey: string; readonly drandUrl: string; readonly commitment: Hex },
  ) {
    const { client, account } = clientOf(place);
    const opened = await openSubmission(
      client,
      {
        bountyId: BigInt(place.bountyId),
        submissionCommitment: place.commitment,
        account: account.address,
        privateKey: decodeBase64Url(place.encryptionKey) as Uint8Array<ArrayBuffer>,
      },
      { drandUrls: [place.drandUrl] },
    );
    const parts: Uint8Array[] = [];
    for await (const part of opened.read()) parts.push(part);
    return new Blob(parts as BlobPart[]).text();
  },
};

declare global {
  var bountySdk: typeof offered;
}

globalThis.bountySdk = offered;
