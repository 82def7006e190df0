import { expect } from 'chai';
import fc from 'fast-check';
import { type Address, type Hex, hashTypedData, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  type ApprovalBlock,
  type ApprovalRequest,
  approvalDomain,
  approvalMessage,
  approvalTypedData,
} from '../../server/protocol/approval.ts';
import { approvalDigester } from '../../server/protocol/approvalDigest.ts';
import { canonicalQuery, splitTarget } from '../../server/protocol/canonicalQuery.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import vectors from '../vectors/approval.json' with { type: 'json' };

const DEPLOYMENT = { chainId: 8453, hubAddress: '0x00000000000000000000000000000000000000A1' as Address };
const digestOf = approvalDigester(DEPLOYMENT);

describe('approval of a request', () => {
  for (const vector of vectors) {
    it(vector.why, async () => {
      const { request, message, digest } = vector;
      const deployment = {
        chainId: vector.deployment.chain_id,
        hubAddress: vector.deployment.hub_address as Address,
      };
      const block = { blockNumber: BigInt(message.blockNumber), blockHash: message.blockHash as Hex };
      const derived = approvalMessage(
        {
          method: request.method,
          rawTarget: request.target,
          host: request.host,
          body: new TextEncoder().encode(request.body_utf8),
        },
        block,
      );
      expect({ ...derived, blockNumber: String(derived.blockNumber) }).to.deep.equal(message);
      expect(approvalDomain(deployment)).to.deep.equal(vector.domain);
      const typedData = approvalTypedData(deployment, derived);
      expect(approvalDigester(deployment)(derived)).to.equal(digest);
      expect(hashTypedData(typedData)).to.equal(digest);
      const account = privateKeyToAccount(vector.private_key as Hex);
      expect(await account.signTypedData(typedData)).to.equal(vector.signature);
      expect(await recoverTypedDataAddress({ ...typedData, signature: vector.signature as Hex })).to.equal(
        vector.signer,
      );
    });
  }

  it('takes the body by its hash too', () => {
    const body = Uint8Array.of(1, 2, 3);
    const block = { blockNumber: 1n, blockHash: commitmentOf(body) };
    const request = { method: 'POST', rawTarget: '/x', host: 'h' };
    expect(approvalMessage({ ...request, body: { bodyHash: commitmentOf(body) } }, block)).to.deep.equal(
      approvalMessage({ ...request, body }, block),
    );
  });

  it('refuses words of another size', () => {
    const good = approvalMessage(
      { method: 'GET', rawTarget: '/x', host: 'h', body: new Uint8Array() },
      { blockNumber: 1n, blockHash: `0x${'00'.repeat(32)}` },
    );
    expect(() => digestOf({ ...good, blockHash: '0x00' })).to.throw(RangeError, '32 bytes');
    expect(() => digestOf({ ...good, bodyHash: '0x' })).to.throw(RangeError, '32 bytes');
    expect(() => digestOf({ ...good, blockNumber: 2n ** 256n })).to.throw(RangeError, '32 bytes');
  });
});

const visible = fc.string({ unit: fc.constantFrom(...'abzAZ019-._~=&%;?+/äü '), maxLength: 12 });
const bytes = fc.uint8Array({ maxLength: 64 });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((raw) => commitmentOf(raw));
const requests = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'get', 'post'),
  path: visible.map((text) => `/${text.replaceAll('?', '')}`),
  query: visible,
  host: fc.constantFrom('api.example.org', 'API.example.org:8080', '127.0.0.1:3000'),
  body: bytes,
});
const blocks: fc.Arbitrary<ApprovalBlock> = fc.record({
  blockNumber: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  blockHash: hash,
});

function asRequest(parts: { method: string; path: string; query: string; host: string; body: Uint8Array }) {
  const { method, path, query, host, body } = parts;
  return {
    method,
    rawTarget: query === '' ? path : `${path}?${query}`,
    host,
    body,
  } satisfies ApprovalRequest;
}

describe('approval digest of random requests', () => {
  it('is the same on both ends, and the same as a general EIP-712 library gives', () => {
    fc.assert(
      fc.property(requests, blocks, (parts, block) => {
        const client = approvalMessage(asRequest(parts), block);
        // What a server holds: an upper-case method, another host case, the hash of the bytes it read.
        const server = approvalMessage(
          {
            ...asRequest(parts),
            method: parts.method.toUpperCase(),
            host: parts.host.toUpperCase(),
            body: { bodyHash: commitmentOf(parts.body) },
          },
          block,
        );
        expect(digestOf(server)).to.equal(digestOf(client));
        expect(digestOf(client)).to.equal(hashTypedData(approvalTypedData(DEPLOYMENT, client)));
      }),
      { numRuns: 300 },
    );
  });

  it('changes with any single change', () => {
    fc.assert(
      fc.property(requests, blocks, requests, blocks, (parts, block, otherParts, otherBlock) => {
        const digest = digestOf(approvalMessage(asRequest(parts), block));
        for (const key of ['method', 'path', 'query', 'host', 'body'] as const) {
          const changed = asRequest({ ...parts, [key]: otherParts[key] });
          const same = sameMeaning(asRequest(parts), changed);
          expect(digestOf(approvalMessage(changed, block)) === digest, key).to.equal(same);
        }
        for (const key of ['blockNumber', 'blockHash'] as const) {
          const changed = approvalMessage(asRequest(parts), { ...block, [key]: otherBlock[key] });
          expect(digestOf(changed) === digest, key).to.equal(block[key] === otherBlock[key]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is bound to chain and Hub', () => {
    const message = approvalMessage(
      { method: 'GET', rawTarget: '/x', host: 'h', body: new Uint8Array() },
      { blockNumber: 1n, blockHash: `0x${'00'.repeat(32)}` },
    );
    const others = [
      { ...DEPLOYMENT, chainId: 84532 },
      { ...DEPLOYMENT, hubAddress: '0x00000000000000000000000000000000000000A2' as Address },
    ];
    for (const other of others) expect(approvalDigester(other)(message)).to.not.equal(digestOf(message));
  });
});

function sameMeaning(one: ReturnType<typeof asRequest>, other: ReturnType<typeof asRequest>): boolean {
  const [a, b] = [splitTarget(one.rawTarget), splitTarget(other.rawTarget)];
  return (
    one.method.toUpperCase() === other.method.toUpperCase() &&
    one.host.toLowerCase() === other.host.toLowerCase() &&
    a.pathname === b.pathname &&
    canonicalQuery(a.rawQuery) === canonicalQuery(b.rawQuery) &&
    Buffer.compare(one.body, other.body) === 0
  );
}
