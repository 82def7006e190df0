import { expect } from 'chai';
import fc from 'fast-check';
import { formatUtcTime, parseUtcTime } from '../../server/protocol/utcTime.ts';

describe('UTC time', () => {
  it('is read and written', () => {
    expect(parseUtcTime('2026-01-02T03:04:05Z')).to.equal(1767323045);
    expect(formatUtcTime(1767323045)).to.equal('2026-01-02T03:04:05Z');
    expect(parseUtcTime('1970-01-01T00:00:00Z')).to.equal(0);
    expect(parseUtcTime('2028-02-29T00:00:00Z')).to.be.a('number');
  });

  it('returns to every second between 1970 and 9999', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
        expect(parseUtcTime(formatUtcTime(seconds))).to.equal(seconds);
      }),
    );
  });

  it('refuses other spellings and dates that do not exist', () => {
    const bad = [
      '',
      '2026-01-02',
      '2026-01-02T03:04:05',
      '2026-01-02T03:04Z',
      '2026-01-02T03:04:05.000Z',
      '2026-01-02T03:04:05+00:00',
      '2026-01-02t03:04:05z',
      '2026-01-02 03:04:05Z',
      '2026-02-30T00:00:00Z',
      '2027-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T23:59:60Z',
      '1969-12-31T23:59:59Z',
      '0000-01-01T00:00:00Z',
      '+02026-01-02T03:04:05Z',
      ' 2026-01-02T03:04:05Z',
      '2026-01-02T03:04:05Z\n',
    ];
    for (const text of bad) expect(parseUtcTime(text), text).to.equal(undefined);
  });

  it('has no text outside of that', () => {
    for (const bad of [-1, 253_402_300_800, 0.5, Number.NaN]) {
      expect(() => formatUtcTime(bad), String(bad)).to.throw(RangeError);
    }
  });
});
