// `service-cli open <bounty_id> <submission_commitment>`: a pinned Guardian opens a Submission into a new folder.

import { Command } from 'commander';
import { unpackFolder } from '../../sdk/node/unpackFolder.ts';
import { type OpeningOptions, openAs, withOpening } from '../opening.ts';
import { withDeployment, withWallet } from '../options.ts';
import { progressBar } from '../progress.ts';
import { signing } from '../session.ts';
import type { Terminal } from '../terminal.ts';

/** The command. */
export function openCommand(terminal: Terminal): Command {
  return withWallet(withDeployment(withOpening(new Command('open'))))
    .description('Open a Submission as a Guardian of the pinned roster, verified in every step.')
    .requiredOption('--out <folder>', 'a new folder')
    .addHelpText(
      'after',
      '\nExample:\n  service-cli open 7 0x8a88… --out work --key-file guardian.key --encryption-key guardian.x25519',
    )
    .action(async (id: string, commitment: string, options: OpeningOptions & { readonly out: string }) => {
      const session = await signing(options, terminal);
      const opened = await openAs(session, id, commitment, options);
      try {
        const onProgress = progressBar(terminal, 'downloading');
        const { entries, extractedBytes } = await unpackFolder(opened.read({ onProgress }), options.out);
        const { solver_address: solver } = opened.submission.envelope.context;
        session.show(
          { bounty_id: id, submission_commitment: commitment, solver, folder: options.out, entries },
          [`${options.out}: ${entries} entries, ${extractedBytes} bytes, by ${solver}`],
        );
      } finally {
        opened.contentKey.fill(0);
      }
    });
}
