// `service-cli wrap <bounty_id> <submission_commitment>`: a pinned Guardian hands the content key over for delivery.

import { Command } from 'commander';
import { wrapForDelivery } from '../../sdk/wrapForDelivery.ts';
import { type OpeningOptions, openAs, withOpening } from '../opening.ts';
import { bountyIdOf, withDeployment, withWallet } from '../options.ts';
import { signing } from '../session.ts';
import type { Terminal } from '../terminal.ts';

/** The command. */
export function wrapCommand(terminal: Terminal): Command {
  return withWallet(withDeployment(withOpening(new Command('wrap'))))
    .description(
      "Wrap a Submission's content key to the deployment, so that the Poster can retrieve the winning work.",
    )
    .addHelpText(
      'after',
      '\nExample:\n  service-cli wrap 7 0x8a88… --key-file guardian.key --encryption-key guardian.x25519',
    )
    .action(async (id: string, commitment: string, options: OpeningOptions) => {
      const session = await signing(options, terminal);
      const { submission, contentKey } = await openAs(session, id, commitment, options);
      try {
        const receipt = await wrapForDelivery(session.client, bountyIdOf(id), submission, contentKey);
        session.show(receipt, [`stored for ${receipt.submission_commitment}`]);
      } finally {
        contentKey.fill(0);
      }
    });
}
