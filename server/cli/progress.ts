// A line that moves while bytes do, on a terminal alone; elsewhere one line when it is done.

import type { Progress } from '../sdk/transfer.ts';
import type { Terminal } from './terminal.ts';

const WIDTH = 24;
const STEP = 0.02;

/** Hears of progress and draws it. */
export function progressBar(terminal: Terminal, what: string): (progress: Progress) => void {
  let drawn = -1;
  return ({ done, total }) => {
    const part = total === 0 ? 1 : Math.min(1, done / total);
    const isEnd = part === 1;
    if (drawn === 1 || (part - drawn < STEP && !isEnd)) return;
    drawn = part;
    if (!terminal.isInteractive) {
      if (isEnd) terminal.log(`${what}: ${total} bytes\n`);
      return;
    }
    const full = Math.round(part * WIDTH);
    const bar = '#'.repeat(full).padEnd(WIDTH, '.');
    terminal.log(`\r${what} [${bar}] ${Math.round(part * 100)} %${isEnd ? '\n' : ''}`);
  };
}
