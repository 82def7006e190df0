// docker-compose.yml, of which no engine is needed to say: it is valid, complete, and agrees with the code it starts.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { DockerfileParser } from 'dockerfile-ast';
import { parse } from 'yaml';
import { ConfigError, readConfig } from '../../server/config.ts';
import { DEPLOYMENTS } from '../../server/protocol/deployments.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: { readonly dockerfile: string; readonly target: string };
  readonly environment?: Record<string, string>;
  readonly healthcheck?: { readonly test: string[] };
  readonly restart: string;
  readonly ports?: string[];
  readonly profiles?: string[];
  readonly depends_on?: Record<string, { condition: string }>;
  readonly secrets?: string[];
  readonly volumes?: string[];
  readonly command?: string[];
  readonly read_only?: boolean;
  readonly user?: string;
  readonly cap_drop?: string[];
}

interface Compose {
  readonly services: Record<string, Service>;
  readonly secrets: Record<string, { readonly file: string }>;
  readonly configs: Record<string, { readonly file: string }>;
}

/** The text with `${NAME:-default}` as Compose fills it in, when nothing is set. */
const filledIn = (text: string): string => text.replaceAll(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1');

describe('docker-compose.yml', () => {
  const text = read('docker-compose.yml');
  const compose = parse(text, { merge: true }) as Compose;
  const { services } = compose;
  const service = services.service!;
  const dockerfile = DockerfileParser.parse(read('server/docker/Dockerfile'));

  it('is valid under the Compose specification’s schema', () => {
    const linter = dirname(createRequire(import.meta.url).resolve('dclint/package.json'));
    const text = readFileSync(join(linter, 'schemas/compose.schema.json'), 'utf8');
    const { $schema: _draft7, ...schema } = JSON.parse(text) as { $schema: string };
    const accepts = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema);
    expect(accepts(compose), JSON.stringify(accepts.errors)).to.equal(true);
  });

  it('sets variables that the configuration reads, every one that it needs, and values that it takes', () => {
    const source = read('server/config.ts');
    const known = new Set([...source.matchAll(/'([A-Z][A-Z0-9_]{3,})'/g)].map(([, name]) => name!));
    for (const name of Object.keys(service.environment!))
      expect([...known], name).to.include(name.replace(/_FILE$/, ''));
    const files = Object.keys(service.environment!).filter((name) => name.endsWith('_FILE'));
    const key = Buffer.alloc(32, 1).toString('base64url');
    const secrets: Record<string, string> = {
      DATABASE_URL: 'postgresql://bounty_service:x@postgres/bounty_service',
      SUBGRAPH_DEPLOYMENT_ID: 'QmX',
      DELIVERY_PRIVATE_KEY: key,
      URL_SIGNING_KEY: key,
      REVIEWER_API_KEY: '',
    };
    expect(files.map((name) => name.replace(/_FILE$/, ''))).to.have.members(Object.keys(secrets));
    const plain = Object.entries(service.environment!)
      .filter(([name]) => !name.endsWith('_FILE'))
      .map(([name, value]) => [name, filledIn(String(value))]);
    const environment = { ...Object.fromEntries(plain), ...secrets } as Record<string, string>;
    let config: ReturnType<typeof readConfig> | undefined;
    try {
      config = readConfig(environment);
    } catch (error) {
      expect.fail(error instanceof ConfigError ? error.message : String(error));
    }
    expect(config!.drand.chainHash).to.equal(DEPLOYMENTS.mainnet.drand.chainHash);
    expect(config!.drand.publicKey).to.equal(DEPLOYMENTS.mainnet.drand.publicKey);
    expect(config!.hubAddress.toLowerCase()).to.equal(
      (
        JSON.parse(read('subgraph/networks.json')) as { local: { Hub: { address: string } } }
      ).local.Hub.address.toLowerCase(),
    );
    // The URL of a subgraph of graph-node is made of the name that the deploy job gives it.
    expect(config!.subgraphUrl).to.match(/^http:\/\/graph-node:8000\/subgraphs\/name\/bounty\/hub$/);
    expect(config!.reorgThresholdBlocks).to.equal(
      Number(filledIn(services['graph-node']!.environment!.ETHEREUM_REORG_THRESHOLD!)),
    );
  });

  it('runs the versions that the tests run', () => {
    const { optionalDependencies: binaries, engines } = JSON.parse(read('package.json'));
    const versionOf = (name: string): string => services[name]!.image!.split(':').at(-1)!.replace(/^v/, '');
    expect(versionOf('graph-node')).to.equal(binaries['@graphprotocol/gnd-linux-x64']);
    expect(versionOf('graph-query')).to.equal(versionOf('graph-node'));
    expect(versionOf('chain')).to.equal(binaries['@foundry-rs/anvil-linux-amd64']);
    expect(`v${versionOf('ipfs')}`).to.equal(/^version=(\S+)$/m.exec(read('.ci/kubo'))![1]);
    const node = Number(/node:(\d+)\./.exec(dockerfile.getFROMs()[0]!.getImage()!)![1]);
    expect(node).to.be.at.least(Number(/>=(\d+)/.exec(engines.node)![1]));
    for (const { image } of Object.values(services)) if (image) expect(image).to.match(/:v?\d+\.\d+/);
  });

  it('has a health check for whatever stays, and waits for it', () => {
    for (const [name, { healthcheck, restart, depends_on: needs = {} }] of Object.entries(services)) {
      if (restart === 'no') expect(name).to.match(/^deploy-/);
      else expect(healthcheck?.test, name).to.be.an('array');
      for (const [other, { condition }] of Object.entries(needs)) {
        const isJob = services[other]!.restart === 'no';
        expect(condition, `${name} -> ${other}`).to.equal(
          isJob ? 'service_completed_successfully' : 'service_healthy',
        );
      }
    }
    const health = /fetch\('http:\/\/127\.0\.0\.1:(\d+)(\/\w+)'\)/.exec(service.healthcheck!.test.join(' '))!;
    expect([health[1], health[2]]).to.deep.equal([service.environment!.PORT, '/healthz']);
  });

  it('shows nothing but the service’s port beyond this machine', () => {
    for (const [name, { ports = [] }] of Object.entries(services))
      for (const port of ports) {
        if (name === 'service' && port === `${service.environment!.PORT}:${service.environment!.PORT}`)
          continue;
        expect(port, name).to.match(/^127\.0\.0\.1:/);
      }
  });

  it('keeps secrets in files, and each where it is needed alone', () => {
    for (const { file } of Object.values(compose.secrets)) expect(file).to.match(/^\.\/secrets\//);
    for (const [name, { secrets = [] }] of Object.entries(services))
      expect(Object.keys(compose.secrets), name).to.include.members(secrets);
    expect(service.secrets).to.not.include('graph_database_password');
    const inline = Object.values(services).flatMap(({ environment = {} }) =>
      Object.entries(environment).filter(([name]) => /pass|PRIVATE|SIGNING|API_KEY|DATABASE_URL/i.test(name)),
    );
    for (const [name, value] of inline) expect(value, name).to.match(/^\/run\/secrets\/|^\$\{[A-Z_]+:\?/);
    expect(read('.dockerignore').split('\n')).to.include.members(['secrets', '.git', 'node_modules']);
    expect(read('.gitignore').split('\n')).to.include('secrets/');
  });

  it('lets authorization read from a node without a query cache, analysts from one of their own', () => {
    const { 'graph-node': index, 'graph-query': query } = services;
    expect(index!.environment).to.include({
      GRAPH_CACHED_SUBGRAPH_IDS: 'none',
      GRAPH_STORE_DISABLE_CHAIN_HEAD_PTR_CACHE: 'true',
    });
    expect(service.environment!.SUBGRAPH_URL).to.contain('//graph-node:');
    expect(query!.environment).to.include.keys('GRAPH_GRAPHQL_MAX_FIRST', 'GRAPH_GRAPHQL_QUERY_TIMEOUT');
    expect(query!.environment!.DISABLE_BLOCK_INGESTOR).to.equal('true');
    expect(services.ipfs!.command).to.include('--offline');
  });

  it('gives the service a database of its own, under a role that cannot touch graph-node’s', () => {
    const script = read(compose.configs.service_database!.file.slice(2));
    expect(services.postgres!.environment!.POSTGRES_INITDB_ARGS).to.contain('--locale=C');
    for (const line of [
      'REVOKE CONNECT ON DATABASE graph FROM PUBLIC;',
      'REVOKE CONNECT ON DATABASE bounty_service FROM PUBLIC;',
      'CREATE EXTENSION IF NOT EXISTS pg_trgm;',
      'CREATE EXTENSION IF NOT EXISTS btree_gist;',
    ])
      expect(script).to.include(line);
  });

  it('runs the service without root, without capabilities, on a file system that it cannot write', () => {
    expect([service.user, service.read_only, service.cap_drop]).to.deep.equal(['65532:65532', true, ['ALL']]);
    expect(service.volumes).to.deep.equal(['uploads:/tmp', 'deployment:/deployment:ro']);
    const stages = dockerfile.getFROMs().map((from) => from.getBuildStage());
    for (const { build } of Object.values(services)) if (build) expect(stages).to.include(build.target);
    const last = dockerfile
      .getInstructions()
      .filter((one) => one.getKeyword() === 'USER')
      .at(-1);
    expect(last!.getArgumentsContent()).to.equal('65532:65532');
    for (const { command = [] } of Object.values(services))
      if (command[0]?.endsWith('.ts')) expect(() => read(command[0]!)).to.not.throw();
  });
});
