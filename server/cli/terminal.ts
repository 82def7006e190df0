// Where the CLI reads and writes: data to stdout, everything else to stderr, questions on a terminal alone. A reader that
// goes away early, as `head` does, ends nothing: what was begun on chain is brought to its end.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type Environment, processEnvironment } from './environment.ts';
import { EXIT } from './exitCode.ts';

/** One run's surroundings; tests bring their own. */
export interface Terminal {
  /** Data, as other programs read it. */
  out(text: string): void;
  /** Progress, logs and failures. */
  log(text: string): void;
  /** Whether somebody can be asked, and sees what moves. */
  readonly isInteractive: boolean;
  readonly environment: Environment;
  /** An answer in one line; `hidden` does not show it. */
  ask(question: string, hidden?: boolean): Promise<string>;
}

/** The process's own. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', outliveReader);
  return {
    out: (text) => void process.stdout.write(text),
    log: (text) => void process.stderr.write(text),
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    environment: processEnvironment(),
    async ask(question, hidden = false) {
      process.stderr.write(question);
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
      const reader = createInterface({
        input: process.stdin,
        output: hidden ? silent : process.stderr,
        terminal: true,
      });
      try {
        return await reader.question('');
      } finally {
        reader.close();
        if (hidden) process.stderr.write('\n');
      }
    },
  };
}

function outliveReader({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.stderr.write(`error: The output cannot be written (${code}).\n`);
  process.exit(EXIT.failed);
}
