// The SDK's client in the hands of somebody of a local stack.

import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import type { LocalStack } from '../../server/local/stack.ts';
import { DEPLOYMENTS } from '../../server/protocol/deployments.ts';
import { type ClientOptions, createClient } from '../../server/sdk/client.ts';
import { clientDeployment } from '../../server/sdk/clientDeployment.ts';
import type { Actor } from '../actors/actors.ts';

/** A client that signs with the person's wallet; nobody signs nothing. */
export function clientOf(
  stack: LocalStack,
  baseUrl: string,
  person?: Pick<Actor, 'private_key'>,
  changes: Partial<ClientOptions> = {},
) {
  const deployment = clientDeployment(DEPLOYMENTS.local, stack.hubAddress);
  const signer = person === undefined ? {} : { signer: walletOf(stack, person) };
  return createClient({ baseUrl, deployment, chain: stack.rpcUrl, ...signer, ...changes });
}

/** The person's viem wallet client. */
export function walletOf(stack: LocalStack, { private_key: key }: Pick<Actor, 'private_key'>) {
  return createWalletClient({
    account: privateKeyToAccount(key),
    chain: foundry,
    transport: http(stack.rpcUrl),
    pollingInterval: 50,
  });
}
