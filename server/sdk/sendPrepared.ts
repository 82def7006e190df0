// Sends checked calls with the user's own wallet, one after the other, each tried on the user's RPC first so that a
// refusal of the Hub is told by name before anything is signed. Must never send what was not derived here.

import type { Account, Address, Chain, Client, Hex, TransactionReceipt } from 'viem';
import { getChainId, sendTransaction, call as simulate, waitForTransactionReceipt } from 'viem/actions';
import type { PreparedCall } from '../protocol/preparedCall.ts';
import { HubError, hubErrorOf } from './hubError.ts';
import type { CheckedCalls } from './preparedCalls.ts';

/** A viem wallet client, or any client that can send: with a local account, or the wallet's own. */
export type SendingWallet = Client & {
  readonly account?: Account | undefined;
  readonly chain?: Chain | undefined;
};

/** Who sends, and who hears of it. */
export interface Sending {
  readonly wallet: SendingWallet;
  /** The user's own RPC. */
  readonly chain: Client;
  /** Hears of each call before it goes to the wallet, which waits for it; throwing stops everything. */
  readonly onCall?: ((call: PreparedCall) => void | Promise<void>) | undefined;
  /** Hears of each transaction once it is sent. */
  readonly onSent?: ((hash: Hex, call: PreparedCall) => void) | undefined;
}

/**
 * Send them all and wait for each receipt.
 *
 * @returns The receipts in order, all successful
 * @throws HubError when the wallet is on another chain, holds another account, or the Hub refuses; a wallet's own refusal
 *   as it is
 */
export async function sendPrepared(checked: CheckedCalls, sending: Sending): Promise<TransactionReceipt[]> {
  await requireWallet(checked, sending.wallet);
  const receipts: TransactionReceipt[] = [];
  for (const call of checked.calls) receipts.push(await sendOne(call, checked.from, sending));
  return receipts;
}

async function sendOne(
  call: PreparedCall,
  from: Address,
  { wallet, chain, onCall, onSent }: Sending,
): Promise<TransactionReceipt> {
  const { to, data } = call;
  await simulate(chain, { account: from, to, data }).catch((cause: unknown) => {
    throw hubErrorOf(cause);
  });
  await onCall?.(call);
  const account = wallet.account ?? from;
  const hash = await sendTransaction(wallet, { account, to, data, chain: wallet.chain ?? null });
  onSent?.(hash, call);
  const receipt = await waitForTransactionReceipt(chain, { hash }).catch((cause: unknown) => {
    // Not for a retry: sending it again would do it twice.
    const message = `Transaction ${hash} was sent; its receipt cannot be read yet. Look it up before you send again.`;
    throw new HubError('unconfirmed', message, cause);
  });
  if (receipt.status === 'success') return receipt;
  throw new HubError('reverted', `Transaction ${hash} (${call.function_name}) was reverted.`);
}

async function requireWallet({ chainId, from }: CheckedCalls, wallet: SendingWallet): Promise<void> {
  const actual = await getChainId(wallet).catch((cause: unknown) => {
    throw hubErrorOf(cause);
  });
  if (actual !== chainId)
    throw new HubError('wrong_chain', `The wallet is on chain ${actual}, the call is for chain ${chainId}.`);
  const account = wallet.account?.address;
  if (account !== undefined && account.toLowerCase() !== from.toLowerCase())
    throw new HubError('wrong_account', `The wallet holds ${account}, the call is for ${from}.`);
}
