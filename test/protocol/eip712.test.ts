// The published archive of typed-data cases against the library that hashes typed data for wallets and permits.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Hex, hashTypedData, type TypedDataDomain } from 'viem';

interface TypedDataCase {
  readonly name: string;
  readonly domain: TypedDataDomain;
  readonly primaryType: string;
  readonly types: Record<string, { name: string; type: string }[]>;
  readonly data: Record<string, unknown>;
  readonly digest: Hex;
}

function publishedCases(): TypedDataCase[] {
  const path = createRequire(import.meta.url).resolve('@ethersproject/testcases/testcases/eip712.json.gz');
  return JSON.parse(gunzipSync(readFileSync(path)).toString('utf8'));
}

describe('EIP-712 archive', () => {
  it('gives the published digest in every case', function () {
    const cases = publishedCases();
    expect(cases).to.have.length(1025);
    for (const { name, domain, primaryType, types, data, digest } of cases) {
      expect(hashTypedData({ domain, primaryType, types, message: data }), name).to.equal(digest);
    }
    this.test!.title += ` (${cases.length} cases)`;
  });
});
