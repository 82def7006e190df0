// What tokens say about themselves, on a real chain: honest ones, old ones, and ones that answer in any odd way.

import { expect } from 'chai';
import { type Address, getContractAddress, type Hex, zeroAddress } from 'viem';
import { type CompiledContract, compileSolidity } from '../../abis/compileSolidity.ts';
import { RpcPool, RpcUnavailable } from '../../server/adapters/chain/rpc.ts';
import type { Chain } from '../../server/adapters/chain.ts';
import { type Tokens, tokensOn } from '../../server/adapters/token.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { ServiceError } from '../../server/protocol/errors.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { sharedStack } from '../localStack.ts';

const FOLDER = 'test/adapters/contracts';
const ERC2612 = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
const DAI = 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)';
const MOODS = ['Silent', 'Reverting', 'Verbose', 'Burning', 'Invalid', 'Endless', 'Ones'];

describe('tokensOn', () => {
  let stack: LocalStack;
  let actors: Actors;
  let tokens: Tokens;
  let odd: CompiledContract;
  let old: CompiledContract;

  before(async function () {
    this.timeout(60_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    const pool = new RpcPool([stack.rpcUrl]);
    // As the chain does it: a wire that fails is a 503.
    const ask: Chain['ask'] = (question) =>
      pool.ask(question).catch((error: unknown) => {
        if (!(error instanceof RpcUnavailable)) throw error;
        throw new ServiceError('bounty_chain_state_unavailable', { cause: error });
      });
    tokens = tokensOn({ ask }, stack.chainId);
    [odd, old] = compileSolidity([`${FOLDER}/OddToken.sol`, `${FOLDER}/OldPermitToken.sol`]) as [
      CompiledContract,
      CompiledContract,
    ];
  });

  const deploy = async ({ abi, bytecode }: CompiledContract, args: unknown[]): Promise<Address> => {
    const { account } = actors.stranger;
    const hash = await actors.client.deployContract({ abi, bytecode, args, account });
    const { contractAddress } = await actors.client.waitForTransactionReceipt({ hash });
    return contractAddress!;
  };
  const everything = async (token: Address) => {
    const owner = actors.poster.address;
    return {
      hasCode: await tokens.hasCode(token),
      allowance: await tokens.allowance(token, owner, stack.hubAddress),
      permit: await tokens.permit(token, owner),
    };
  };

  it('finds the domain of a token with ERC-5267, and the next nonce', async () => {
    const { hasCode, permit } = await everything(stack.tokenAddress);
    expect(hasCode).to.equal(true);
    expect(permit?.domain).to.deep.equal({
      name: 'Test Token',
      version: '1',
      chainId: stack.chainId,
      verifyingContract: stack.tokenAddress,
    });
    expect(permit?.nonce).to.be.a('bigint');
  });

  it('finds the domain of a token without ERC-5267, whatever its version', async () => {
    const token = await deploy(old, [ERC2612, '2']);
    expect((await everything(token)).permit).to.deep.equal({
      domain: { name: 'Old Permit', version: '2', chainId: stack.chainId, verifyingContract: token },
      nonce: 0n,
    });
  });

  it('finds no permit where the signed type is another, as that of Dai', async () => {
    expect((await everything(await deploy(old, [DAI, '1']))).permit).to.equal(undefined);
  });

  it('reads the allowance as it is now', async () => {
    const { poster, stranger } = actors;
    const approve = (amount: bigint) =>
      actors.client.writeContract({
        address: stack.tokenAddress,
        abi: [
          {
            type: 'function',
            name: 'approve',
            inputs: [{ type: 'address' }, { type: 'uint256' }],
            outputs: [{ type: 'bool' }],
            stateMutability: 'nonpayable',
          },
        ] as const,
        functionName: 'approve',
        args: [stranger.address, amount],
        account: poster.account,
      });
    for (const amount of [7n, 0n]) {
      await actors.client.waitForTransactionReceipt({ hash: await approve(amount) });
      expect(await tokens.allowance(stack.tokenAddress, poster.address, stranger.address)).to.equal(amount);
    }
  });

  it('knows an account that is no contract, also one with borrowed code', async () => {
    expect(await tokens.hasCode(zeroAddress)).to.equal(false);
    const account = getContractAddress({ from: actors.stranger.address, nonce: 9_999n });
    const code: Hex = `0xef0100${stack.tokenAddress.slice(2).toLowerCase()}` as Hex;
    await actors.client.request({ method: 'anvil_setCode', params: [account, code] } as never);
    expect(await tokens.hasCode(account)).to.equal(false);
  });

  for (const [mood, name] of MOODS.entries()) {
    it(`is neither stopped nor misled by a token that is ${name}`, async () => {
      const token = await deploy(odd, [mood]);
      const startedAt = performance.now();
      const { hasCode, allowance, permit } = await everything(token);
      expect(performance.now() - startedAt).to.be.lessThan(3_000);
      expect(hasCode).to.equal(true);
      expect(permit).to.equal(undefined);
      expect(allowance).to.equal(name === 'Ones' ? 2n ** 256n - 1n : 0n);
    });
  }
});
