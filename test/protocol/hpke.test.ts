import { expect } from 'chai';
import fc from 'fast-check';
import { hpkeOpen, hpkeSeal } from '../../server/protocol/hpke.ts';
import { x25519PublicKey } from '../../server/protocol/x25519KeyPair.ts';
import rfc from '../vectors/hpke.json' with { type: 'json' };

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const binding = { info: hex(rfc.info), aad: hex(rfc.aad) };
const privateKey = hex(rfc.skRm);
const publicKey = hex(rfc.pkRm);
const message = hex(rfc.enc + rfc.ct);

describe('HPKE', () => {
  it('seals the vector of RFC 9180 A.2.1', async () => {
    expect(await hpkeSeal(publicKey, hex(rfc.pt), binding, hex(rfc.ikmE))).to.deep.equal(message);
  });

  it('opens the vector of RFC 9180 A.2.1', async () => {
    expect(await hpkeOpen(privateKey, message, binding)).to.deep.equal(hex(rfc.pt));
    expect(x25519PublicKey(privateKey)).to.deep.equal(publicKey);
  });

  it('makes a new message each time, which opens', async () => {
    const first = await hpkeSeal(publicKey, hex(rfc.pt), binding);
    const second = await hpkeSeal(publicKey, hex(rfc.pt), binding);
    expect(first).to.not.deep.equal(second);
    expect(await hpkeOpen(privateKey, second, binding)).to.deep.equal(hex(rfc.pt));
  });

  it('does not open when a single byte of anything is another', async () => {
    const flip = (bytes: Uint8Array<ArrayBuffer>, at: number) => {
      const changed = bytes.slice();
      changed[at % bytes.length]! ^= 1;
      return changed;
    };
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (at) => {
        expect(await hpkeOpen(privateKey, flip(message, at), binding)).to.equal(undefined);
        expect(await hpkeOpen(privateKey, message, { ...binding, aad: flip(binding.aad, at) })).to.equal(
          undefined,
        );
        expect(await hpkeOpen(privateKey, message, { ...binding, info: flip(binding.info, at) })).to.equal(
          undefined,
        );
      }),
      { numRuns: 40 },
    );
    expect(await hpkeOpen(hex('11'.repeat(32)), message, binding)).to.equal(undefined);
  });

  it('does not open what is too short, or comes with a low-order key', async () => {
    for (const length of [0, 31, 32, 47]) {
      expect(await hpkeOpen(privateKey, message.slice(0, length), binding), String(length)).to.equal(
        undefined,
      );
    }
    for (const enc of ['00'.repeat(32), `01${'00'.repeat(31)}`, `ec${'ff'.repeat(30)}7f`]) {
      expect(await hpkeOpen(privateKey, hex(enc + rfc.ct), binding), enc).to.equal(undefined);
    }
  });

  it('carries an empty plaintext', async () => {
    const empty = await hpkeSeal(publicKey, new Uint8Array(), binding);
    expect(await hpkeOpen(privateKey, empty, binding)).to.deep.equal(new Uint8Array());
  });

  it('seals to no key of low order or another length', async () => {
    for (const key of [new Uint8Array(32), new Uint8Array(31).fill(9), new Uint8Array(33).fill(9)]) {
      const failure = await hpkeSeal(key, hex(rfc.pt), binding).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(RangeError);
    }
  });
});
