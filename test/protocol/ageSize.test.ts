import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect } from 'chai';
import { ciphertextBytesFor, MAX_AGE_HEADER_BYTES } from '../../server/protocol/ageSize.ts';

describe('ciphertextBytesFor', () => {
  it('is what age adds, with the largest header instead of the real one', async () => {
    for (const length of [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]) {
      const encrypter = new Encrypter();
      encrypter.addRecipient(await identityToRecipient(await generateX25519Identity()));
      const file = await encrypter.encrypt(new Uint8Array(length));
      const header = Buffer.from(file).indexOf('\n', Buffer.from(file).indexOf('\n--- ') + 1) + 1;
      expect(ciphertextBytesFor(length) - file.length, String(length)).to.equal(
        MAX_AGE_HEADER_BYTES - header,
      );
    }
  });
});
