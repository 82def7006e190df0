// `service-cli retrieve <bounty_id>`: the funding Poster receives the winning work into a new folder.

import { Command } from 'commander';
import { unpackFolder } from '../../sdk/node/unpackFolder.ts';
import { receiveWork } from '../../sdk/receiveWork.ts';
import {
  bountyIdOf,
  type DeploymentOptions,
  type WalletOptions,
  withDeployment,
  withWallet,
} from '../options.ts';
import { progressBar } from '../progress.ts';
import { signing } from '../session.ts';
import type { Terminal } from '../terminal.ts';

/** The command. */
export function retrieveCommand(terminal: Terminal): Command {
  return withWallet(withDeployment(new Command('retrieve')))
    .description('Retrieve the winning work of a bounty that you funded.')
    .argument('<bounty_id>', 'decimal')
    .requiredOption('--out <folder>', 'a new folder')
    .addHelpText('after', '\nExample:\n  service-cli retrieve 7 --out winner --key-file poster.key')
    .action(async (id: string, options: DeploymentOptions & WalletOptions & { readonly out: string }) => {
      const bountyId = bountyIdOf(id);
      const session = await signing(options, terminal);
      const onProgress = progressBar(terminal, 'downloading');
      const received = await receiveWork(session.client, bountyId, { onProgress });
      const { entries, extractedBytes } = await unpackFolder(received.package, options.out);
      const { submissionCommitment: commitment, retrieval } = received;
      const solver = retrieval.solver_address;
      session.show(
        { bounty_id: id, submission_commitment: commitment, solver, folder: options.out, entries },
        [`${options.out}: ${entries} entries, ${extractedBytes} bytes, by ${solver}`],
      );
    });
}
