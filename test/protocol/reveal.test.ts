import { expect } from 'chai';
import fc from 'fast-check';
import { DEPLOYMENTS } from '../../server/protocol/deployments.ts';
import { revealRound, roundTime } from '../../server/protocol/reveal.ts';
import vectors from '../vectors/reveal.json' with { type: 'json' };

describe('revealRound', () => {
  for (const { genesis, period, submission_deadline, round, round_time } of vectors) {
    it(`is ${round} for ${submission_deadline}`, () => {
      const drand = { genesisSeconds: genesis, periodSeconds: period };
      expect(revealRound(submission_deadline, drand)).to.equal(round);
      expect(roundTime(round, drand)).to.equal(round_time);
    });
  }

  it('is the first round at or after the deadline', () => {
    const clocks = fc.record({
      genesisSeconds: fc.integer({ min: 0, max: 2_000_000_000 }),
      periodSeconds: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(clocks, fc.integer({ min: 0, max: 2_000_000_000 }), (drand, after) => {
        const deadline = drand.genesisSeconds + after;
        const round = revealRound(deadline, drand);
        expect(roundTime(round, drand)).to.be.within(deadline, deadline + drand.periodSeconds - 1);
      }),
    );
  });

  it('needs whole seconds from genesis on', () => {
    const { drand } = DEPLOYMENTS.mainnet;
    for (const bad of [
      drand.genesisSeconds - 1,
      0,
      drand.genesisSeconds + 0.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]) {
      expect(() => revealRound(bad, drand), String(bad)).to.throw(RangeError, 'genesis');
    }
    for (const bad of [0, -1, 1.5])
      expect(() => roundTime(bad, drand), String(bad)).to.throw(RangeError, 'from 1');
  });
});
