// Steps 1 to 3 of the verification of a signed request (specification section 5), in its order, the first failure stops:
// the block is canonical, it is fresh, the signature is valid over the recomputed typed data. Step 4 is policies/.

import type { IncomingMessage } from 'node:http';
import type { Address, Hex } from 'viem';
import type { Chain } from '../adapters/chain.ts';
import { approvalMessage } from '../protocol/approval.ts';
import { approvalDigester } from '../protocol/approvalDigest.ts';
import { type ApprovalClaim, decodeApprovalHeader } from '../protocol/approvalHeader.ts';
import { ServiceError } from '../protocol/errors.ts';
import { freshnessWindowBlocks } from '../protocol/freshness.ts';
import type { ValidateContractSignature } from './contractSignature.ts';
import type { RecoverSigner } from './ecdsa.ts';
import { checkFreshness } from './freshness.ts';

/** An approval whose signature was found valid. */
export interface Approval {
  /** Lower-case. */
  readonly signer: Address;
  /** EIP-712 digest: what quotas and replays are keyed by, never signature bytes. */
  readonly digest: Hex;
}

/** What the verifier needs. */
export interface ApprovalVerifierOptions {
  readonly chain: Pick<Chain, 'head' | 'refresh' | 'hashAt'>;
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly publicHosts: readonly string[];
  readonly blockTimeSeconds: number;
  readonly recover: RecoverSigner;
  readonly validateContract: ValidateContractSignature;
}

/** Verify one request over the exact bytes of its body. @throws ServiceError 401, 429, 503 */
export type VerifyApproval = (
  request: IncomingMessage,
  body: Uint8Array,
  clientAddress: string,
) => Promise<Approval>;

/** The verifier of one deployment. */
export function createApprovalVerifier(options: ApprovalVerifierOptions): VerifyApproval {
  const digestOf = approvalDigester(options);
  const windowBlocks = freshnessWindowBlocks(options.blockTimeSeconds);
  const hosts = new Set(options.publicHosts);

  return async (request, body, clientAddress) => {
    const claim = readClaim(request);
    const host = readHost(request, hosts);
    await checkFreshness(options.chain, claim, windowBlocks);
    const message = approvalMessage(
      { method: request.method ?? '', rawTarget: request.url ?? '', host, body },
      claim,
    );
    const digest = digestOf(message);
    const { address, signature } = claim;
    const valid =
      (await options.recover(digest, signature)) === address ||
      (await options.validateContract(address, digest, signature, clientAddress));
    if (!valid) throw unauthorized('The signature does not verify over this exact request.');
    return { signer: address, digest };
  };
}

function readClaim(request: IncomingMessage): ApprovalClaim {
  const values = headerValues(request, 'authorization');
  if (values.length !== 1) throw unauthorized('Send exactly one Authorization header.');
  const decoded = decodeApprovalHeader(values[0] as string);
  if ('claim' in decoded) return decoded.claim;
  throw unauthorized(decoded.problem);
}

// X-Forwarded-Host and Forwarded are never believed: the audience is what this request itself says.
function readHost(request: IncomingMessage, hosts: ReadonlySet<string>): string {
  const values = headerValues(request, 'host');
  const host = values[0]?.toLowerCase();
  if (values.length === 1 && host !== undefined && hosts.has(host)) return host;
  throw unauthorized('The Host header names no audience of this deployment.');
}

function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('unauthorized', { message });
}
