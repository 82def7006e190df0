// More ways to end the launcher, at every moment, and stacks beside each other.

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Launcher, launch, openPorts, survivors, urlsOf } from './launcher.ts';

describe('npm start, ended in other ways', function () {
  this.timeout(120_000);
  this.slow(20_000);
  const launchers: Launcher[] = [];
  const started = (...args: Parameters<typeof launch>): Launcher => {
    const launcher = launch(...args);
    launchers.push(launcher);
    return launcher;
  };

  afterEach(async () => {
    for (const { process: child, end } of launchers.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
    }
  });

  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    it(`${signal} ends it with code 0 and leaves nothing`, async () => {
      const launcher = started(['--no-api']);
      const report = await launcher.ready();
      const family = await launcher.family();
      expect(await launcher.end(signal)).to.deep.equal([0, null]);
      expect(await survivors(family)).to.deep.equal([]);
      expect(await openPorts(urlsOf(report))).to.deep.equal([]);
    });
  }

  for (const [part, pattern] of [
    ['graph-node', /\/gnd /],
    ['postgres', /\/postgres -D/],
    ['chain', /\/anvil /],
    ['the API server', /server\/main\.ts/],
    ['the watchdog', /watchdog\.mjs/],
  ] as const) {
    it(`a crash of ${part} ends everything with code 1 and says which part it was`, async () => {
      const launcher = started([]);
      const report = await launcher.ready();
      const family = await launcher.family();
      const victim = family.find(({ command }) => pattern.test(command));
      expect(victim, family.map(({ command }) => command).join('\n')).to.not.equal(undefined);
      process.kill(victim?.pid as number, 'SIGKILL');
      expect(await launcher.ended).to.deep.equal([1, null]);
      expect(launcher.stderr()).to.match(new RegExp(`${part} ended \\(signal SIGKILL\\)`));
      expect(await survivors(family)).to.deep.equal([]);
      expect(await openPorts(urlsOf(report))).to.deep.equal([]);
    });
  }

  it('leaves nothing when SIGTERM or SIGKILL comes at any moment of the start', async () => {
    for (const [signal, delayMs] of [
      ['SIGTERM', 600],
      ['SIGKILL', 700],
      ['SIGTERM', 1_200],
      ['SIGKILL', 1_500],
      ['SIGTERM', 2_500],
      ['SIGKILL', 3_000],
    ] as const) {
      const launcher = started(['--no-api']);
      await sleep(delayMs);
      const family = await launcher.family();
      const [code, by] = await launcher.end(signal);
      // Before its first line has run, a launcher has no say in how it ends, and has started nothing.
      expect([code, by], `${signal} after ${delayMs} ms`).to.deep.equal(
        signal === 'SIGTERM' && by === null ? [0, null] : [null, signal],
      );
      expect(await survivors(family), `${signal} after ${delayMs} ms`).to.deep.equal([]);
    }
  });

  it('runs twice side by side, and each stops alone', async () => {
    const [first, second] = [started(['--no-api']), started(['--no-api'])];
    const [one, two] = await Promise.all([first.ready(), second.ready()]);
    const all = [...urlsOf(one), ...urlsOf(two)].filter((url) => url !== null);
    expect(new Set(all.map((url) => new URL(url).port)).size).to.equal(6);
    await first.end('SIGTERM');
    expect(await openPorts(urlsOf(one))).to.deep.equal([]);
    expect(await openPorts(urlsOf(two))).to.have.lengthOf(4);
  });

  it('ends when the npm that started it is killed', async () => {
    const launcher = started(['--no-api'], ['npm', 'start', '--silent', '--']);
    const report = await launcher.ready();
    const family = await launcher.family();
    expect(launcher.stdout().trimEnd().split('\n')).to.have.lengthOf(1);
    await launcher.end('SIGKILL');
    expect(await survivors(family)).to.deep.equal([]);
    expect(await openPorts(urlsOf(report))).to.deep.equal([]);
  });

  it('goes on as the same deployment with a data folder that lasts, and removes a temporary one', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'lasting-'));
    try {
      const first = started(['--no-api', '--data-dir', dataDir]);
      const one = await first.ready();
      const rpc = async (url: string, method: string, params: unknown[]): Promise<unknown> => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        return ((await answer.json()) as { result: unknown }).result;
      };
      const genesis = (await rpc(one.rpc_url, 'eth_getBlockByNumber', ['0x1', false])) as { hash: string };
      await first.end('SIGTERM');
      const second = started(['--no-api', '--data-dir', dataDir]);
      const two = await second.ready();
      expect(two.accounts).to.deep.equal(one.accounts);
      expect(await rpc(two.rpc_url, 'eth_getBlockByNumber', ['0x1', false])).to.include({
        hash: genesis.hash,
      });
      await second.end('SIGTERM');
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
    const temporary = started(['--no-api']);
    await temporary.ready();
    const commands = (await temporary.family()).map(({ command }) => command).join('\n');
    const folder = /-D (\S*bounty-stack-\w+)/.exec(commands)?.[1] ?? 'none';
    expect(existsSync(folder), folder).to.equal(true);
    await temporary.end('SIGTERM');
    expect(existsSync(folder)).to.equal(false);
  });

  it('refuses what it does not understand with code 2', async () => {
    expect(await started(['--block-time', 'soon']).ended).to.deep.equal([2, null]);
    expect(await started(['--blocktime', '2']).ended).to.deep.equal([2, null]);
  });
});
