/**
 * An anvil on which every call is a mined transaction at a chosen second. Never simulates: what a test sees has
 * happened on the chain, and a refusal is what the EVM returned in its trace.
 */
import {
  type Abi,
  type Address,
  createTestClient,
  decodeErrorResult,
  encodeDeployData,
  formatTransactionReceipt,
  getAddress,
  type Hex,
  http,
  parseEventLogs,
  publicActions,
  type RpcTransactionReceipt,
} from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';
import { testTokenAbi } from '../../abis/testTokenAbi.ts';
import { startChain } from '../../server/local/chain.ts';
import { Refusal } from './refusal.ts';

/** The gas that every transaction gets: just under what one transaction may have at all (2^24, EIP-7825). */
const GAS = '0xfffff0';

/** One mined transaction that went through. */
export interface Mined {
  /** The Hub's events in order, each `[name, ...arguments]`. */
  readonly events: readonly (readonly unknown[])[];
  readonly gasUsed: bigint;
}

/** What a mined chain offers: transactions, deployments, reads, and the time. */
export type MinedChain = Awaited<ReturnType<typeof openMinedChain>>;

/** Starts an anvil of its own; the caller stops it. Accounts are anvil's unlocked ones. */
export async function openMinedChain() {
  const { rpcUrl, stop } = await startChain({ mining: 'automine' });
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions);
  const request = client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>;

  /** Mines a transaction in a block of its own, `at` that Unix second when given; throws a `Refusal`. */
  async function mine(from: Address, to: Address | undefined, data: Hex, at?: bigint) {
    if (at !== undefined) await client.setNextBlockTimestamp({ timestamp: at });
    const raw = await request({ method: 'eth_sendTransactionSync', params: [{ from, to, data, gas: GAS }] });
    const receipt = formatTransactionReceipt(raw as RpcTransactionReceipt);
    if (receipt.status === 'reverted') throw await refusal(receipt.transactionHash);
    return receipt;
  }

  async function refusal(transactionHash: Hex): Promise<Refusal> {
    const params = [transactionHash, { tracer: 'callTracer' }];
    const trace = (await request({ method: 'debug_traceTransaction', params })) as { output?: Hex };
    const abi = [...hubAbi, ...testTokenAbi];
    const { errorName, args } = decodeErrorResult({ abi, data: trace.output ?? '0x' });
    return new Refusal([errorName, ...(args ?? [])]);
  }

  return {
    client,
    stop,

    /** Calls a contract. */
    async send(from: Address, to: Address, data: Hex, at?: bigint): Promise<Mined> {
      const receipt = await mine(from, to, data, at);
      const logs = parseEventLogs({ abi: hubAbi, logs: receipt.logs });
      return {
        events: logs.map((log) => [log.eventName, ...Object.values(log.args)]),
        gasUsed: receipt.gasUsed,
      };
    },

    /** Deploys a contract and returns its address. */
    async deploy(
      from: Address,
      contract: { abi: Abi; bytecode: Hex },
      args: unknown[] = [],
    ): Promise<Address> {
      const { contractAddress } = await mine(from, undefined, encodeDeployData({ ...contract, args }));
      if (!contractAddress) throw new Error('nothing was deployed');
      return getAddress(contractAddress);
    },

    /** Time of the last block, Unix seconds. */
    async now(): Promise<bigint> {
      return (await client.getBlock({ blockTag: 'latest' })).timestamp;
    },
  };
}
