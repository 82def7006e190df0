// `service-cli sign-request <method> <target>`: the Authorization header of one request, for curl and other programs.

import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { createPublicClient, http } from 'viem';
import { authorize } from '../../sdk/authorize.ts';
import { UsageError } from '../exitCode.ts';
import { type DeploymentOptions, type WalletOptions, withDeployment, withWallet } from '../options.ts';
import { signing } from '../session.ts';
import type { Terminal } from '../terminal.ts';

interface Options extends DeploymentOptions, WalletOptions {
  readonly body?: string;
}

/** The command. */
export function signRequestCommand(terminal: Terminal): Command {
  return withWallet(withDeployment(new Command('sign-request')))
    .description('Print the Authorization header that approves exactly one request, for about five minutes.')
    .argument('<method>', 'GET or POST')
    .argument('<target>', 'path with query, as /api/bounties/7/submissions/0x…/content')
    .option('--body <file>', 'the exact bytes that will be sent')
    .addHelpText(
      'after',
      '\nExample:\n  curl -H "$(service-cli sign-request GET /api/bounties/7/submissions/0x8a…/content --key-file poster.key)" …',
    )
    .action(async (given: string, target: string, options: Options) => {
      const method = given.toUpperCase();
      if (method !== 'GET' && method !== 'POST') throw new UsageError('The method must be GET or POST.');
      if (!target.startsWith('/')) throw new UsageError('The target must be a path, beginning with a slash.');
      const { destination, account, show } = await signing(options, terminal);
      const { deployment, baseUrl, rpcUrl } = destination;
      const url = new URL(baseUrl + target);
      const body = options.body === undefined ? {} : { body: Uint8Array.from(await readFile(options.body)) };
      const blocks = createPublicClient({ transport: http(rpcUrl) });
      const header = await authorize({ method, url: url.href, ...body }, url, {
        deployment,
        signer: account,
        blocks,
      });
      show({ authorization: header, url: url.href }, [`Authorization: ${header}`]);
    });
}
