import { expect } from 'chai';
import type { Address, Hex } from 'viem';
import { decodeBase64Url, encodeBase64Url } from '../../server/protocol/base64Url.ts';
import type { HpkeBinding } from '../../server/protocol/hpke.ts';
import {
  deliveryBinding,
  guardianBinding,
  openKey,
  posterBinding,
  WRAPPED_KEY_BYTES,
  wrapKey,
} from '../../server/protocol/keyWrap.ts';
import type { SubmissionContext } from '../../server/protocol/submissionContext.ts';
import { keyId, x25519PublicKey } from '../../server/protocol/x25519KeyPair.ts';
import vector from '../vectors/delivery.json' with { type: 'json' };

const bytes = (text: string) => decodeBase64Url(text)!;
const text = (raw: Uint8Array) => new TextDecoder().decode(raw);
const contentKey = bytes(vector.content_key);
const context = vector.context as SubmissionContext;
const submissionCommitment = vector.submission_commitment as Hex;
const place = { context, submissionCommitment, keyId: vector.delivery_key_id };
const [guardian, delivery, poster] = vector.wraps as [Wrap, Wrap, Wrap];
const account = guardian.account as Address;
const posterAddress = poster.poster_address as Address;

type Wrap = (typeof vector.wraps)[number];

const bindings: [wrap: Wrap, binding: HpkeBinding][] = [
  [guardian, guardianBinding(context, vector.ciphertext_sha256, account)],
  [delivery, deliveryBinding(place)],
  [poster, posterBinding(place, posterAddress)],
];

describe('key wrap', () => {
  for (const [wrap, binding] of bindings) {
    it(`to the ${wrap.purpose} is the golden one and opens`, async () => {
      expect(text(binding.info)).to.equal(wrap.info);
      expect(text(binding.aad)).to.equal(wrap.aad);
      const publicKey = x25519PublicKey(bytes(wrap.private_key));
      expect(encodeBase64Url(publicKey)).to.equal(wrap.public_key);
      const wrapped = await wrapKey(contentKey, publicKey, binding, bytes(wrap.ephemeral_seed));
      expect(wrapped).to.equal(wrap.wrapped_key);
      expect(bytes(wrapped)).to.have.length(WRAPPED_KEY_BYTES);
      expect(await openKey(wrapped, bytes(wrap.private_key), binding)).to.deep.equal(contentKey);
    });
  }

  it('opens for no other purpose, with the same key', async () => {
    for (const [, made] of bindings) {
      const wrapped = await wrapKey(contentKey, bytes(guardian.public_key), made);
      for (const [, tried] of bindings) {
        const opened = await openKey(wrapped, bytes(guardian.private_key), tried);
        expect(opened !== undefined).to.equal(tried === made);
      }
    }
  });

  it('opens for no other Guardian, ciphertext, Submission, key or Poster', async () => {
    const other = '0x00000000000000000000000000000000000000b2' as Address;
    const foreign = { ...context, bounty_id: '8' };
    const pairs: [made: HpkeBinding, tried: HpkeBinding][] = [
      [bindings[0]![1], guardianBinding(context, vector.ciphertext_sha256, other)],
      [bindings[0]![1], guardianBinding(context, '00'.repeat(32), account)],
      [bindings[0]![1], guardianBinding(foreign, vector.ciphertext_sha256, account)],
      [bindings[1]![1], deliveryBinding({ ...place, context: foreign })],
      [bindings[1]![1], deliveryBinding({ ...place, submissionCommitment: `0x${'34'.repeat(32)}` })],
      [bindings[1]![1], deliveryBinding({ ...place, keyId: 'another' })],
      [bindings[2]![1], posterBinding(place, other)],
      [bindings[2]![1], posterBinding({ ...place, keyId: 'another' }, posterAddress)],
    ];
    for (const [made, tried] of pairs) {
      const wrapped = await wrapKey(contentKey, bytes(guardian.public_key), made);
      expect(await openKey(wrapped, bytes(guardian.private_key), made)).to.deep.equal(contentKey);
      expect(await openKey(wrapped, bytes(guardian.private_key), tried), text(tried.aad)).to.equal(undefined);
    }
  });

  it('binds addresses and commitments by value, not by case', () => {
    const upper = `0x${submissionCommitment.slice(2).toUpperCase()}` as Hex;
    expect(
      guardianBinding(context, vector.ciphertext_sha256, account.toLowerCase() as Address),
    ).to.deep.equal(bindings[0]![1]);
    expect(deliveryBinding({ ...place, submissionCommitment: upper })).to.deep.equal(bindings[1]![1]);
    expect(
      posterBinding({ ...place, submissionCommitment: upper }, posterAddress.toLowerCase() as Address),
    ).to.deep.equal(bindings[2]![1]);
  });

  it('does not open when it is malformed', async () => {
    const { wrapped_key, private_key } = delivery;
    const raw = bytes(wrapped_key);
    const bad = [
      '',
      'AA',
      `${wrapped_key}=`,
      `${wrapped_key} `,
      encodeBase64Url(raw.slice(1)),
      encodeBase64Url(Uint8Array.of(...raw, 0)),
      encodeBase64Url(new Uint8Array(80)),
    ];
    for (const wrap of bad)
      expect(await openKey(wrap, bytes(private_key), bindings[1]![1]), wrap).to.equal(undefined);
  });

  it('wraps 32 bytes only, and to no low-order key', async () => {
    const publicKey = bytes(delivery.public_key);
    const attempts = [
      wrapKey(contentKey.slice(1), publicKey, bindings[1]![1]),
      wrapKey(new Uint8Array(33), publicKey, bindings[1]![1]),
      wrapKey(contentKey, new Uint8Array(32), bindings[1]![1]),
    ];
    for (const attempt of attempts) {
      expect(await attempt.catch((error: unknown) => error)).to.be.instanceOf(RangeError);
    }
  });
});

describe('keyId', () => {
  it('names a public key in 22 characters', () => {
    expect(keyId(bytes(delivery.public_key))).to.equal(vector.delivery_key_id);
    expect(vector.delivery_key_id).to.have.length(22);
    expect(keyId(bytes(poster.public_key))).to.not.equal(vector.delivery_key_id);
  });
});
