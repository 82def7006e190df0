// For any request that can be sent, what the client signs is what the server verifies; and whatever single thing is
// changed afterwards, the answer is 401.

import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { createApprovalVerifier } from '../../server/auth/approval.ts';
import { recoverPure } from '../../server/auth/ecdsa.ts';
import type { ServiceError } from '../../server/protocol/errors.ts';
import { authorize } from '../../server/sdk/authorize.ts';
import { scriptedChain, scriptedHash } from './scriptedChain.ts';

const HEAD = 5_000;
const HOSTS = ['api.example.org', 'api.example.org:8443', '127.0.0.1:3000'];
const deployment = { chainId: 8453, hubAddress: '0x00000000000000000000000000000000000000a1' } as const;
const signer = privateKeyToAccount(`0x${'33'.repeat(32)}`);

const verify = createApprovalVerifier({
  ...deployment,
  chain: scriptedChain(HEAD),
  publicHosts: HOSTS,
  blockTimeSeconds: 2,
  recover: recoverPure,
  validateContract: async () => false,
});

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly host: string;
  readonly target: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly authorization: string;
}

const statusOf = ({ method, host, target, body, authorization }: Sent): Promise<number> =>
  verify(
    { method, url: target, rawHeaders: ['host', host, 'authorization', authorization] } as IncomingMessage,
    body,
    '127.0.0.1',
  ).then(
    () => 200,
    (error: unknown) => (error as ServiceError).status,
  );

const segment = fc.stringMatching(/^[A-Za-z0-9._~-]{1,12}$/).filter((text) => text !== '.' && text !== '..');
const requests = fc.record({
  method: fc.constantFrom('GET' as const, 'POST' as const),
  host: fc.constantFrom(...HOSTS),
  path: fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
  query: fc.array(
    fc.tuple(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    ),
    { maxLength: 4 },
  ),
  body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Uint8Array.from(bytes)),
  behind: fc.integer({ min: 3, max: 150 }),
});

async function signed({
  method,
  host,
  path,
  query,
  body,
  behind,
}: typeof requests extends fc.Arbitrary<infer T> ? T : never): Promise<Sent> {
  const search = new URLSearchParams(query).toString();
  const url = new URL(`http://${host}${path}${search === '' ? '' : `?${search}`}`);
  const number = HEAD - behind;
  const blocks = {
    // The client signs three blocks behind the tip that it sees.
    getBlockNumber: async () => BigInt(number + 3),
    getBlock: async ({ blockNumber }: { blockNumber: bigint }) => ({
      hash: scriptedHash(Number(blockNumber)),
    }),
  };
  const authorization = await authorize({ method, url: url.href, body }, url, { deployment, signer, blocks });
  return { method, host, target: url.pathname + url.search, body, authorization };
}

/** Everything that can be changed about what is sent, one thing at a time. */
const CHANGES: readonly [string, (sent: Sent) => Sent][] = [
  ['the method', (sent) => ({ ...sent, method: sent.method === 'GET' ? 'POST' : 'GET' })],
  ['the host', (sent) => ({ ...sent, host: HOSTS[(HOSTS.indexOf(sent.host) + 1) % HOSTS.length]! })],
  ['the path', (sent) => ({ ...sent, target: sent.target.replace(/^\//, '/x') })],
  ['the query', (sent) => ({ ...sent, target: `${sent.target}${sent.target.includes('?') ? '&' : '?'}a=1` })],
  ['a byte of the body', (sent) => ({ ...sent, body: Uint8Array.from([...sent.body, 0]) })],
  ['the block', (sent) => replaced(sent, 2, (number) => String(Number(number) - 1))],
  [
    'the block hash',
    (sent) => replaced(sent, 3, (hash) => hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))),
  ],
  ['the address', (sent) => replaced(sent, 0, () => '0x00000000000000000000000000000000000000a1')],
  [
    'the signature',
    (sent) =>
      replaced(sent, 1, (signature) =>
        signature.replace(/(?<=^0x.{20})./, (digit) => (digit === '0' ? '1' : '0')),
      ),
  ],
];

function replaced(sent: Sent, index: number, change: (field: string) => string): Sent {
  const fields = Buffer.from(sent.authorization.split(' ')[1]!, 'base64').toString().split('~');
  fields[index] = change(fields[index]!);
  return { ...sent, authorization: `Service-Approval ${Buffer.from(fields.join('~')).toString('base64')}` };
}

describe('any signed request', () => {
  it('is verified as it was signed', async function () {
    this.timeout(30_000);
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        expect(await statusOf(await signed(request))).to.equal(200);
      }),
      { numRuns: 200 },
    );
  });

  for (const [name, change] of CHANGES) {
    it(`is 401 once ${name} is changed`, async function () {
      this.timeout(30_000);
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          expect(await statusOf(change(await signed(request)))).to.equal(401);
        }),
        { numRuns: 40 },
      );
    });
  }
});
