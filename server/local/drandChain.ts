/**
 * A drand chain of one signer: quicknet's scheme `bls-unchained-g1-rfc9380` (public keys on G2, signatures on G1 over
 * SHA-256 of the round, RFC 9380 domain) under a key of its own. The local chain's seed is public on purpose: its hash
 * and key can then stand in the list of deployments, as the real ones do. It must never lock anything of worth.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const SCHEME = 'bls-unchained-g1-rfc9380';
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';
const signatures = bls12_381.shortSignatures;

/** The seed of the key that every local stack's beacon signs with. */
export const LOCAL_DRAND_SEED = 'bounty settlement service: the local drand beacon, worth nothing';

/** Unix seconds of round 1: before any local chain began. */
export const LOCAL_DRAND_GENESIS = 1_700_000_000;

/** Seconds between two rounds, as on quicknet. */
export const LOCAL_DRAND_PERIOD = 3;

/** What identifies a drand chain; hex is lower-case without 0x. */
export interface DrandChainInfo {
  readonly chainHash: string;
  readonly publicKey: string;
  /** Unix seconds of round 1. */
  readonly genesis: number;
  /** Seconds between rounds. */
  readonly period: number;
  readonly scheme: typeof SCHEME;
  /** drand's hash of the group that began the chain; part of the chain hash. */
  readonly groupHash: string;
  readonly beaconId: string;
}

/** One round's beacon in drand's wire form; hex is lower-case. */
export interface DrandBeaconRound {
  readonly round: number;
  /** SHA-256 of the signature. */
  readonly randomness: string;
  readonly signature: string;
}

/** A chain that can sign any round: whether a round may be published yet is for its caller to say. */
export interface DrandChain {
  readonly info: DrandChainInfo;
  sign(round: number): DrandBeaconRound;
}

/** Makes the chain of a seed text; the same seed, genesis and period give the same chain hash. */
export function drandChain(
  seed = LOCAL_DRAND_SEED,
  genesis = LOCAL_DRAND_GENESIS,
  period = LOCAL_DRAND_PERIOD,
): DrandChain {
  const beaconId = 'local';
  const secretKey = bls12_381.utils.randomSecretKey(
    concatBytes(sha256(utf8ToBytes(seed)), sha256(utf8ToBytes(`${seed}'`))).slice(0, 48),
  );
  const publicKey = signatures.getPublicKey(secretKey).toHex(true);
  const groupHash = bytesToHex(sha256(utf8ToBytes(`group of ${seed}`)));
  const info: DrandChainInfo = {
    chainHash: drandChainHash({ publicKey, genesis, period, groupHash, beaconId }),
    publicKey,
    genesis,
    period,
    scheme: SCHEME,
    groupHash,
    beaconId,
  };
  const sign = (round: number): DrandBeaconRound => {
    const point = signatures.hash(sha256(bigEndian(round, 8)), DOMAIN);
    const signature = signatures.sign(point, secretKey).toBytes(true);
    return { round, randomness: bytesToHex(sha256(signature)), signature: bytesToHex(signature) };
  };
  return { info, sign };
}

/** drand's chain hash: SHA-256 over period (u32), genesis (i64), public key, group hash and, unless default, the id. */
export function drandChainHash(
  info: Pick<DrandChainInfo, 'publicKey' | 'genesis' | 'period' | 'groupHash' | 'beaconId'>,
): string {
  const id = info.beaconId === 'default' ? '' : info.beaconId;
  return bytesToHex(
    sha256(
      concatBytes(
        bigEndian(info.period, 4),
        bigEndian(info.genesis, 8),
        hexToBytes(info.publicKey),
        hexToBytes(info.groupHash),
        utf8ToBytes(id),
      ),
    ),
  );
}

function bigEndian(value: number, length: 4 | 8): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes.slice(8 - length);
}
