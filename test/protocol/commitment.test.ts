import { expect } from 'chai';
import fc from 'fast-check';
import { keccak256 } from 'viem';
import { commitmentOf, runningCommitment } from '../../server/protocol/commitment.ts';
import vectors from '../vectors/address.json' with { type: 'json' };
import { vectorBytes } from './vectorBytes.ts';

describe('commitmentOf', () => {
  for (const { utf8, commitment } of vectors.documents) {
    it(`hashes ${JSON.stringify(utf8)}`, () => {
      expect(commitmentOf(vectorBytes(utf8))).to.equal(commitment);
    });
  }

  it('agrees with another keccak256, and with itself however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), (chunks) => {
        const whole = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
        const running = runningCommitment();
        for (const chunk of chunks) running.update(chunk);
        const commitment = running.commitment();
        expect(commitment).to.equal(commitmentOf(whole));
        expect(commitment).to.equal(keccak256(whole));
      }),
    );
  });

  it('changes with a line ending', () => {
    expect(commitmentOf(vectorBytes('a\n'))).to.not.equal(commitmentOf(vectorBytes('a\r\n')));
  });
});
