/**
 * Puts the contracts on a local chain: the Hub as the very first transaction of the owner, so that its address is the
 * one that the `local` deployment names, then the token, the roster of five Guardians, and money for Poster and Solvers.
 */
import { readFile } from 'node:fs/promises';
import {
  type Address,
  createWalletClient,
  getContractAddress,
  type Hex,
  http,
  parseAbi,
  publicActions,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { hubAbi } from '../../abis/hubAbi.ts';
import { testTokenAbi } from '../../abis/testTokenAbi.ts';
import type { LocalAccounts } from './localAccounts.ts';

/** The fee of the local Hub, in basis points. */
export const LOCAL_FEE_BPS = 250;

/** What Poster and each Solver start with, in millionths of the test token: one million tokens. */
export const LOCAL_TOKEN_FUNDS = 1_000_000_000_000n;

/** The contracts of a local chain. */
export interface LocalContracts {
  readonly hubAddress: Address;
  readonly tokenAddress: Address;
  /** The block that is latest once everything is in place. */
  readonly blockNumber: number;
}

/** Deploys and funds everything on a chain that mines each transaction; on a chain that has the Hub already, only looks. */
export async function deployHub(rpcUrl: string, accounts: LocalAccounts): Promise<LocalContracts> {
  const account = privateKeyToAccount(accounts.owner.private_key);
  const wallet = createWalletClient({
    account,
    chain: foundry,
    transport: http(rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions);
  const hubAddress = getContractAddress({ from: account.address, nonce: 0n });
  const tokenAddress = getContractAddress({ from: account.address, nonce: 1n });

  const existing = await wallet.getCode({ address: hubAddress });
  if (existing === undefined || existing === '0x') {
    const send = nonceSender(0);
    const [hub, token] = await Promise.all([bytecodeOf('Hub'), bytecodeOf('TestToken')]);
    const hashes: Hex[] = [];
    const args = [account.address, LOCAL_FEE_BPS, account.address] as const;
    hashes.push(await wallet.deployContract({ abi: hubAbi, bytecode: hub, args, nonce: send() }));
    hashes.push(await wallet.deployContract({ abi: testTokenAbi, bytecode: token, nonce: send() }));
    const roster = accounts.guardians.map((guardian) => ({
      account: guardian.address,
      name: guardian.name,
      encryptionPublicKey: guardian.encryption_public_key,
    }));
    hashes.push(
      await wallet.writeContract({
        address: hubAddress,
        abi: hubAbi,
        functionName: 'publishRoster',
        args: [roster],
        nonce: send(),
      }),
    );
    for (const { address } of [accounts.poster, ...accounts.solvers]) {
      hashes.push(
        await wallet.writeContract({
          address: tokenAddress,
          abi: parseAbi(['function mint(address account, uint256 amount)']),
          functionName: 'mint',
          args: [address, LOCAL_TOKEN_FUNDS],
          nonce: send(),
        }),
      );
    }
    const receipts = await Promise.all(hashes.map((hash) => wallet.waitForTransactionReceipt({ hash })));
    const failed = receipts.findIndex((receipt) => receipt.status !== 'success');
    if (failed !== -1) throw new Error(`Transaction ${failed} of the local deployment was reverted`);
  }
  return { hubAddress, tokenAddress, blockNumber: Number(await wallet.getBlockNumber({ cacheTime: 0 })) };
}

function nonceSender(first: number): () => number {
  let next = first;
  return () => next++;
}

async function bytecodeOf(contract: 'Hub' | 'TestToken'): Promise<Hex> {
  const file = new URL(`../../abis/${contract}.json`, import.meta.url);
  const { bytecode } = JSON.parse(await readFile(file, 'utf8')) as { bytecode: Hex | { object: Hex } };
  return typeof bytecode === 'string' ? bytecode : bytecode.object;
}
