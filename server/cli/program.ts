// The table of commands, one file each, and the one place where a failure becomes text and an exit code. Results go to
// stdout, everything else to stderr.

import { Command, CommanderError } from 'commander';
import { SERVICE_VERSION } from '../version.ts';
import { adminCommand } from './commands/admin.ts';
import { bountyCommand } from './commands/bounty.ts';
import { claimCommand } from './commands/claim.ts';
import { doctorCommand } from './commands/doctor.ts';
import { keygenCommand } from './commands/keygen.ts';
import { openCommand } from './commands/open.ts';
import { publishCommand } from './commands/publish.ts';
import { retrieveCommand } from './commands/retrieve.ts';
import { settleCommand } from './commands/settle.ts';
import { signRequestCommand } from './commands/signRequest.ts';
import { specCommitmentCommand } from './commands/specCommitment.ts';
import { submitCommand } from './commands/submit.ts';
import { timeoutCommand } from './commands/timeout.ts';
import { verdictCommand } from './commands/verdict.ts';
import { verifyRecordCommand } from './commands/verifyRecord.ts';
import { wrapCommand } from './commands/wrap.ts';
import { EXIT, exitCodeOf } from './exitCode.ts';
import { failureOf, failureText } from './failure.ts';
import type { Terminal } from './terminal.ts';

const CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by the chain's state, 4 not authorized, 5 try again later.
Environment: ELGORA_API_BASE_URL, SERVICE_CLI_RPC_URL, SERVICE_CLI_PRIVATE_KEY.`;

/** Runs one command line. @returns The exit code; never throws */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('service-cli')
    .description('Client of the Bounty Settlement Service.')
    .version(SERVICE_VERSION)
    .showHelpAfterError('Run it with --help for what it takes.')
    .addHelpText('after', CODES);
  const commands = [
    specCommitmentCommand,
    keygenCommand,
    publishCommand,
    bountyCommand,
    submitCommand,
    openCommand,
    verdictCommand,
    settleCommand,
    timeoutCommand,
    claimCommand,
    wrapCommand,
    retrieveCommand,
    verifyRecordCommand,
    signRequestCommand,
    doctorCommand,
    adminCommand,
  ];
  for (const make of commands) program.addCommand(make(terminal));
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands: more }) => more),
  ]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.log(text),
      getErrHasColors: () => false,
      getOutHasColors: () => false,
    });
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return usageCode(error);
    const failure = failureOf(error);
    terminal.log(args.includes('--json') ? `${JSON.stringify({ error: failure })}\n` : failureText(failure));
    return exitCodeOf(error);
  }
}

/** Commander ends by throwing: after help with 0, after a command's own failure with its code, else wrong usage. */
function usageCode({ code, exitCode }: CommanderError): number {
  return exitCode === 0 || code === 'commander.error' ? exitCode : EXIT.usage;
}
