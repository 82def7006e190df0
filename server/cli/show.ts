// How a command shows its result: one line of JSON for programs, or lines for people; always on stdout.

import { jsonLine, printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** Shows a result: as JSON, or as the lines that say it to people. */
export type Show = (result: object, lines: readonly string[]) => void;

/** What shows the results of a command that was called with or without `--json`. */
export function showOn(terminal: Terminal, { json }: { readonly json?: boolean | undefined }): Show {
  return (result, lines) =>
    terminal.out(json ? jsonLine(result) : lines.map((line) => `${printable(line)}\n`).join(''));
}
