// A viem wallet client as the signer of approvals: a browser wallet, a key, or a contract wallet whose owner's key signs.

import type { Account, Address, Client } from 'viem';
import { parseAccount } from 'viem/accounts';
import { signTypedData } from 'viem/actions';
import type { ApprovalSigner } from './authorize.ts';

/**
 * The signer of a wallet client.
 *
 * @param address Who the approval claims to be, when that is not the signing account: the contract wallet
 * @throws TypeError when the wallet client has no account and none is named
 */
export function walletSigner(
  wallet: Client & { readonly account?: Account | undefined },
  address?: Address,
): ApprovalSigner {
  const account = wallet.account ?? (address === undefined ? undefined : parseAccount(address));
  if (account === undefined) throw new TypeError('The wallet has no account: name one.');
  return {
    address: address ?? account.address,
    signTypedData: (typedData) => signTypedData(wallet, { ...typedData, account }),
  };
}
