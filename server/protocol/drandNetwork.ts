// What identifies a drand chain to both ends: the envelope names its hash, the reveal its clock.
// Must never be read from an API: a false chain would unlock early (deployments.ts holds the known ones).

/** The drand chain that time-locks the key bags of a deployment. */
export interface DrandNetwork {
  /** 32 bytes, lower-case hex without `0x`. */
  readonly chainHash: string;
  /** The group's BLS public key, lower-case hex without `0x`. */
  readonly publicKey: string;
  /** Unix seconds of round 1. */
  readonly genesisSeconds: number;
  readonly periodSeconds: number;
  /** drand's scheme id. */
  readonly scheme: string;
  /** Public relays of the beacon, without a trailing slash; the local stack prints its own. */
  readonly urls: readonly string[];
}
