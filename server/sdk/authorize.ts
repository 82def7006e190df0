// The approval of one request (specification section 5): EIP-712 over exactly what is sent, at a block about three behind
// the tip of the user's own RPC. Must never make the same approval twice for one request: some routes treat it as a
// duplicate, so a retry within one block signs over another.

import type { Address, Hex } from 'viem';
import { type ApprovalDeployment, approvalMessage, approvalTypedData } from '../protocol/approval.ts';
import { approvalDigester } from '../protocol/approvalDigest.ts';
import { encodeApprovalHeader } from '../protocol/approvalHeader.ts';
import { SIGNING_LAG_BLOCKS } from '../protocol/freshness.ts';
import { ApiError } from './apiError.ts';

/** Who signs. For a contract wallet `address` is the contract, whatever key makes the signature. */
export interface ApprovalSigner {
  readonly address: Address;
  signTypedData(typedData: ReturnType<typeof approvalTypedData>): Promise<Hex>;
}

/** The user's own view of the chain: never the API's. A viem client with public actions is one. */
export interface BlockSource {
  getBlockNumber(parameters?: { readonly cacheTime?: number }): Promise<bigint>;
  getBlock(request: { readonly blockNumber: bigint }): Promise<{ readonly hash: Hex }>;
}

/** A request to sign and send. */
export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute URL with its query. */
  readonly url: string;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
}

/** What signing needs. */
export interface Approving {
  readonly deployment: ApprovalDeployment;
  readonly signer: ApprovalSigner;
  readonly blocks: BlockSource;
}

/** How far behind its first choice a retry looks for a block that it did not sign over yet. */
const MAX_BLOCKS_BACK = 30n;
const NO_BYTES = new Uint8Array(0);

/**
 * The Authorization header of one request.
 *
 * @param url The request's own URL, parsed once: what is signed is what is sent
 * @param spent EIP-712 digests that were signed before and must not be again; the new one is added
 * @throws ApiError `rpc_failure` or `no_fresh_block`, and whatever the wallet refuses with
 */
export async function authorize(
  request: SignedRequest,
  url: URL,
  { deployment, signer, blocks }: Approving,
  spent: Set<Hex> = new Set(),
): Promise<string> {
  const { method, body = NO_BYTES } = request;
  const target = { method, rawTarget: url.pathname + url.search, host: url.host, body };
  const digestOf = approvalDigester(deployment);
  for await (const block of candidates(blocks)) {
    const message = approvalMessage(target, block);
    const digest = digestOf(message);
    if (spent.has(digest)) continue;
    spent.add(digest);
    const signature = await signer.signTypedData(approvalTypedData(deployment, message));
    return encodeApprovalHeader({ address: signer.address, signature, ...block });
  }
  const message = 'This request was signed over every recent block already: wait for the next one.';
  throw new ApiError({ status: 0, code: 'no_fresh_block', message });
}

/** Blocks to sign over, best first: three behind the tip, then older ones, and last (on a young chain) newer ones. */
async function* candidates(blocks: BlockSource) {
  const tip = await reading(blocks.getBlockNumber({ cacheTime: 0 }));
  const first = tip > SIGNING_LAG_BLOCKS ? tip - SIGNING_LAG_BLOCKS : 0n;
  const oldest = first > MAX_BLOCKS_BACK ? first - MAX_BLOCKS_BACK : 0n;
  const at = async (blockNumber: bigint) => {
    const { hash: blockHash } = await reading(blocks.getBlock({ blockNumber }));
    return { blockNumber, blockHash };
  };
  for (let number = first; number >= oldest; number -= 1n) yield at(number);
  for (let number = first + 1n; number <= tip; number += 1n) yield at(number);
}

async function reading<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const message = 'Your own RPC does not answer: no block can be read to sign over.';
    throw new ApiError({ status: 0, code: 'rpc_failure', message, cause });
  }
}
