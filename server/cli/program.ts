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
import { VARIABLES } from './environment.ts';
import { EXIT, exitCodeOf, UsageError } from './exitCode.ts';
import { type Failure, failureOf, failureText } from './failure.ts';
import { jsonLine } from './printable.ts';
import type { Terminal } from './terminal.ts';

const CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by the chain's state, 4 not authorized, 5 try again later.
Environment: ${VARIABLES.join(', ')}.`;

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
  const asJson = args.includes('--json');
  const tell = (failure: Failure): void =>
    terminal.log(asJson ? jsonLine({ error: failure }) : failureText(failure));
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands: more }) => more),
  ]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.out(text),
      // Whoever asked for JSON gets it for wrong usage too, below.
      writeErr: (text) => (asJson ? undefined : terminal.log(text)),
      getErrHasColors: () => false,
      getOutHasColors: () => false,
    });
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      tell(failureOf(error));
      return exitCodeOf(error);
    }
    // Commander ends by throwing: after help and version with 0, else for wrong usage, which it has told already.
    if (error.exitCode === 0) return EXIT.done;
    if (asJson) tell(failureOf(new UsageError(error.message.replace(/^error: /, ''))));
    return EXIT.usage;
  }
}
