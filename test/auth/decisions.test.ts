// The verifier's decisions on golden requests made with fixed keys: what arrives, and status and code of the answer.

import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import type { Hex } from 'viem';
import { createApprovalVerifier } from '../../server/auth/approval.ts';
import { loadRecovery, recoverPure } from '../../server/auth/ecdsa.ts';
import type { ServiceError } from '../../server/protocol/errors.ts';
import vectors from '../vectors/approvalDecisions.json' with { type: 'json' };
import { scriptedChain } from './scriptedChain.ts';

// It has no contract wallets.
const chain = scriptedChain(Number(vectors.chain.head));

describe('golden decisions', () => {
  for (const [name, load] of [
    ['native', async () => (await loadRecovery()).recover],
    ['pure', async () => recoverPure],
  ] as const) {
    for (const { why, request, authorization, expected } of vectors.cases) {
      it(`${name}: ${why} is ${expected.status}`, async () => {
        const verify = createApprovalVerifier({
          chain,
          chainId: vectors.deployment.chain_id,
          hubAddress: vectors.deployment.hub_address as Hex,
          publicHosts: vectors.public_hosts,
          blockTimeSeconds: vectors.block_time_seconds,
          recover: await load(),
          validateContract: async () => false,
        });
        const rawHeaders = [
          'Host',
          request.host,
          ...(authorization === null ? [] : ['Authorization', authorization]),
        ];
        const incoming = { method: request.method, url: request.target, rawHeaders } as IncomingMessage;
        const decision = await verify(
          incoming,
          new TextEncoder().encode(request.body_utf8),
          '127.0.0.1',
        ).then(
          ({ signer }) => ({ status: 200, signer }),
          (error: unknown) => ({
            status: (error as ServiceError).status,
            code: (error as ServiceError).code,
          }),
        );
        const wanted =
          'signer' in expected ? { ...expected, signer: expected.signer!.toLowerCase() } : expected;
        expect(decision).to.deep.equal(wanted);
      });
    }
  }

  it('has libsecp256k1 to try', async () => {
    expect((await loadRecovery()).native).to.equal(process.platform === 'linux' && process.arch === 'x64');
  });
});
