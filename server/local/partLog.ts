// The log of one part of the local stack: the child writes straight into a file, so that the launcher never has to read
// it, and only a failure looks at its end. The file lies in the stack's data folder, which nobody else can read.

import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const TAIL_LINES = 20;
const TAIL_CHARACTERS = 4_000;

/** An open log file and a look at its end. */
export interface PartLog {
  readonly path: string;
  /** For `stdio` of a child process. */
  readonly descriptor: number;
  write(text: string): void;
  /** The last lines, for an error message. */
  tail(): string;
  close(): void;
}

/** Opens `<dataDir>/logs/<part>.log` for appending. */
export function openPartLog(dataDir: string, part: string): PartLog {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${part}.log`);
  const descriptor = openSync(path, 'a', 0o600);
  return {
    path,
    descriptor,
    write: (text) => void writeSync(descriptor, text),
    tail: () =>
      readFileSync(path, 'utf8').slice(-TAIL_CHARACTERS).trimEnd().split('\n').slice(-TAIL_LINES).join('\n'),
    close: () => closeSync(descriptor),
  };
}
