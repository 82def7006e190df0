// `service-cli publish <file>`: a Poster publishes a challenge and funds it in one transaction where the token allows.

import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { Publication } from '../../sdk/resources/publication.ts';
import { type DeploymentOptions, type WalletOptions, withDeployment, withWallet } from '../options.ts';
import { type SigningSession, signing } from '../session.ts';
import type { Terminal } from '../terminal.ts';

interface Options extends DeploymentOptions, WalletOptions {
  readonly fund: boolean;
  readonly permit: boolean;
}

/** The command. */
export function publishCommand(terminal: Terminal): Command {
  return withWallet(withDeployment(new Command('publish')))
    .description('Publish a challenge, and fund it from your wallet.')
    .argument('<file>', 'the challenge, as bounty_challenge.md')
    .option('--no-fund', 'stop after the service has reviewed and stored it')
    .option('--no-permit', 'approve in a transaction of its own, as contract wallets must')
    .addHelpText(
      'after',
      '\nExample:\n  service-cli publish bounty_challenge.md --deployment staging --key-file poster.key',
    )
    .action(async (file: string, options: Options) => {
      const session = await signing(options, terminal, { sends: options.fund });
      const bytes = Uint8Array.from(await readFile(file));
      session.say(`Publishing ${file} (${bytes.length} bytes); the review may take a minute.`);
      const publication = await session.client.publication.prepare(bytes);
      const { terms, answer } = publication;
      session.say(`Stored under ${terms.specCommitment}.`);
      const stored = {
        spec_commitment: terms.specCommitment,
        storage_locator: answer.storage_locator,
        guardian_roster_hash: terms.guardianRosterHash,
        fee_policy: answer.fee_policy,
      };
      if (!options.fund)
        return session.show({ ...stored, prepared: answer.prepared }, [
          `spec_commitment ${terms.specCommitment}`,
        ]);
      const { permit } = options;
      if (permit) await confirmPermit(session, publication);
      const { bountyId, receipts } = await session.client.fund(publication, { ...session.sending, permit });
      const transactions = receipts.map(({ transactionHash }) => transactionHash);
      return session.show({ ...stored, bounty_id: String(bountyId), transactions }, [
        `bounty ${bountyId}`,
        `spec_commitment ${terms.specCommitment}`,
      ]);
    });
}

/** Where funding takes a permit, the wallet signs it before the transaction: it is asked for first. */
async function confirmPermit({ confirm }: SigningSession, { permit, calls }: Publication): Promise<void> {
  if (permit === undefined || calls.calls.length === 1) return;
  const { spender, value, nonce, deadline } = permit.message;
  await confirm.message('permit (a signature, no transaction)', {
    token: permit.domain.verifyingContract,
    spender,
    value: String(value),
    nonce: String(nonce),
    deadline: String(deadline),
  });
}
