// The VerificationRecord recomputed from the chain's logs and IPFS alone: neither the API nor the subgraph is asked, and
// the bytes of the challenge are believed only because they hash.

import {
  type Address,
  createPublicClient,
  decodeEventLog,
  encodeEventTopics,
  type Hex,
  http,
  numberToHex,
  type PublicClient,
} from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';
import { commitmentCid } from '../protocol/address.ts';
import { commitmentOf } from '../protocol/commitment.ts';
import { LIMITS } from '../protocol/limits.ts';
import { factsFromLogs, type MinedLog } from '../protocol/recordFromLogs.ts';
import { buildVerificationRecord, type VerificationRecord } from '../protocol/verificationRecord.ts';
import { readHubLogs } from './hubLogs.ts';

/** Where to read. */
export interface RecordOrigin {
  readonly rpcUrl: string;
  /** Kubo's RPC, for `block/get`. */
  readonly ipfsUrl: string;
  readonly hubAddress: Address;
  readonly bountyId: bigint;
  /** First block that can hold the Hub's logs; default 0. */
  readonly fromBlock?: bigint;
}

/** The record, or in one sentence why there is none now. */
export type RecomputedRecord = { readonly record: VerificationRecord } | { readonly unavailable: string };

/** Recompute. @throws When RPC or IPFS do not answer */
export async function recomputeRecord(origin: RecordOrigin): Promise<RecomputedRecord> {
  const client = createPublicClient({ transport: http(origin.rpcUrl) });
  const { number: finalized } = await client.getBlock({ blockTag: 'finalized' });
  const found = factsFromLogs(origin.bountyId, await bountyLogs(client, origin, finalized));
  if ('missing' in found) {
    const what = found.missing === 'bounty' ? 'is unknown' : 'has not ended';
    return { unavailable: `Bounty ${origin.bountyId} ${what} at the finalized block ${finalized}.` };
  }
  const { facts } = found;
  const challenge = await challengeBytes(origin.ipfsUrl, facts.specCommitment);
  if (challenge === undefined)
    return { unavailable: 'The committed challenge is not to be had from this IPFS node.' };
  const { timestamp, hash } = await client.getBlock({ blockNumber: BigInt(facts.settlement.blockNumber) });
  if (hash !== facts.settlement.blockHash)
    return { unavailable: 'The chain changed while it was read: try again.' };
  const built = buildVerificationRecord({
    ...facts,
    chainId: await client.getChainId(),
    hubAddress: origin.hubAddress,
    challenge: { specCommitment: facts.specCommitment, byteLength: challenge.length },
    rosterSize: facts.rosterSize ?? (await rosterSize(client, origin, facts.guardianRosterHash, finalized)),
    settlement: { place: facts.settlement, settledAt: Number(timestamp) },
  });
  if ('record' in built) return built;
  throw new Error(
    `The Hub's logs contradict each other: ${built.issues.map(({ message }) => message).join(' ')}`,
  );
}

const EVENTS = [
  'BountyCreated',
  'VerdictRecorded',
  'BountyAwarded',
  'BountyRefunded',
  'BountyTimedOut',
] as const;

function bountyLogs(client: PublicClient, origin: RecordOrigin, to: bigint): Promise<MinedLog[]> {
  const signatures = EVENTS.map((eventName) => encodeEventTopics({ abi: hubAbi, eventName })[0]!);
  return readHubLogs(client, origin, to, [signatures, numberToHex(origin.bountyId, { size: 32 })]);
}

async function rosterSize(
  client: PublicClient,
  origin: RecordOrigin,
  rosterHash: Hex,
  to: bigint,
): Promise<number> {
  const topics = encodeEventTopics({
    abi: hubAbi,
    eventName: 'RosterPublished',
    args: { rosterHash },
  }) as Hex[];
  const [log] = await readHubLogs(client, origin, to, topics);
  if (log === undefined) throw new Error('The pinned roster was never published.');
  const { args } = decodeEventLog({ abi: hubAbi, eventName: 'RosterPublished', ...log });
  return args.guardians.length;
}

/** The challenge's bytes, undefined when the node has none that hash. */
async function challengeBytes(ipfsUrl: string, commitment: Hex): Promise<Uint8Array | undefined> {
  const url = `${ipfsUrl}/api/v0/block/get?arg=${commitmentCid(commitment)}&offline=true`;
  const response = await fetch(url, { method: 'POST' });
  if (!response.ok || Number(response.headers.get('content-length') ?? 0) > LIMITS.documentBytes)
    return undefined;
  const bytes = new Uint8Array(await response.arrayBuffer());
  return commitmentOf(bytes) === commitment ? bytes : undefined;
}
