// The configuration: every fault at once and by name, secrets from files, nothing that was given repeated in a fault.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError, readConfig } from '../server/config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64url');
const COMPLETE = {
  CHAIN_ID: '31337',
  HUB_ADDRESS: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  RPC_URLS: 'http://127.0.0.1:8545,https://rpc.example/key',
  SUBGRAPH_URL: 'http://127.0.0.1:8000/subgraphs/name/bounty/hub',
  SUBGRAPH_DEPLOYMENT_ID: 'QmHub',
  IPFS_API_URL: 'http://127.0.0.1:5001/',
  DATABASE_URL: 'postgresql://service:secret@127.0.0.1:5432/bounty_service',
  PUBLIC_URL: 'https://API.example.org',
  PUBLIC_HOSTS: 'API.example.org,api.example.org:8443',
  DELIVERY_PRIVATE_KEY: KEY,
  URL_SIGNING_KEY: KEY,
  DRAND_CHAIN_HASH: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  DRAND_PUBLIC_KEY: 'ab'.repeat(96),
  DRAND_GENESIS: '1692803367',
  DRAND_PERIOD: '3',
  DRAND_SCHEME: 'bls-unchained-g1-rfc9380',
  DRAND_URLS: 'https://api.drand.example',
};

function faultsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('the configuration', () => {
  it('reads a complete environment, frozen, hosts and addresses in lower case', () => {
    const config = readConfig(COMPLETE);
    expect(config.publicHosts).to.deep.equal(['api.example.org', 'api.example.org:8443']);
    expect(config.hubAddress).to.equal(COMPLETE.HUB_ADDRESS.toLowerCase());
    expect(config.ipfsApiUrl).to.equal('http://127.0.0.1:5001');
    expect(config.rpcUrls).to.have.length(2);
    expect(
      Object.isFrozen(config) && Object.isFrozen(config.reviewer) && Object.isFrozen(config.publicHosts),
    ).to.equal(true);
  });

  it('lists everything that is missing at once', () => {
    const faults = faultsOf({});
    for (const name of Object.keys(COMPLETE)) expect(faults.join('\n')).to.contain(name);
    expect(faults).to.have.length(Object.keys(COMPLETE).length);
  });

  for (const [name, value] of [
    ['CHAIN_ID', '0x1'],
    ['CHAIN_ID', '01'],
    ['HUB_ADDRESS', `0x${'0'.repeat(40)}`],
    ['HUB_ADDRESS', 'hub.eth'],
    ['RPC_URLS', 'http://a,ftp://b'],
    ['SUBGRAPH_URL', 'localhost'],
    ['DATABASE_URL', 'mysql://x'],
    ['PUBLIC_HOSTS', 'a b'],
    ['DELIVERY_PRIVATE_KEY', KEY.slice(1)],
    ['DELIVERY_PRIVATE_KEY', `${KEY.slice(0, 42)}d`],
    ['DRAND_CHAIN_HASH', 'AB'.repeat(32)],
    ['DRAND_PERIOD', '0'],
    ['PORT', '65536'],
    ['LOG_LEVEL', 'loud'],
    ['TRUSTED_PROXIES', 'proxy.example'],
  ] as const) {
    it(`names ${name} when it is ${value.slice(0, 24)}, and not the value`, () => {
      const faults = faultsOf({ ...COMPLETE, [name]: value });
      expect(faults).to.have.length(1);
      expect(faults[0]).to.contain(name);
      if (name.includes('KEY') || name.includes('DATABASE')) expect(faults[0]).to.not.contain(value);
    });
  }

  it('wants the reviewer whole or not at all', () => {
    expect(faultsOf({ ...COMPLETE, REVIEWER_URL: 'https://llm.example' })[0]).to.contain('REVIEWER_API_KEY');
    const reviewer = { REVIEWER_URL: 'https://llm.example', REVIEWER_API_KEY: 'k', REVIEWER_MODEL: 'm' };
    expect(faultsOf({ ...COMPLETE, ...reviewer })).to.deep.equal([]);
  });

  it('refuses a reviewer that no request can be sent to, without quoting it', () => {
    const reviewer = { REVIEWER_URL: 'https://llm.example', REVIEWER_API_KEY: 'k', REVIEWER_MODEL: 'm' };
    for (const [name, value] of [
      ['REVIEWER_API_KEY', 'sec ret'],
      ['REVIEWER_API_KEY', 'secrét'],
      ['REVIEWER_URL', 'https://user:secret@llm.example'],
      ['REVIEWER_URL', 'ftp://llm.example'],
    ] as const) {
      const faults = faultsOf({ ...COMPLETE, ...reviewer, [name]: value });
      expect(faults[0]).to.contain(name);
      expect(faults.join()).to.not.contain(value);
    }
  });

  describe('secrets from files', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'config-'));
    });
    after(() => rmSync(folder, { recursive: true }));

    it('are read, trimmed', () => {
      const file = join(folder, 'key');
      writeFileSync(file, `${KEY}\n`);
      const { URL_SIGNING_KEY: _, ...rest } = COMPLETE;
      expect(readConfig({ ...rest, URL_SIGNING_KEY_FILE: file }).urlSigningKey).to.deep.equal(
        new Uint8Array(32).fill(7),
      );
    });

    it('are refused beside the variable itself, and when they cannot be read', () => {
      const missing = join(folder, 'missing');
      expect(faultsOf({ ...COMPLETE, URL_SIGNING_KEY_FILE: missing })[0]).to.contain('keep one');
      const { URL_SIGNING_KEY: _, ...rest } = COMPLETE;
      expect(faultsOf({ ...rest, URL_SIGNING_KEY_FILE: missing })[0]).to.contain('cannot be read');
    });
  });
});
