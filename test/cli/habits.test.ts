// What every command has in common: help, exit codes, streams, wallets, confirmation, outages; and no secret anywhere.

import { spawnSync } from 'node:child_process';
import { chmod, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Keystore } from 'ox';
import type { LocalApiServer } from '../../server/local/apiServer.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { sharedServer, sharedStack } from '../localStack.ts';
import { cli, userFiles } from './stage.ts';

const COMMANDS = [
  ['spec-commitment'],
  ['keygen'],
  ['publish'],
  ['bounty', 'list'],
  ['bounty', 'show'],
  ['submit'],
  ['open'],
  ['verdict'],
  ['settle'],
  ['timeout'],
  ['claim'],
  ['wrap'],
  ['retrieve'],
  ['verify-record'],
  ['sign-request'],
  ['doctor'],
  ['admin', 'audit'],
  ['admin', 'export'],
  ['admin', 'import'],
];

describe('service-cli', function () {
  this.timeout(60_000);
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let user: Awaited<ReturnType<typeof userFiles>>;
  let key: string;

  before(async () => {
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    user = await userFiles(stack, server.url);
    key = await user.secret('wallet.key', actors.stranger.private_key);
    await clockOf(stack).finalizeFor(server.url);
  });
  after(() => rm(user.folder, { recursive: true, force: true }));

  for (const command of COMMANDS) {
    it(`${command.join(' ')}: has help with an example, and refuses what it does not know with 2`, async () => {
      const help = await cli([...command, '--help']);
      expect([help.code, help.log]).to.deep.equal([0, '']);
      expect(help.out).to.contain(`Usage: service-cli ${command.join(' ')}`);
      if (command[0] !== 'spec-commitment') expect(help.out).to.contain('Example:\n  ');
      const wrong = await cli([...command, '--no-such-option']);
      expect([wrong.code, wrong.out]).to.deep.equal([2, '']);
      expect(wrong.log).to.match(/^error: /);
    });
  }

  it('lists its commands, exit codes and environment', async () => {
    const { out } = await cli(['--help']);
    for (const [command] of COMMANDS) expect(out).to.match(new RegExp(`^  ${command} `, 'm'));
    expect(out).to.contain('Exit codes: 0 done').and.to.contain('ELGORA_API_BASE_URL');
    expect((await cli(['--version'])).out).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  it('takes the base address by deployment, environment and flag, in rising order', async () => {
    const away = 'http://127.0.0.1:1';
    const show = (extra: string[], environment = {}) =>
      cli(['bounty', 'list', '--deployment', user.deployment, ...extra], { environment });
    expect((await show([])).code).to.equal(0);
    const byEnvironment = await show([], { ELGORA_API_BASE_URL: away });
    expect(byEnvironment.code).to.equal(5);
    expect(byEnvironment.log).to.contain('127.0.0.1:1 does not answer').and.to.contain('next: ');
    const flag = ['--api-base-url', server.url];
    expect((await show(flag, { ELGORA_API_BASE_URL: away })).code).to.equal(0);
  });

  it('invents no host: a deployment without one makes it stop and name the flag', async () => {
    const none = await cli(['bounty', 'list', '--deployment', 'staging', '--rpc-url', stack.rpcUrl]);
    expect([none.code, none.out]).to.deep.equal([2, '']);
    expect(none.log).to.contain('--hub');
    const hub = ['--hub', stack.hubAddress];
    const base = await cli(['bounty', 'list', '--deployment', 'staging', '--rpc-url', stack.rpcUrl, ...hub]);
    expect(base.log).to.contain('--api-base-url');
    const rpc = await cli([
      'bounty',
      'list',
      '--deployment',
      'staging',
      '--api-base-url',
      server.url,
      ...hub,
    ]);
    expect(rpc.log).to.contain('--rpc-url');
  });

  it('does not talk to an API or an RPC of another deployment', async () => {
    const options = [
      '--api-base-url',
      server.url,
      '--rpc-url',
      stack.rpcUrl,
      '--hub',
      `0x${'ab'.repeat(20)}`,
    ];
    const other = await cli(['bounty', 'list', '--deployment', 'local', ...options]);
    expect(other.code).to.equal(1);
    expect(other.log).to.contain('another deployment').and.to.contain('hub_address');
  });

  it('takes a wallet from a file of its owner, the environment or a keystore, and from nowhere else', async () => {
    const base = ['sign-request', 'GET', '/api/bounties', '--deployment', user.deployment];
    const none = await cli(base);
    expect([none.code, none.log]).to.satisfy(
      ([code, log]: [number, string]) => code === 2 && log.includes('--key-file'),
    );
    expect((await cli([...base, '--key-file', key])).code).to.equal(0);
    const environment = { SERVICE_CLI_PRIVATE_KEY: actors.stranger.private_key };
    expect((await cli(base, { environment })).code).to.equal(0);
    const open = await user.secret('open.key', actors.stranger.private_key);
    await chmod(open, 0o644);
    const shared = await cli([...base, '--key-file', open]);
    expect([shared.code, shared.log]).to.satisfy(
      ([code, log]: [number, string]) => code === 2 && log.includes('chmod 600'),
    );
    const [derived, opts] = Keystore.scrypt({ password: 'a long one', n: 1_024 });
    const text = JSON.stringify(Keystore.encrypt(actors.stranger.private_key, derived, opts));
    const keystore = await user.secret('keystore.json', text);
    const asked = await cli([...base, '--keystore', keystore], { answers: ['a long one'] });
    expect(asked.code, asked.log).to.equal(0);
    const wrong = await cli([...base, '--keystore', keystore], { answers: ['another'] });
    expect(wrong.code).to.equal(2);
    const junk = await user.secret('junk.key', 'not a key');
    const refused = await cli([...base, '--key-file', junk]);
    expect([refused.code, refused.log.includes('not a key')]).to.deep.equal([2, false]);
    for (const { out, log } of [asked, wrong, shared])
      expect(out + log)
        .to.not.contain(actors.stranger.private_key.slice(2))
        .and.to.not.contain('a long one');
  });

  it('shows each call and asks before it sends; no answer sends nothing', async () => {
    const bounty = await actors.createBounty();
    await clockOf(stack).finalizeFor(server.url);
    await clockOf(stack).warpTo(Number(bounty.settlementTimeoutAt));
    const args = ['timeout', String(bounty.bountyId), '--deployment', user.deployment, '--key-file', key];
    const quiet = await cli(args);
    expect([quiet.code, quiet.out]).to.deep.equal([2, '']);
    expect(quiet.log).to.contain('--yes');
    const declined = await cli(args, { answers: ['n'] });
    expect(declined.code).to.equal(1);
    expect(declined.log).to.contain(`to: ${stack.hubAddress}`).and.to.contain('Send this transaction?');
    expect(declined.log).to.contain('Nothing was sent');
    const sent = await cli(args, { answers: ['y'] });
    expect(sent.code, sent.log).to.equal(0);
  });

  it('doctor: finds everything well, and says which part is not', async () => {
    const well = await cli(['doctor', '--deployment', user.deployment]);
    expect(well.code, well.out).to.equal(0);
    for (const check of ['rpc', 'chain', 'hub', 'api', 'clock', 'service index', 'service storage'])
      expect(well.out).to.match(new RegExp(`^ok {3}${check}: `, 'm'));
    const ill = await cli(['doctor', '--deployment', user.deployment, '--rpc-url', 'http://127.0.0.1:1']);
    expect(ill.code).to.equal(5);
    expect(ill.out).to.match(/^FAIL rpc: .*does not answer/m);
    expect(ill.log).to.contain('next: See the lines that say FAIL.');
  });

  it('keeps data and messages apart as a process, without colour and without a stack trace', () => {
    const main = fileURLToPath(new URL('../../server/cli/main.ts', import.meta.url));
    const options = { encoding: 'utf8', env: { PATH: process.env.PATH } } as const;
    const args = ['--import', 'tsx', main, 'bounty', 'show', '999999', '--deployment', user.deployment];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr)
      .to.contain('error: ')
      .and.to.contain('next: ')
      .and.to.not.contain('\u001b')
      .and.to.not.contain('    at ');
  });
});
