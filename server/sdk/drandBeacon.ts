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
 * @throws TimeLockError `too_early` before the round is published, `unreachable` when no relay of the chain answers,
 *   `forged_beacon` when what they answer does not verify; TypeError for a relay that is no http(s) URL
 */
export async function fetchBeacon(
  network: DrandNetwork,
  round: number,
  options: BeaconOptions = {},
): Promise<Uint8Array> {
  const failures: TimeLockError[] = [];
  for (const chain of (options.drandUrls ?? network.urls).map((url) => chainAt(url, network))) {
    try {
      return await askRelay(chain, network, round, options);
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

/** Where a relay serves the chain, with a trailing slash. */
function chainAt(url: string, { chainHash }: DrandNetwork): URL {
  const chain = `${url.replace(/\/$/, '')}/${chainHash}/`;
  if (/^https?:/i.test(url) && URL.canParse(chain)) return new URL(chain);
  throw new TypeError(`"${url}" is not the URL of a drand relay.`);
}

async function askRelay(
  chain: URL,
  network: DrandNetwork,
  round: number,
  wire: BeaconOptions,
): Promise<Uint8Array> {
  const { status, text } = await get(new URL(`public/${round}`, chain), wire);
  // Older relays answer 404 to a round that has not come; others, to a chain that they do not know.
  if (status === 404 && (await get(new URL('info', chain), wire)).status !== 200)
    throw new TimeLockError('unreachable', `The drand relay ${chain.host} does not serve this chain.`);
  if (status === 425 || status === 404)
    throw new TimeLockError('too_early', `Round ${round} of the drand chain is not published yet.`);
  if (status !== 200)
    throw new TimeLockError('unreachable', `The drand relay ${chain.host} answered ${status}.`);
  const signature = signatureOf(text, round);
  if (signature !== undefined && isBeaconOf(network, round, signature)) return signature;
  const message = `What ${chain.host} gave for round ${round} is not signed by the drand chain.`;
  throw new TimeLockError('forged_beacon', message);
}

async function get(target: URL, wire: BeaconOptions): Promise<{ status: number; text: string }> {
  try {
    const response = await fetchOnce(target, { method: 'GET' }, { ...wire, timeoutSeconds: TIMEOUT_SECONDS });
    const bytes = await readBytes(response, MAX_ANSWER_BYTES);
    return { status: response.status, text: new TextDecoder().decode(bytes) };
  } catch (cause) {
    throw new TimeLockError('unreachable', `The drand relay ${target.host} does not answer.`, { cause });
  }
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
