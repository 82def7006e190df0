// Who plays the demo: each with a wallet and a client of their own, as they would have on machines of their own.

import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { DEPLOYMENTS } from '../protocol/deployments.ts';
import { createClient, type ServiceClient, type Wallet } from '../sdk/client.ts';
import { clientDeployment } from '../sdk/clientDeployment.ts';
import type { SendingWallet } from '../sdk/sendPrepared.ts';
import type { LocalAccount, LocalGuardian } from './localAccounts.ts';
import type { LocalStack } from './stack.ts';

/** Somebody with a wallet and a client. */
export interface DemoPerson extends LocalAccount {
  readonly wallet: SendingWallet & Wallet;
  readonly client: ServiceClient;
}

/** The people of the demo. */
export interface DemoPeople {
  readonly poster: DemoPerson;
  readonly solvers: readonly DemoPerson[];
  readonly guardians: readonly (DemoPerson & LocalGuardian)[];
}

/** Everybody on a stack, talking to one API. */
export function demoPeople(stack: LocalStack, baseUrl: string): DemoPeople {
  const deployment = clientDeployment(DEPLOYMENTS.local, stack.hubAddress);
  const person = <T extends LocalAccount>(from: T): T & DemoPerson => {
    const account = privateKeyToAccount(from.private_key);
    const transport = http(stack.rpcUrl);
    const wallet = createWalletClient({ account, chain: foundry, transport, pollingInterval: 20 });
    return {
      ...from,
      wallet,
      client: createClient({ baseUrl, deployment, chain: stack.rpcUrl, signer: wallet }),
    };
  };
  const { poster, solvers, guardians } = stack.accounts;
  return { poster: person(poster), solvers: solvers.map(person), guardians: guardians.map(person) };
}
