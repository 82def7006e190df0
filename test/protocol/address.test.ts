import { expect } from 'chai';
import fc from 'fast-check';
import type { Hex } from 'viem';
import {
  ciphertextCid,
  ciphertextLocator,
  commitmentCid,
  commitmentLocator,
  locatorCiphertextSha256,
  locatorCommitment,
} from '../../server/protocol/address.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { sha256Hex } from '../../server/protocol/sha256Hex.ts';
import vectors from '../vectors/address.json' with { type: 'json' };
import { vectorBytes } from './vectorBytes.ts';

const COMMITMENT = '0x8a8886e16c8804fe3ee707097b343f30381d4098942d7488059b7f283b54c0c1';
const CID_TEXT = 'bafkrwiekrcdoc3eiat7d5zyhbf5tipzqhaoubgeufv2iqbm3p4udwvgaye';

describe('address of a document', () => {
  for (const { utf8, commitment, storage_locator } of vectors.documents) {
    it(`is computed from the commitment of ${JSON.stringify(utf8)}`, () => {
      expect(commitmentOf(vectorBytes(utf8))).to.equal(commitment);
      expect(commitmentLocator(commitment as Hex)).to.equal(storage_locator);
      expect(locatorCommitment(storage_locator)).to.equal(commitment);
    });
  }

  it('is the published CID of a known commitment', () => {
    expect(commitmentCid(COMMITMENT).toString()).to.equal(CID_TEXT);
  });

  it('takes a commitment in any case and gives it back in lower case', () => {
    const upper = `0x${COMMITMENT.slice(2).toUpperCase()}` as Hex;
    expect(locatorCommitment(commitmentLocator(upper))).to.equal(COMMITMENT);
  });

  it('refuses what is no 32-byte hash', () => {
    for (const bad of ['0x', '0x00', `${COMMITMENT}00`, COMMITMENT.slice(2), `0x${'g'.repeat(64)}`]) {
      expect(() => commitmentLocator(bad as Hex), bad).to.throw(TypeError);
    }
  });
});

describe('address of a ciphertext', () => {
  for (const { utf8, ciphertext_sha256, ciphertext_byte_length, storage_locator } of vectors.ciphertexts) {
    it(`is computed from the digest of ${JSON.stringify(utf8)}`, () => {
      const bytes = vectorBytes(utf8);
      expect(bytes).to.have.length(ciphertext_byte_length);
      expect(sha256Hex(bytes)).to.equal(ciphertext_sha256);
      expect(ciphertextLocator(ciphertext_sha256)).to.equal(storage_locator);
      expect(locatorCiphertextSha256(storage_locator)).to.equal(ciphertext_sha256);
    });
  }

  it('refuses what is no digest', () => {
    for (const bad of ['', 'ab', `0x${'0'.repeat(64)}`, '0'.repeat(63)]) {
      expect(() => ciphertextCid(bad), bad).to.throw(TypeError);
    }
  });
});

describe('reading a locator', () => {
  it('returns to every hash it was made from, and never mixes the two kinds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (hash) => {
        const hex = Buffer.from(hash).toString('hex');
        expect(locatorCommitment(commitmentLocator(`0x${hex}`))).to.equal(`0x${hex}`);
        expect(locatorCiphertextSha256(ciphertextLocator(hex))).to.equal(hex);
        expect(locatorCommitment(ciphertextLocator(hex))).to.equal(undefined);
        expect(locatorCiphertextSha256(commitmentLocator(`0x${hex}`))).to.equal(undefined);
      }),
    );
  });

  it('refuses every other spelling', () => {
    const locator = commitmentLocator(COMMITMENT);
    const others = [
      '',
      'ipfs://',
      CID_TEXT,
      `IPFS://${CID_TEXT}`,
      `${locator}/`,
      `${locator}?x`,
      ` ${locator}`,
      `${locator}a`,
      locator.toUpperCase(),
      `ipfs://${CID_TEXT.toUpperCase()}`,
      `ipfs://${commitmentCid(COMMITMENT).toString().slice(0, -1)}`,
      `https://ipfs.io/ipfs/${CID_TEXT}`,
      'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
      // CIDv1 of codec dag-pb over sha2-256: right hash, wrong codec.
      'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
    ];
    for (const other of others) {
      expect(locatorCommitment(other), other).to.equal(undefined);
      expect(locatorCiphertextSha256(other), other).to.equal(undefined);
    }
  });
});
