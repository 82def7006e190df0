import { expect } from 'chai';
import type { Address, Hex } from 'viem';
import { commitmentLocator } from '../../server/protocol/address.ts';
import { canonicalBytes } from '../../server/protocol/canonicalJson.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import {
  type Envelope,
  type EnvelopeContext,
  envelopeContextIssues,
  parseEnvelope,
  submissionCommitment,
} from '../../server/protocol/envelope.ts';
import { LIMITS } from '../../server/protocol/limits.ts';
import vector from '../vectors/envelope.json' with { type: 'json' };
import { ENVELOPE_CONTEXT, envelope } from './envelopeFixture.ts';

const right = envelope();

function issuesOf(value: unknown): { path: string; message: string }[] {
  const parsed = parseEnvelope(canonicalBytes(value));
  return 'issues' in parsed ? parsed.issues : [];
}

describe('parseEnvelope', () => {
  it('reads a right envelope from its canonical bytes', () => {
    expect(parseEnvelope(canonicalBytes(right))).to.deep.equal({ envelope: right });
  });

  it('reads the golden one, whose commitment is known', () => {
    const bytes = new TextEncoder().encode(vector.canonical_json);
    const parsed = parseEnvelope(bytes);
    expect(parsed).to.have.property('envelope');
    expect(submissionCommitment((parsed as { envelope: Envelope }).envelope)).to.equal(
      vector.submission_commitment,
    );
    expect(commitmentOf(bytes)).to.equal(vector.submission_commitment);
  });

  it('refuses bytes in another form, or too many', () => {
    const pretty = new TextEncoder().encode(JSON.stringify(right, null, 2));
    expect(parseEnvelope(pretty)).to.have.nested.property('issues[0].message').that.contains('canonical');
    const huge = parseEnvelope(new Uint8Array(LIMITS.documentBytes + 1));
    expect(huge).to.have.nested.property('issues[0].message').that.contains('262144');
    const exact = parseEnvelope(new Uint8Array(LIMITS.documentBytes));
    expect(exact).to.have.nested.property('issues[0].message').that.contains('JSON');
  });

  const { context, bundle, recipients, reveal_policy, key_bag, storage } = right;
  const faults: [why: string, value: unknown, path: string, message: string][] = [
    ['a list', [], '', 'object'],
    [
      'another schema',
      envelope({ schema: 'submission-envelope/v1' as never }),
      '/schema',
      'submission-envelope/v0',
    ],
    ['no storage', { ...right, storage: undefined }, '/storage', 'missing'],
    ['unknown key', { ...right, note: '' }, '/note', 'unknown'],
    ['unknown inner key', envelope({ bundle: { ...bundle, name: 'x' } as never }), '/bundle/name', 'unknown'],
    [
      'chain id as text',
      envelope({ context: { ...context, chain_id: '1' as never } }),
      '/context/chain_id',
      'chain id',
    ],
    [
      'bounty id as number',
      envelope({ context: { ...context, bounty_id: 7 as never } }),
      '/context/bounty_id',
      'decimal',
    ],
    [
      'checksum case',
      envelope({ context: { ...context, solver_address: ENVELOPE_CONTEXT.solverAddress } }),
      '/context/solver_address',
      'lower case',
    ],
    [
      'upper-case digest',
      envelope({ bundle: { ...bundle, ciphertext_sha256: bundle.ciphertext_sha256.toUpperCase() } }),
      '/bundle/ciphertext_sha256',
      'SHA-256',
    ],
    [
      'length 0',
      envelope({ bundle: { ...bundle, ciphertext_byte_length: 0 } }),
      '/bundle/ciphertext_byte_length',
      'positive',
    ],
    [
      'other encryption',
      envelope({ bundle: { ...bundle, encryption: 'none' as never } }),
      '/bundle/encryption',
      'age-x25519',
    ],
    [
      'roster hash without 0x',
      envelope({ recipients: { ...recipients, guardian_roster_hash: '22' as Hex } }),
      '/recipients/guardian_roster_hash',
      'bytes32',
    ],
    [
      'other policy',
      envelope({ reveal_policy: { ...reveal_policy, type: 'none' as never } }),
      '/reveal_policy/type',
      'drand-timelock',
    ],
    [
      'round 0',
      envelope({ reveal_policy: { ...reveal_policy, round: 0 } }),
      '/reveal_policy/round',
      'from 1',
    ],
    [
      'chain hash with 0x',
      envelope({ reveal_policy: { ...reveal_policy, chain_hash: `0x${reveal_policy.chain_hash}` } }),
      '/reveal_policy/chain_hash',
      'drand chain',
    ],
    [
      'padded bag',
      envelope({ key_bag: { ...key_bag, ciphertext: `${key_bag.ciphertext}=` } }),
      '/key_bag/ciphertext',
      'base64url',
    ],
    [
      'bag with unused bits',
      envelope({ key_bag: { ...key_bag, ciphertext: 'YR' } }),
      '/key_bag/ciphertext',
      'base64url',
    ],
    ['other bag', envelope({ key_bag: { ...key_bag, ciphertext: 'YQ' } }), '/key_bag/sha256', 'SHA-256'],
    [
      'other locator',
      envelope({ storage: { locator: commitmentLocator(ENVELOPE_CONTEXT.specCommitment) } }),
      '/storage/locator',
      'follows',
    ],
    [
      'malformed locator',
      envelope({ storage: { locator: `${storage.locator}/` } }),
      '/storage/locator',
      'ipfs://',
    ],
  ];
  for (const [why, value, path, message] of faults) {
    it(`names: ${why}`, () => {
      const issues = issuesOf(value);
      expect(issues).to.have.length(1);
      expect(issues[0]).to.have.property('path', path);
      expect(issues[0]).to.have.property('message').that.contains(message);
    });
  }
});

describe('envelopeContextIssues', () => {
  it('has nothing against the right bounty, and takes hashes in any case', () => {
    expect(envelopeContextIssues(right, ENVELOPE_CONTEXT)).to.deep.equal([]);
    const upper = (hex: Hex) => `0x${hex.slice(2).toUpperCase()}` as Hex;
    const context = {
      ...ENVELOPE_CONTEXT,
      guardianRosterHash: upper(ENVELOPE_CONTEXT.guardianRosterHash),
      recipientsCommitment: upper(ENVELOPE_CONTEXT.recipientsCommitment),
    };
    expect(envelopeContextIssues(right, context)).to.deep.equal([]);
  });

  const other = '0x00000000000000000000000000000000000000b2' as Address;
  const hash = `0x${'99'.repeat(32)}` as const;
  const { drand } = ENVELOPE_CONTEXT;
  const cases: [path: string, change: Partial<EnvelopeContext>, message: string][] = [
    ['/context/chain_id', { chainId: 1 }, 'chain'],
    ['/context/hub_address', { hubAddress: other }, 'Hub'],
    ['/context/bounty_id', { bountyId: 8n }, 'bounty'],
    ['/context/solver_address', { solverAddress: other }, 'Solver'],
    ['/context/spec_commitment', { specCommitment: hash }, 'spec_commitment'],
    ['/bundle/ciphertext_byte_length', { maxCiphertextBytes: 4999 }, '4999'],
    ['/recipients/guardian_roster_hash', { guardianRosterHash: hash }, 'pinned roster'],
    ['/recipients/recipients_commitment', { recipientsCommitment: hash }, 'pinned roster'],
    ['/reveal_policy/chain_hash', { drand: { ...drand, chainHash: '00'.repeat(32) } }, 'drand chain'],
    [
      '/reveal_policy/round',
      { drand: { ...drand, genesisSeconds: drand.genesisSeconds - 3 } },
      'Must be 30000002',
    ],
  ];
  for (const [path, change, message] of cases) {
    it(`names ${path}`, () => {
      const issues = envelopeContextIssues(right, { ...ENVELOPE_CONTEXT, ...change });
      expect(issues.map((issue) => issue.path)).to.deep.equal([path]);
      expect(issues[0]).to.have.property('message').that.contains(message);
    });
  }

  it('names round and not_before when the deadline is another', () => {
    const issues = envelopeContextIssues(right, { ...ENVELOPE_CONTEXT, submissionDeadline: 1_790_000_003 });
    expect(issues).to.deep.equal([
      {
        path: '/reveal_policy/round',
        message: 'Must be 30000002, the first round at or after the deadline.',
      },
      { path: '/reveal_policy/not_before', message: "Must be 1790000003, the bounty's submission deadline." },
    ]);
  });
});
