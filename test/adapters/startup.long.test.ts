// What a server refuses to start with, each in one line that names the variable; and what it waits for instead.

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Hex } from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { actorsOn } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { startWireProxy } from '../faults/wireProxy.ts';
import { sharedStack } from '../localStack.ts';

describe('the start of a server', function () {
  this.timeout(60_000);
  let stack: LocalStack;

  before(async () => {
    stack = await sharedStack();
  });

  const start = (changes: Record<string, string>, untilReady = true): Promise<LocalApiServer> =>
    startApiServer(stack.serverEnvironment(changes), {
      watch: { adopt: () => {}, end: stack.watch.end },
      untilReady,
    });

  /** The one line that a server says before it ends with code 1. */
  const refusal = async (changes: Record<string, string>): Promise<string> => {
    const error = await start(changes).then(
      async (server) => {
        await server.stop();
        return new Error('It started.');
      },
      (failure: Error) => failure,
    );
    const said = error.message.split('\n').filter((line) => line.startsWith('The service cannot start: '));
    expect(said, error.message).to.have.length(1);
    return said[0]!;
  };

  it('refuses a wrong chain id, and a Hub without code', async () => {
    expect(await refusal({ CHAIN_ID: '1' })).to.contain('CHAIN_ID is 1, but an RPC serves chain 31337');
    expect(await refusal({ HUB_ADDRESS: `0x${'ab'.repeat(20)}` })).to.contain('has no code');
  });

  it('refuses another deployment of the subgraph, and the subgraph of another Hub', async () => {
    expect(await refusal({ SUBGRAPH_DEPLOYMENT_ID: 'QmOther' })).to.contain(
      'SUBGRAPH_DEPLOYMENT_ID is QmOther',
    );
    const actors = actorsOn(stack);
    const { bytecode } = JSON.parse(
      readFileSync(new URL('../../abis/Hub.json', import.meta.url), 'utf8'),
    ) as {
      bytecode: Hex;
    };
    const { address } = actors.owner;
    const hash = await actors.client.deployContract({
      abi: hubAbi,
      bytecode,
      args: [address, 100, address],
      account: actors.owner.account,
    });
    const { contractAddress } = await actors.client.waitForTransactionReceipt({ hash });
    expect(await refusal({ HUB_ADDRESS: contractAddress! })).to.contain(
      'indexes another Hub than HUB_ADDRESS',
    );
  });

  it('refuses an index that has pruned its history', async () => {
    await actorsOn(stack).createBounty();
    await clockOf(stack).finalize();
    const proxy = await startWireProxy(stack.subgraphUrl);
    const message =
      'subgraph Qm only has data starting at block number 900 and data for block number 9 is not available';
    proxy.fault = (_path, body) =>
      body.includes('bounty(id: $id') && !body.includes('$pin')
        ? {
            kind: 'status',
            status: 200,
            body: JSON.stringify({ errors: [{ message }] }),
            headers: { 'Content-Type': 'application/json' },
          }
        : undefined;
    try {
      expect(await refusal({ SUBGRAPH_URL: proxy.url })).to.contain('has pruned its history');
    } finally {
      await proxy.stop();
    }
  });

  it('refuses a database that cannot be reached, without telling its password', async () => {
    const said = await refusal({
      DATABASE_URL: 'postgresql://bounty_service:s3cret@127.0.0.1:1/bounty_service',
    });
    expect(said).to.contain('DATABASE_URL').and.to.not.contain('s3cret');
  });

  it('starts while the index is away, and says so at /readyz', async () => {
    const server = await start({ SUBGRAPH_URL: 'http://127.0.0.1:1/subgraphs/name/hub' }, false);
    try {
      const response = await fetch(`${server.url}/readyz`);
      const { checks } = (await response.json()) as {
        checks: { index: { ok: boolean }; chain: { ok: boolean } };
      };
      expect([response.status, checks.index.ok, checks.chain.ok]).to.deep.equal([503, false, true]);
    } finally {
      server.process.kill('SIGTERM');
    }
  });
});
