// Structured logs, one JSON object a line on stderr. What may be secret is never handed in, and redacted if it were.

import { pino } from 'pino';

/** The logger that everything is handed. */
export type Logger = pino.Logger;

const REDACTED = [
  'authorization',
  '*.authorization',
  '*.headers.authorization',
  'password',
  '*.password',
  'apiKey',
  '*.apiKey',
  'databaseUrl',
  '*.databaseUrl',
  'connectionString',
  '*.connectionString',
  'privateKey',
  '*.privateKey',
];

/** @param level A pino level, or `silent` */
export function createLog(level: string): Logger {
  return pino({ level, base: {}, redact: { paths: REDACTED, censor: '[redacted]' } }, pino.destination(2));
}
