// Publishing by hand: valid challenges of which no two are alike, and Posters that nobody else knows.

import { expect } from 'chai';
import { type Address, getAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { demoChallenge } from '../../../server/local/demoChallenge.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { clockOf } from '../../actors/clock.ts';
import { type SignedAnswer, signerOf } from '../../actors/signedRequest.ts';

/** Who publishes. */
export interface Publisher {
  readonly address: Address;
  readonly private_key: Hex;
}

export const ROUTE = '/api/bounty-challenge-specs/prepare-publication';

/** The path with its query. */
export const targetOf = ({ address }: Pick<Publisher, 'address'>): string =>
  `${ROUTE}?poster_address=${address}`;

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(text));

/** A wallet without money: enough to publish. */
export function newPublisher(): Publisher {
  const private_key = generatePrivateKey();
  return { private_key, address: privateKeyToAccount(private_key).address };
}

/** Fails unless the answer is this refusal, with exactly the fields that an error has. */
export function expectRefusal({ status, body, headers }: SignedAnswer, wanted: number, code: string): void {
  expect([status, body.error?.code], JSON.stringify(body)).to.deep.equal([wanted, code]);
  const keys = ['code', 'message', 'issues', 'next_action'];
  if (code === 'publication_review_limit_reached') keys.push('retry_not_before');
  expect(body.error).to.have.all.keys(keys);
  expect(headers.get('cache-control')).to.equal('no-store');
}

/** Publishing on one stack. */
export function publishingOn(stack: LocalStack) {
  const clock = clockOf(stack);
  let count = 0;
  return {
    /** A valid challenge of this Poster; `change` breaks or bends it. */
    async challenge(
      poster: Pick<Publisher, 'address'>,
      change: (text: string) => string = (text) => text,
    ): Promise<string> {
      count += 1;
      const number = count;
      const text = demoChallenge(stack, await clock.now())
        .replace(/^poster_address: .*$/m, `poster_address: "${getAddress(poster.address)}"`)
        .replace('## Deliverables', `Attempt ${number} of this file, ${poster.address}.\n\n## Deliverables`);
      return change(text);
    },
    publish: (
      apiUrl: string,
      by: Publisher,
      document: string | Uint8Array,
      target = targetOf(by),
    ): Promise<SignedAnswer> =>
      signerOf(stack, apiUrl).send(by, {
        method: 'POST',
        target,
        body: document,
        contentType: 'text/markdown',
      }),
  };
}
