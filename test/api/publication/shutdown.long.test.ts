// A server that is told to stop while a review is running: it ends in time, and the Poster does not pay for it.

import { expect } from 'chai';
import { startApiServer } from '../../../server/local/apiServer.ts';
import { demoChallenge } from '../../../server/local/demoChallenge.ts';
import { clockOf } from '../../actors/clock.ts';
import { signerOf } from '../../actors/signedRequest.ts';
import { completing, startProvider } from '../../adapters/reviewer/provider.ts';
import { ownStack } from '../../localStack.ts';

describe('a review that runs while the server stops', () => {
  it('is ended after 25 s at most, and its slot comes back', async function () {
    this.timeout(120_000);
    const stack = await ownStack();
    const clock = clockOf(stack);
    const provider = await startProvider();
    try {
      const { poster } = stack.accounts;
      const environment = stack.serverEnvironment({ REVIEWER_URL: provider.url, REVIEW_QUOTA: '1' });
      const text = demoChallenge(stack, await clock.now());
      const publish = (url: string, body: string) =>
        signerOf(stack, url).send(poster, {
          method: 'POST',
          target: `/api/bounty-challenge-specs/prepare-publication?poster_address=${poster.address}`,
          body,
          contentType: 'text/markdown',
        });

      provider.behaviour = () => {};
      const server = await startApiServer(environment, { watch: stack.watch });
      await clock.finalizeFor(server.url);
      const cutOff = publish(server.url, text).then(
        ({ status }) => status,
        () => 'cut off',
      );
      while (provider.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      const startedAt = performance.now();
      server.process.kill('SIGTERM');
      const exitCode = await new Promise((resolve) => server.process.once('exit', resolve));
      expect(performance.now() - startedAt).to.be.lessThan(28_000);
      expect(exitCode).to.equal(0);
      expect(await cutOff).to.equal('cut off');

      provider.behaviour = completing({ ready: true, issues: [] });
      const next = await startApiServer(environment, { watch: stack.watch });
      await clock.finalizeFor(next.url);
      expect((await publish(next.url, text)).status).to.equal(200);
      expect((await publish(next.url, `${text}\nAgain.\n`)).status).to.equal(429);
    } finally {
      await provider.stop();
      await stack.stop();
    }
  });
});
