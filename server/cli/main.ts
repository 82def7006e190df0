#!/usr/bin/env node
// service-cli: the table of its commands, one file each. Results go to stdout, everything else to stderr; exit code 1
// says that a command failed, 2 that it was not called rightly. Must never do work of its own.
import { Command, CommanderError } from 'commander';
import { keygenCommand } from './keygen.ts';
import { specCommitmentCommand } from './specCommitment.ts';
import { verifyRecordCommand } from './verifyRecord.ts';

const program = new Command('service-cli')
  .description('Client of the Bounty Settlement Service.')
  .showHelpAfterError('Run service-cli --help for the commands.')
  .addCommand(specCommitmentCommand())
  .addCommand(keygenCommand())
  .addCommand(verifyRecordCommand());

for (const command of [program, ...program.commands]) command.exitOverride();

try {
  await program.parseAsync();
} catch (failure) {
  if (!(failure instanceof CommanderError)) throw failure;
  process.exitCode = exitCodeOf(failure);
}

/** Failures of commands carry the code `commander.error` and keep their own exit code; the rest is wrong usage. */
function exitCodeOf({ code, exitCode }: CommanderError): number {
  return exitCode === 0 || code === 'commander.error' ? exitCode : 2;
}
