/** Starts real anvil processes: free ports, both ways of mining, finality, a clean end and an honest early exit. */
import type { ChildProcess } from 'node:child_process';
import { expect } from 'chai';
import { createTestClient, http, publicActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { LOCAL_ACCOUNT_COUNT, LOCAL_CHAIN_ID, LOCAL_MNEMONIC, startChain } from '../../server/local/chain.ts';

const client = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 50 }).extend(publicActions);

describe('local chain', () => {
  it('runs twice at once, each on a port of its own, and leaves nothing behind', async () => {
    const chains = await Promise.all([
      startChain({ mining: 'automine' }),
      startChain({ mining: 'automine' }),
    ]);
    expect(chains[0].port).to.not.equal(chains[1].port);
    for (const chain of chains) {
      expect(await client(chain.rpcUrl).getChainId()).to.equal(LOCAL_CHAIN_ID);
      await Promise.all([chain.stop(), chain.stop()]);
      await chain.stop();
      expect(chain.process.exitCode ?? chain.process.signalCode).to.not.equal(null);
      const refused = await fetch(chain.rpcUrl).then(
        () => false,
        () => true,
      );
      expect(refused).to.equal(true);
    }
  });

  it('finalizes two blocks behind the head and makes every account rich', async () => {
    const chain = await startChain({ mining: 'automine' });
    try {
      const node = client(chain.rpcUrl);
      await node.mine({ blocks: 5 });
      expect((await node.getBlock({ blockTag: 'finalized' })).number).to.equal(3n);
      const last = mnemonicToAccount(LOCAL_MNEMONIC, { addressIndex: LOCAL_ACCOUNT_COUNT - 1 });
      expect((await node.getBalance({ address: last.address })) > 10n ** 21n).to.equal(true);
    } finally {
      await chain.stop();
    }
  });

  it('mines by the clock when asked to', async () => {
    const chain = await startChain({ mining: { intervalSeconds: 1 } });
    try {
      const node = client(chain.rpcUrl);
      const deadline = Date.now() + 5_000;
      while ((await node.getBlockNumber({ cacheTime: 0 })) === 0n && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 100));
      expect((await node.getBlockNumber({ cacheTime: 0 })) > 0n).to.equal(true);
    } finally {
      await chain.stop();
    }
  });

  it('hands the process out at once, and says why anvil ended when it ends early', async () => {
    const children: ChildProcess[] = [];
    const started = startChain({
      mining: 'automine',
      onSpawn: (child) => {
        children.push(child);
        child.kill('SIGKILL');
      },
    });
    const failure = await started.then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(children).to.have.length(1);
    expect(failure).to.equal('anvil ended early (SIGKILL): ');
  });

  it('passes on what anvil complains about', async () => {
    const failure = await startChain({ mining: { intervalSeconds: -1 } }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(failure).to.match(/^anvil ended early \(code 2\): error: /);
  });
});
