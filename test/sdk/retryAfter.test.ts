import { expect } from 'chai';
import { retryAfterSeconds } from '../../server/sdk/retryAfter.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
  const table: [header: string | null, seconds: number | undefined][] = [
    ['7', 7],
    [' 7 ', 7],
    ['0', 1],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 1],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 1],
    [null, undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e9', undefined],
    ['99999999999999', undefined],
    ['soon', undefined],
    ['2026-01-01', undefined],
  ];
  for (const [header, seconds] of table) {
    it(`${JSON.stringify(header)} is ${seconds ?? 'nothing'}`, () => {
      expect(retryAfterSeconds(header, NOW)).to.equal(seconds);
    });
  }
});
