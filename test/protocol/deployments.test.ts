import { expect } from 'chai';
import { drandChain, drandChainHash } from '../../server/local/drandChain.ts';
import { DEPLOYMENTS, type Deployment, deploymentOfChain } from '../../server/protocol/deployments.ts';
import { freshnessWindowBlocks } from '../../server/protocol/freshness.ts';

// quicknet's group hash as published; it goes into the chain hash and nothing else here needs it.
const QUICKNET_GROUP_HASH = 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e';

describe('deployments', () => {
  it('are found by chain', () => {
    expect(deploymentOfChain(8453)).to.equal(DEPLOYMENTS.mainnet);
    expect(deploymentOfChain(84532)).to.equal(DEPLOYMENTS.staging);
    expect(deploymentOfChain(31337)).to.equal(DEPLOYMENTS.local);
    expect(deploymentOfChain(1)).to.equal(undefined);
  });

  it('carry their own name, and a freshness window of 150 blocks', () => {
    for (const [name, deployment] of Object.entries<Deployment>(DEPLOYMENTS)) {
      expect(deployment.name).to.equal(name);
      expect(freshnessWindowBlocks(deployment.blockTimeSeconds)).to.equal(150n);
    }
  });

  it('name no host and no Hub that nobody published', () => {
    for (const deployment of Object.values<Deployment>(DEPLOYMENTS)) {
      expect(deployment.baseUrl).to.equal(undefined);
      expect(deployment.hubAddress).to.equal(undefined);
    }
  });

  it('lock with quicknet, whose hash follows from its key and clock', () => {
    for (const { drand } of [DEPLOYMENTS.mainnet, DEPLOYMENTS.staging]) {
      const { chainHash, publicKey, genesisSeconds: genesis, periodSeconds: period } = drand;
      const info = { publicKey, genesis, period, groupHash: QUICKNET_GROUP_HASH, beaconId: 'quicknet' };
      expect(drandChainHash(info)).to.equal(chainHash);
    }
  });

  it('know the beacon that the local stack runs', () => {
    const { chainHash, publicKey, genesis, period, scheme } = drandChain().info;
    expect(DEPLOYMENTS.local.drand).to.deep.include({
      chainHash,
      publicKey,
      genesisSeconds: genesis,
      periodSeconds: period,
      scheme,
    });
  });
});
