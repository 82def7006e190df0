// `service-cli verdict <file>`: a Guardian publishes a written Verdict and records it on chain.

import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { type DeploymentOptions, type WalletOptions, withDeployment, withWallet } from '../options.ts';
import { signing } from '../session.ts';
import type { Terminal } from '../terminal.ts';

/** The command. */
export function verdictCommand(terminal: Terminal): Command {
  return withWallet(withDeployment(new Command('verdict')))
    .description('Publish a written Verdict and record it from your wallet; again to change your mind.')
    .argument('<file>', 'the document, as the page written-verdict describes it')
    .option('--no-record', 'publish alone')
    .addHelpText(
      'after',
      '\nExample:\n  service-cli verdict verdict.md --deployment staging --key-file guardian.key',
    )
    .action(
      async (file: string, options: DeploymentOptions & WalletOptions & { readonly record: boolean }) => {
        const session = await signing(options, terminal, { sends: options.record });
        const { answer, calls } = await session.client.verdicts.publish(
          Uint8Array.from(await readFile(file)),
        );
        session.say(`Stored under ${answer.report_commitment}.`);
        const receipts = options.record ? await session.client.send(calls, session.sending) : [];
        const transactions = receipts.map(({ transactionHash }) => transactionHash);
        session.show({ report_commitment: answer.report_commitment, transactions }, [
          `report_commitment ${answer.report_commitment}`,
        ]);
      },
    );
}
