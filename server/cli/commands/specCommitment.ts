// `service-cli spec-commitment <path>`: the keccak256 of a local file's exact bytes (specification section 1, local
// verification command). Must never open a network connection or read any configuration.
import { createReadStream } from 'node:fs';
import { Command } from 'commander';
import type { Hex } from 'viem';
import { runningCommitment } from '../../protocol/commitment.ts';
import { CommandError } from '../exitCode.ts';
import { withJson } from '../options.ts';
import { showOn } from '../show.ts';
import type { Terminal } from '../terminal.ts';

/** The commitment of a file, read as a stream. Rejects with the file system's error when it cannot be read. */
export async function fileCommitment(path: string): Promise<Hex> {
  const hash = runningCommitment();
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.commitment();
}

/** The command; prints the commitment alone on stdout, or fails with exit code 1. */
export function specCommitmentCommand(terminal: Terminal): Command {
  return withJson(new Command('spec-commitment'))
    .description(
      "Print keccak256 of a file's exact bytes: it must equal the bounty's on-chain spec_commitment.",
    )
    .argument('<path>', 'the challenge document, as bounty_challenge.md')
    .addHelpText('after', '\nExample:\n  service-cli spec-commitment bounty_challenge.md')
    .action(async (path: string, options: { readonly json?: boolean }) => {
      const commitment = await fileCommitment(path).catch((failure: unknown) => {
        throw new CommandError(`Cannot read ${path}: ${reason(failure)}.`);
      });
      showOn(terminal, options)({ spec_commitment: commitment }, [commitment]);
    });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'access is denied',
};

function reason(failure: unknown): string {
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : '';
  return REASONS[code] ?? `the file system answers ${code || 'with an unknown failure'}`;
}
