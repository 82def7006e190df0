import { expect } from 'chai';
import fc from 'fast-check';
import type { Address, Hex } from 'viem';
import {
  type ApprovalClaim,
  decodeApprovalHeader,
  encodeApprovalHeader,
  MAX_SIGNATURE_BYTES,
} from '../../server/protocol/approvalHeader.ts';
import vectors from '../vectors/approval.json' with { type: 'json' };

const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const HASH = `0x${'ab'.repeat(32)}` as const;
const SIGNATURE = `0x${'11'.repeat(65)}` as const;

const header = (...fields: (string | number | bigint)[]) => `Service-Approval ${btoa(fields.join('~'))}`;

describe('approval header', () => {
  for (const { why, signer, signature, message, authorization } of vectors) {
    it(`is written and read: ${why}`, () => {
      const claim: ApprovalClaim = {
        address: signer as Address,
        signature: signature as Hex,
        blockNumber: BigInt(message.blockNumber),
        blockHash: message.blockHash as Hex,
      };
      expect(encodeApprovalHeader(claim)).to.equal(authorization);
      expect(decodeApprovalHeader(authorization)).to.deep.equal({
        claim: { ...claim, address: signer.toLowerCase() },
      });
    });
  }

  it('returns every claim that was written', () => {
    const hex = (length: number, max = length) =>
      fc
        .uint8Array({ minLength: length, maxLength: max })
        .map((raw) => `0x${Buffer.from(raw).toString('hex')}` as Hex);
    const claims = fc.record({
      address: hex(20),
      signature: hex(0, 200),
      blockNumber: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      blockHash: hex(32),
    });
    fc.assert(
      fc.property(claims, (claim) => {
        expect(decodeApprovalHeader(encodeApprovalHeader(claim))).to.deep.equal({ claim });
      }),
    );
  });

  it('takes the scheme in any case', () => {
    const value = header(ADDRESS, SIGNATURE, 1, HASH);
    for (const scheme of ['service-approval', 'SERVICE-APPROVAL']) {
      expect(decodeApprovalHeader(value.replace('Service-Approval', scheme))).to.have.property('claim');
    }
  });

  it('takes addresses and block hashes in upper case and gives lower case', () => {
    const value = header(`0x${ADDRESS.slice(2).toUpperCase()}`, SIGNATURE, 1, `0x${'AB'.repeat(32)}`);
    expect(decodeApprovalHeader(value)).to.deep.equal({
      claim: {
        address: ADDRESS.toLowerCase(),
        signature: SIGNATURE,
        blockNumber: 1n,
        blockHash: HASH,
      },
    });
  });

  it('takes the edges of a block number and of a signature', () => {
    const last = 2n ** 256n - 1n;
    expect(decodeApprovalHeader(header(ADDRESS, SIGNATURE, last, HASH))).to.have.nested.property(
      'claim.blockNumber',
      last,
    );
    for (const bytes of [0, 1, 66, MAX_SIGNATURE_BYTES]) {
      const value = header(ADDRESS, `0x${'6f'.repeat(bytes)}`, 2n ** 255n, HASH);
      expect(decodeApprovalHeader(value), String(bytes)).to.have.property('claim');
    }
  });

  const problems: [why: string, value: string, problem: string][] = [
    ['empty', '', 'Authorization'],
    [
      'another scheme',
      header(ADDRESS, SIGNATURE, 1, HASH).replace('Service-Approval', 'Bearer'),
      'Authorization',
    ],
    ['no payload', 'Service-Approval ', 'Authorization'],
    ['scheme alone', 'Service-Approval', 'Authorization'],
    ['two spaces', header(ADDRESS, SIGNATURE, 1, HASH).replace(' ', '  '), 'Authorization'],
    ['tab', header(ADDRESS, SIGNATURE, 1, HASH).replace(' ', '\t'), 'Authorization'],
    ['newline at the end', `${header(ADDRESS, SIGNATURE, 1, HASH)}\n`, 'Authorization'],
    ['space before', ` ${header(ADDRESS, SIGNATURE, 1, HASH)}`, 'Authorization'],
    ['two credentials', `${header(ADDRESS, SIGNATURE, 1, HASH)}, Basic eA==`, 'Authorization'],
    ['whitespace inside', 'Service-Approval YWFh YWFh', 'Authorization'],
    ['base64url', 'Service-Approval -_-_', 'Authorization'],
    ['not base64', 'Service-Approval a', 'base64'],
    ['no padding', 'Service-Approval YQ', 'base64'],
    ['padding of a whole group', 'Service-Approval YWFhYQ=', 'base64'],
    ['unused bits set', 'Service-Approval YR==', 'base64'],
    ['unused bits set, one pad', 'Service-Approval YWF=', 'base64'],
    ['three fields', header(ADDRESS, SIGNATURE, 1), 'address~signature'],
    ['five fields', header(ADDRESS, SIGNATURE, 1, HASH, ''), 'address~signature'],
    ['one field', header('x'), 'address~signature'],
    ['bad checksum', header(ADDRESS.replace('E7E3', 'e7E3'), SIGNATURE, 1, HASH), 'address must'],
    ['short address', header(ADDRESS.slice(0, -2), SIGNATURE, 1, HASH), 'address must'],
    ['name', header('alice.eth', SIGNATURE, 1, HASH), 'address must'],
    ['odd signature', header(ADDRESS, '0x111', 1, HASH), 'signature'],
    ['signature without 0x', header(ADDRESS, '1111', 1, HASH), 'signature'],
    ['empty signature field', header(ADDRESS, '', 1, HASH), 'signature'],
    ['signature with a letter', header(ADDRESS, '0x1g', 1, HASH), 'signature'],
    [
      'signature one byte too long',
      header(ADDRESS, `0x${'11'.repeat(MAX_SIGNATURE_BYTES + 1)}`, 1, HASH),
      'signature',
    ],
    ['far too long', `Service-Approval ${'A'.repeat(100_000)}`, 'longer'],
    ['leading zeros', header(ADDRESS, SIGNATURE, '007', HASH), 'block number'],
    ['hex number', header(ADDRESS, SIGNATURE, '0x10', HASH), 'block number'],
    ['exponent', header(ADDRESS, SIGNATURE, '1e6', HASH), 'block number'],
    ['negative', header(ADDRESS, SIGNATURE, '-1', HASH), 'block number'],
    ['plus', header(ADDRESS, SIGNATURE, '+1', HASH), 'block number'],
    ['no number', header(ADDRESS, SIGNATURE, '', HASH), 'block number'],
    ['2^256', header(ADDRESS, SIGNATURE, 2n ** 256n, HASH), 'block number'],
    ['79 digits', header(ADDRESS, SIGNATURE, '1'.repeat(79), HASH), 'block number'],
    ['short hash', header(ADDRESS, SIGNATURE, 1, HASH.slice(0, -2)), 'block hash'],
    ['long hash', header(ADDRESS, SIGNATURE, 1, `${HASH}00`), 'block hash'],
    ['hash without 0x', header(ADDRESS, SIGNATURE, 1, `00${HASH.slice(2)}`), 'block hash'],
    ['newline after the hash', header(ADDRESS, SIGNATURE, 1, `${HASH}\n`), 'block hash'],
  ];
  for (const [why, value, problem] of problems) {
    it(`is refused: ${why}`, () => {
      const decoded = decodeApprovalHeader(value);
      expect(decoded).to.have.property('problem').that.contains(problem);
    });
  }

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (raw, fields) => {
        for (const value of [raw, `Service-Approval ${raw}`, header(fields)]) {
          expect(decodeApprovalHeader(value)).to.have.property('problem');
        }
      }),
    );
  });
});
