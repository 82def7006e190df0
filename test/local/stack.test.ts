// The shared stack's parts, each answering for itself, and what they promise each other.

import { expect } from 'chai';
import pg from 'pg';
import { hubAbi } from '../../abis/hubAbi.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { actorsOn } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { sharedStack } from '../localStack.ts';

describe('the local stack', function () {
  this.timeout(60_000);
  let stack: LocalStack;

  before(async () => {
    stack = await sharedStack();
  });

  const graphql = async (url: string, query: string): Promise<{ data?: unknown; errors?: unknown }> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as { data?: unknown; errors?: unknown };
  };

  it('has the Hub where the local deployment says, with the roster whose keys it hands out', async () => {
    const { client, guardians } = actorsOn(stack);
    const hub = { address: stack.hubAddress, abi: hubAbi } as const;
    expect(stack.hubAddress).to.equal('0x5FbDB2315678afecb367f032d93F642f64180aa3');
    const rosterHash = await client.readContract({ ...hub, functionName: 'currentRosterHash' });
    const roster = await client.readContract({ ...hub, functionName: 'roster', args: [rosterHash] });
    expect(roster).to.deep.equal(
      guardians.map(({ address, name, encryption_public_key }) => ({
        account: address,
        name,
        encryptionPublicKey: encryption_public_key,
      })),
    );
  });

  it('indexes a bounty in the hub subgraph, and makes it final when told to', async () => {
    const clock = clockOf(stack);
    const { bountyId, amount } = await actorsOn(stack).createBounty();
    const block = await clock.finalize();
    const query = `{ bounty(id: "${bountyId}", block: {number: ${block}}) { amount } _meta { hasIndexingErrors deployment } }`;
    expect(await graphql(stack.subgraphUrl, query)).to.deep.equal({
      data: {
        bounty: { amount: String(amount) },
        _meta: { hasIndexingErrors: false, deployment: stack.subgraphDeploymentId },
      },
    });
  });

  it('serves the documents subgraph beside it, without indexing errors', async () => {
    expect(await graphql(stack.documentsUrl, '{ _meta { hasIndexingErrors } }')).to.deep.equal({
      data: { _meta: { hasIndexingErrors: false } },
    });
  });

  it("keeps the service's role out of graph-node's database, and graph-node's out of the service's", async () => {
    const refusal = async (text: string, database: string): Promise<string | undefined> => {
      const url = new URL(text);
      url.pathname = `/${database}`;
      const client = new pg.Client({ connectionString: url.href });
      try {
        await client.connect();
        return undefined;
      } catch (error) {
        return (error as { code?: string }).code;
      } finally {
        await client.end();
      }
    };
    const insufficientPrivilege = '42501';
    const { graphNodeUrl, serviceUrl } = stack.parts.postgres.current;
    expect(await refusal(serviceUrl, 'bounty_service')).to.equal(undefined);
    expect(await refusal(graphNodeUrl, 'graph_node')).to.equal(undefined);
    expect(await refusal(serviceUrl, 'graph_node')).to.equal(insufficientPrivilege);
    expect(await refusal(serviceUrl, 'postgres')).to.equal(insufficientPrivilege);
    expect(await refusal(graphNodeUrl, 'bounty_service')).to.equal(insufficientPrivilege);
  });

  it("moves the beacon with the chain's clock", async () => {
    const { drand } = stack;
    const clock = clockOf(stack);
    const round = Math.ceil(((await clock.now()) + 600 - drand.genesis) / drand.period) + 1;
    const status = async (): Promise<number> => (await fetch(`${drand.url}/public/${round}`)).status;
    await clock.warpTo(drand.genesis + (round - 1) * drand.period - 1);
    expect(await status()).to.equal(425);
    await clock.warpTo(drand.genesis + (round - 1) * drand.period);
    expect(await status()).to.equal(200);
  });

  it('answers as an IPFS node', async () => {
    const response = await fetch(`${stack.ipfsUrl}/api/v0/version`, { method: 'POST' });
    expect(response.status).to.equal(200);
  });

  it("gives a server every variable it needs, and no secret in anybody's arguments", async () => {
    const environment = stack.serverEnvironment({ LOG_LEVEL: 'debug' });
    expect(environment.LOG_LEVEL).to.equal('debug');
    const processes = [stack.parts.chain, stack.parts.postgres, stack.parts.graphNode];
    const commandLines = processes.flatMap(({ current }) => current.process.spawnargs).join(' ');
    const password = new URL(stack.databaseUrl).password;
    expect(password).to.have.lengthOf(43);
    expect(commandLines).to.not.include(password);
    expect(commandLines).to.not.include(new URL(stack.parts.postgres.current.graphNodeUrl).password);
  });
});
