// The contract that does several things in one transaction, deployed and allowed to spend the Poster's tokens.

import { type Abi, type Address, type Hex, maxUint256 } from 'viem';
import { compileSolidity } from '../../abis/compileSolidity.ts';
import { testTokenAbi } from '../../abis/testTokenAbi.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import type { Actors, BountyTerms } from '../actors/actors.ts';

/** `contracts/Batch.sol` on a stack. */
export interface BatchContract {
  readonly address: Address;
  /** Sends one transaction with `count` bounties over the same terms, two Submissions in each; returns its hash. */
  createMany(terms: BountyTerms, count: number, commitment: Hex): Promise<Hex>;
}

/** Compiles and deploys it in the Poster's name. */
export async function deployBatch(stack: LocalStack, { client, poster }: Actors): Promise<BatchContract> {
  const [compiled] = compileSolidity(['test/subgraph/contracts/Batch.sol']);
  const { abi, bytecode } = compiled as unknown as { abi: Abi; bytecode: Hex };
  const { account } = poster;
  const hash = await client.deployContract({ abi, bytecode, account });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  const address = contractAddress!;
  await client.writeContractSync({
    address: stack.tokenAddress,
    abi: testTokenAbi,
    functionName: 'approve',
    args: [address, maxUint256],
    account,
  });
  return {
    address,
    createMany: (terms, count, commitment) =>
      client.writeContract({
        address,
        abi,
        functionName: 'createMany',
        args: [stack.hubAddress, terms, BigInt(count), commitment],
        account,
        gas: 6_000_000n,
      }),
  };
}
