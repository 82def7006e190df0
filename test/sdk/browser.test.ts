// The SDK in a real browser: bundled as an application would, it signs, reads, seals, uploads, opens and receives against
// the local stack, in the page alone.

import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { sharedStack } from '../localStack.ts';

const PAGE = fileURLToPath(new URL('./browserPage.ts', import.meta.url));
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe('the SDK in a browser', function () {
  this.timeout(90_000);
  let stack: LocalStack;
  let actors: Actors;
  let api: LocalApiServer;
  let site: Server;
  let browser: Browser;
  const errors: string[] = [];

  before(async function () {
    const path = spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim();
    if (path === '') {
      console.log('      skipped: `chromium` is not on the PATH (.ci/chromium installs it)');
      this.skip();
    }
    const { outputFiles } = await build({
      entryPoints: [PAGE],
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
    });
    const script = outputFiles[0]!.text;
    site = createServer((request, response) => {
      const isScript = request.url === '/page.js';
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      response.end(
        isScript ? script : '<!doctype html><title>SDK</title><script type="module" src="/page.js"></script>',
      );
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    stack = await sharedStack();
    actors = actorsOn(stack);
    api = await startApiServer(stack.serverEnvironment({ RATE_PER_ADDRESS: '0', RATE_PER_SIGNER: '0' }), {
      watch: stack.watch,
    });
    browser = await chromium.launch({ executablePath: path, args: FLAGS });
  });
  after(async () => {
    await browser?.close();
    site?.close();
    await api?.stop();
  });

  it('seals and uploads as a Solver, opens as a Guardian, with nothing of Node', async () => {
    const clock = clockOf(stack);
    const bounty = await actors.createBounty();
    await clock.finalizeFor(api.url);
    const page = await browser.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => 'bountySdk' in globalThis);
    const place = {
      baseUrl: api.url,
      rpcUrl: stack.rpcUrl,
      hubAddress: stack.hubAddress,
      bountyId: String(bounty.bountyId),
    };
    const [solver] = actors.solvers;
    const work = 'measured in a browser';
    const submitted = await page.evaluate((input) => globalThis.bountySdk.submit(input), {
      ...place,
      key: solver!.private_key,
      work,
    });
    expect(submitted.transactions).to.have.length(1);
    await clock.warpTo(Number(bounty.submissionDeadline) + stack.drand.period);
    await clock.finalizeFor(api.url);
    const [guardian] = actors.guardians;
    const opened = await page.evaluate((input) => globalThis.bountySdk.open(input), {
      ...place,
      key: guardian!.private_key,
      encryptionKey: guardian!.encryption_private_key,
      drandUrl: stack.drand.url,
      commitment: submitted.commitment,
    });
    expect(opened).to.equal(work);
    expect(errors).to.deep.equal([]);
  });
});
