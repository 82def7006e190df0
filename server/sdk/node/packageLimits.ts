// How large a package may be (specification section 8), or as small as a challenge says.

import { LIMITS } from '../../protocol/limits.ts';
import { PackageError } from './packageError.ts';

/** Limits of one package. */
export interface PackageLimits {
  readonly packedBytes: number;
  readonly extractedBytes: number;
  readonly entries: number;
}

/** The smaller of the service's limits and the challenge's. */
export function packageLimits(stated: Partial<PackageLimits> = {}): PackageLimits {
  return {
    packedBytes: Math.min(LIMITS.packedBytes, stated.packedBytes ?? LIMITS.packedBytes),
    extractedBytes: Math.min(LIMITS.extractedBytes, stated.extractedBytes ?? LIMITS.extractedBytes),
    entries: Math.min(LIMITS.packageEntries, stated.entries ?? LIMITS.packageEntries),
  };
}

/** A package of more packed bytes than it may have. */
export function packedTooLarge({ packedBytes }: PackageLimits): PackageError {
  return new PackageError('packed_too_large', '', `The package has more than ${packedBytes} bytes packed.`);
}

/** A package of more bytes than it may have once it is extracted. */
export function extractedTooLarge({ extractedBytes }: PackageLimits, path: string): PackageError {
  const message = `With this file the package has more than ${extractedBytes} bytes extracted.`;
  return new PackageError('extracted_too_large', path, message);
}
