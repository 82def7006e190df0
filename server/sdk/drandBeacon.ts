// A round of a drand chain, fetched from any relay and believed only after its BLS signature is verified with the pinned
// public key (drand's `bls-unchained-g1-rfc9380`: signatures on G1 over SHA-256 of the round number, RFC 9380).

import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { DrandNetwork } from '../protocol/drandNetwork.ts';
import { fetchOnce, type Wire } from './fetchOnce.ts';
import { readBytes } from './readBytes.ts';
import { TimeLockError } from './timeLockError.ts';

/** The one scheme that the service's time locks use. */
export const DRAND_SCHEME = 'bls-unchained-g1-rfc9380';

const DOMAIN = utf8ToBytes('BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_');
const SIGNATURE_HEX = /^[0-9a-f]{96}$/;
const MAX_ANSWER_BYTES = 16 * 1024;
const TIMEOUT_SECONDS = 10;

/** How a beacon is asked for. */
export interface BeaconOptions extends Omit<Wire, 'timeoutSeconds'> {
  /** Relays to ask in turn, instead of those of the deployment table. */
  readonly drandUrls?: readonly string[] | undefined;
}

/**
 * The signature of a round, 48 bytes.
 *
 * @throws TimeLockError `too_early` before the round is published, `unreachable` when no relay answers, `forged_beacon`
 *   when what they answer does not verify
 */
export async function fetchBeacon(
  network: DrandNetwork,
  round: number,
  options: BeaconOptions = {},
): Promise<Uint8Array> {
  const failures: TimeLockError[] = [];
  for (const url of options.drandUrls ?? network.urls) {
    try {
      return await askRelay(url, network, round, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof TimeLockError)) throw error;
      failures.push(error);
    }
  }
  const worst = (['forged_beacon', 'too_early'] as const)
    .map((reason) => failures.find((failure) => failure.reason === reason))
    .find((failure) => failure !== undefined);
  const none = 'No drand relay is known for this chain: name one.';
  throw worst ?? failures[0] ?? new TimeLockError('unreachable', none);
}

/** Whether 48 bytes are the chain's signature of a round. */
export function isBeaconOf(network: DrandNetwork, round: number, signature: Uint8Array): boolean {
  const { shortSignatures: bls } = bls12_381;
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(round));
  try {
    const message = bls.hash(sha256(number), DOMAIN);
    return bls.verify(bls.Signature.fromBytes(signature), message, hexToBytes(network.publicKey));
  } catch {
    return false;
  }
}

async function askRelay(
  url: string,
  network: DrandNetwork,
  round: number,
  wire: BeaconOptions,
): Promise<Uint8Array> {
  const target = new URL(`${url.replace(/\/$/, '')}/${network.chainHash}/public/${round}`);
  let status: number;
  let text: string;
  try {
    const response = await fetchOnce(target, { method: 'GET' }, { ...wire, timeoutSeconds: TIMEOUT_SECONDS });
    status = response.status;
    text = new TextDecoder().decode(await readBytes(response, MAX_ANSWER_BYTES));
  } catch (cause) {
    throw new TimeLockError('unreachable', `The drand relay ${target.host} does not answer.`, { cause });
  }
  if (status === 425 || status === 404)
    throw new TimeLockError('too_early', `Round ${round} of the drand chain is not published yet.`);
  if (status !== 200)
    throw new TimeLockError('unreachable', `The drand relay ${target.host} answered ${status}.`);
  const signature = signatureOf(text, round);
  if (signature !== undefined && isBeaconOf(network, round, signature)) return signature;
  const message = `What ${target.host} gave for round ${round} is not signed by the drand chain.`;
  throw new TimeLockError('forged_beacon', message);
}

function signatureOf(text: string, round: number): Uint8Array | undefined {
  try {
    const beacon = JSON.parse(text) as { round?: unknown; signature?: unknown } | null;
    const { signature } = beacon ?? {};
    const isWhole = beacon?.round === round && typeof signature === 'string' && SIGNATURE_HEX.test(signature);
    return isWhole ? hexToBytes(signature) : undefined;
  } catch {
    return undefined;
  }
}
