// Signatures of contract wallets (ERC-1271) and of wallets that are not deployed yet (ERC-6492), through one validator
// call on the deployment's chain. Bounded in gas, time and concurrency and never cached: wallets change their owners.
// A refusal of the wallet is "not valid"; an outage is 503 and never looks like a bad signature.

import {
  type Address,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  RpcRequestError,
} from 'viem';
import type { Chain } from '../adapters/chain.ts';
import { ServiceError } from '../protocol/errors.ts';

/** Whether a wallet says that the signature over the digest is its own. @throws ServiceError 429, 503 */
export type ValidateContractSignature = (
  wallet: Address,
  digest: Hex,
  signature: Hex,
  clientAddress: string,
) => Promise<boolean>;

const CALL_GAS = 5_000_000;
const CALL_TIMEOUT_MS = 2_000;
const MAX_CALLS = 16;
const MAX_CALLS_PER_CLIENT = 4;
const VALID = /^0x0*1$/;

/** The validator over a chain. */
export function contractSignatureValidator(chain: Pick<Chain, 'ask'>): ValidateContractSignature {
  const running = new Map<string, number>();
  let total = 0;

  const call = async (wallet: Address, digest: Hex, signature: Hex): Promise<boolean> => {
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      args: [wallet, digest, signature],
      bytecode: erc6492SignatureValidatorByteCode,
    });
    // The node's own latest block, which may be newer than the head that we have seen: a wallet that has just changed its
    // owner must not be asked about the past.
    const params = [{ data, gas: `0x${CALL_GAS.toString(16)}` }, 'latest'];
    try {
      return VALID.test(
        String(await withinTime(chain.ask((endpoint) => endpoint.request('eth_call', params)))),
      );
    } catch (error) {
      // The chain answered: the wallet or its factory reverted or ran out of gas.
      if (error instanceof RpcRequestError) return false;
      throw error;
    }
  };

  return async (wallet, digest, signature, clientAddress) => {
    const own = running.get(clientAddress) ?? 0;
    if (own >= MAX_CALLS_PER_CLIENT) throw new ServiceError('rate_limited', { retryAfterSeconds: 1 });
    if (total >= MAX_CALLS) throw new ServiceError('service_unavailable', { retryAfterSeconds: 1 });
    running.set(clientAddress, own + 1);
    total += 1;
    try {
      return await call(wallet, digest, signature);
    } finally {
      total -= 1;
      const left = (running.get(clientAddress) ?? 1) - 1;
      if (left > 0) running.set(clientAddress, left);
      else running.delete(clientAddress);
    }
  };
}

function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const limit = new Promise<never>((_, reject) => {
    const late = (): void =>
      reject(
        new ServiceError('bounty_chain_state_unavailable', {
          message: "The chain did not check the wallet's signature in time.",
          retryAfterSeconds: 2,
        }),
      );
    timer = setTimeout(late, CALL_TIMEOUT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
