// Sizes and times that both ends know (specification section 8), each in the unit that its name ends in.

/** The limits of the service's interface. */
export const LIMITS = {
  /** Challenges, written Verdicts and envelopes. */
  documentBytes: 256 * 1024,
  /** Every other JSON body. */
  jsonBodyBytes: 16 * 1024,
  /** A Submission package as packed: 50 MiB. */
  packedBytes: 50 * 1024 * 1024,
  /** A Submission package as extracted: 250 MB. */
  extractedBytes: 250_000_000,
  /** Entries of a package. */
  packageEntries: 30_000,
  /** How long a download URL works. */
  downloadUrlSeconds: 300,
} as const;
