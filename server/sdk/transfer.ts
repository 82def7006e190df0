// How ciphertexts travel: what a caller hears while they do, and how long they may take.

import type { Patience } from './patience.ts';

/** How far a transfer is, in bytes. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** What may be said about one transfer. */
export interface TransferOptions extends Patience {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** One attempt at a transfer ends after this time: the largest package at the smallest rate that the service serves. */
export const TRANSFER_SECONDS = 1_800;

/** How often a broken transfer is taken up again. */
export const MAX_BREAKS = 5;
