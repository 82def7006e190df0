// Opening a ciphertext with its content key: whole or not at all, and the key is gone afterwards.

import { Encrypter, identityToRecipient } from 'age-encryption';
import { expect } from 'chai';
import { ageIdentity } from '../../server/protocol/ageIdentity.ts';
import { decryptPackage } from '../../server/sdk/decryptPackage.ts';
import { UntrustedAnswerError } from '../../server/sdk/untrustedAnswer.ts';
import { failureOf } from './failureOf.ts';

const PLAINTEXT = crypto.getRandomValues(new Uint8Array(60_000));

const randomKey = () => crypto.getRandomValues(new Uint8Array(32));

async function sealed(key: Uint8Array): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(ageIdentity(key)));
  return encrypter.encrypt(PLAINTEXT.slice());
}

async function* inPieces(bytes: Uint8Array, size = 7_001): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function all(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}

describe('decryptPackage', () => {
  it('gives the package byte for byte, whatever the pieces, and zeroes the key', async () => {
    const key = randomKey();
    const ciphertext = await sealed(key);
    for (const size of [1_000, 65_536, ciphertext.length]) {
      const once = key.slice();
      expect(await all(decryptPackage(inPieces(ciphertext, size), once))).to.deep.equal(PLAINTEXT);
      expect(once).to.deep.equal(new Uint8Array(32));
    }
  });

  it('refuses another key, a changed byte and a file that was cut off, and zeroes the key', async () => {
    const key = randomKey();
    const ciphertext = await sealed(key);
    const changed = ciphertext.slice();
    changed[changed.length - 5]! ^= 1;
    const attempts: [Uint8Array, Uint8Array][] = [
      [ciphertext, randomKey()],
      [changed, key.slice()],
      [ciphertext.slice(0, -1), key.slice()],
      [ciphertext.slice(0, 40), key.slice()],
      [new Uint8Array(), key.slice()],
    ];
    for (const [bytes, with_] of attempts) {
      await failureOf(all(decryptPackage(inPieces(bytes), with_)), UntrustedAnswerError);
      expect(with_).to.deep.equal(new Uint8Array(32));
    }
  });

  it('passes on what breaks its source, and ends the source when nobody reads on', async () => {
    const key = randomKey();
    const ciphertext = await sealed(key);
    const broken = (async function* () {
      yield ciphertext.slice(0, 30_000);
      throw new RangeError('the wire broke');
    })();
    expect((await failureOf(all(decryptPackage(broken, key.slice())), RangeError)).message).to.equal(
      'the wire broke',
    );
    let ended = false;
    const watched = (async function* () {
      try {
        yield* inPieces(ciphertext, 500);
      } finally {
        ended = true;
      }
    })();
    for await (const part of decryptPackage(watched, key.slice())) {
      expect(part.length).to.be.greaterThan(0);
      break;
    }
    expect(ended).to.equal(true);
  });
});
