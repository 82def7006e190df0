// What an ERC-20 token says, asked through the RPC at the latest block and bounded: a hostile or broken token can make an
// answer poorer, never hang or break it.

import {
  type Abi,
  type Address,
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  RpcRequestError,
} from 'viem';
import { PERMIT_TYPEHASH, type PermitDomain, permitDomainSeparator } from '../protocol/permit.ts';
import type { Chain } from './chain.ts';

/** Asks tokens. */
export interface Tokens {
  /** Whether there is a contract at all. @throws ServiceError 503 when the chain does not answer */
  hasCode(token: Address): Promise<boolean>;
  /** What `spender` may take from `owner`, in the token's smallest unit; 0 when the token does not say. */
  allowance(token: Address, owner: Address, spender: Address): Promise<bigint>;
  /** The domain and nonce of an ERC-2612 token, proven by its DOMAIN_SEPARATOR; undefined for any other token. */
  permit(token: Address, owner: Address): Promise<{ domain: PermitDomain; nonce: bigint } | undefined>;
}

const CALL_GAS = '0x7a120';
const MAX_NAME_CHARACTERS = 256;

const permitAbi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
  'function nonces(address owner) view returns (uint256)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function eip712Domain() view returns (bytes1, string, string, uint256, address, bytes32, uint256[])',
]);

/** Asks over a chain. */
export function tokensOn(chain: Pick<Chain, 'ask'>, chainId: number): Tokens {
  /** A view call; undefined when the token reverts, burns its gas or answers something else. */
  const view = async (
    abi: Abi,
    token: Address,
    functionName: string,
    args: readonly unknown[] = [],
  ): Promise<unknown> => {
    const data = encodeFunctionData({ abi, functionName, args });
    const call = { to: token, data, gas: CALL_GAS };
    const result = await chain.ask((endpoint) =>
      endpoint.request('eth_call', [call, 'latest']).catch(undefinedWhenRefused),
    );
    try {
      return decodeFunctionResult({ abi, functionName, data: result as Hex });
    } catch {
      return undefined;
    }
  };

  /** The domain that the token's own separator proves: as ERC-5267 states it, or name and version. */
  const domainOf = async (token: Address): Promise<PermitDomain | undefined> => {
    const separator = await view(permitAbi, token, 'DOMAIN_SEPARATOR');
    if (separator === undefined) return undefined;
    const stated = (await view(permitAbi, token, 'eip712Domain')) as readonly unknown[] | undefined;
    const name = stated?.[1] ?? (await view(permitAbi, token, 'name'));
    const version = stated?.[2] ?? (await view(permitAbi, token, 'version')) ?? '1';
    if (typeof name !== 'string' || typeof version !== 'string' || name.length > MAX_NAME_CHARACTERS)
      return undefined;
    const domain = { name, version, chainId, verifyingContract: token };
    return permitDomainSeparator(domain) === separator ? domain : undefined;
  };

  /** False for a token that says that its permit is another than ERC-2612's, as Dai's is. */
  const isStandardPermit = async (token: Address): Promise<boolean> =>
    [undefined, PERMIT_TYPEHASH].includes(
      (await view(permitAbi, token, 'PERMIT_TYPEHASH')) as Hex | undefined,
    );

  return {
    async hasCode(token) {
      const code = await chain.ask((endpoint) => endpoint.request('eth_getCode', [token, 'latest']));
      return typeof code === 'string' && code !== '0x' && !BORROWED_CODE.test(code);
    },
    async allowance(token, owner, spender) {
      const allowance = await view(erc20Abi, token, 'allowance', [owner, spender]);
      return typeof allowance === 'bigint' ? allowance : 0n;
    },
    async permit(token, owner) {
      const domain = (await isStandardPermit(token)) ? await domainOf(token) : undefined;
      const nonce = domain && (await view(permitAbi, token, 'nonces', [owner]));
      return domain && typeof nonce === 'bigint' ? { domain, nonce } : undefined;
    },
  };
}

/** EIP-7702: the code of an account that has borrowed a contract's. */
const BORROWED_CODE = /^0xef0100[0-9a-f]{40}$/i;

const LIMIT_EXCEEDED = -32_005;

// Nodes tell a failed call in as many words as there are kinds of failure, so any error they answer with counts as the
// token's, except their own limits (EIP-1474); what is not an answer at all is the wire's.
function undefinedWhenRefused(error: unknown): undefined {
  const refusal =
    error instanceof BaseError ? error.walk((inner) => inner instanceof RpcRequestError) : undefined;
  if (refusal instanceof RpcRequestError && refusal.code !== LIMIT_EXCEEDED) return undefined;
  throw error;
}
