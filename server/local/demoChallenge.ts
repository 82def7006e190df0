// The challenge that the demo publishes: small, complete, and valid under the challenge contract.

import { getAddress } from 'viem';
import type { LocalStack } from './stack.ts';

/** Escrow of the demo, in the token's smallest unit: 2,500 tokens of six decimals. */
export const DEMO_ESCROW = 2_500_000_000n;

/** Seconds from creation to each deadline. */
export const DEMO_DEADLINES = { submission: 3_600, judging: 7_200, settlement: 10_800 } as const;

/** @param now The chain's clock, Unix seconds */
export function demoChallenge(stack: LocalStack, now: number): string {
  const at = (seconds: number): string => new Date((now + seconds) * 1000).toISOString().replace('.000', '');
  return `---
profile: scientific-bounty-challenge/v0
title: Melting point of gallium
summary: Measure the melting point of gallium to within 5 millikelvin.
chain_id: ${stack.chainId}
hub_address: "${getAddress(stack.hubAddress)}"
poster_address: "${getAddress(stack.accounts.poster.address)}"
reward:
  token_address: "${getAddress(stack.tokenAddress)}"
  amount: "${DEMO_ESCROW}"
submission_deadline: ${at(DEMO_DEADLINES.submission)}
judging_deadline_at: ${at(DEMO_DEADLINES.judging)}
settlement_timeout_at: ${at(DEMO_DEADLINES.settlement)}
keywords:
  - thermometry
license: CC-BY-4.0
---

# Melting point of gallium

## Task

Measure the melting point of gallium of at least 99.999 % purity at a pressure of 101325 Pa.

## Acceptance criteria

- AC-1: The stated melting point has a combined standard uncertainty of at most 5 mK.
- AC-2: The package holds the raw thermometer readings in kelvin, one line a second, as CSV.
- AC-3: A program in the package computes the stated value from the raw readings on Linux in under 60 s.

## Deliverables

A folder with \`report.md\`, \`readings.csv\` and \`analysis/\`.
`;
}
