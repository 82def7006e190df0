// Who plays the demo: each with a wallet and a client of their own, as they would have on machines of their own.

import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { DEPLOYMENTS } from '../protocol/deployments.ts';
import { createClient } from '../sdk/client.ts';
import { clientDeployment } from '../sdk/clientDeployment.ts';
import type { LocalAccount } from './localAccounts.ts';
import type { LocalStack } from './stack.ts';

/** The people of the demo. */
export type DemoPeople = ReturnType<typeof demoPeople>;

/** Somebody with a wallet and a client. */
export type DemoPerson = DemoPeople['poster'];

/** Everybody on a stack, talking to one API. */
export function demoPeople(stack: LocalStack, baseUrl: string) {
  const deployment = clientDeployment(DEPLOYMENTS.local, stack.hubAddress);
  const person = <T extends LocalAccount>(from: T) => {
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
