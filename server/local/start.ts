// `npm start`: the whole service on a local stack. Progress goes to stderr; with `--json`, stdout gets exactly one line
// once everything is ready. A requested stop ends with code 0, anything else with 1; neither leaves a process or a port.

import { parseArgs } from 'node:util';
import { type LocalApiServer, startApiServer } from './apiServer.ts';
import { type LocalStack, startStack } from './stack.ts';
import { startJson, startSummary } from './startReport.ts';

const USAGE = `npm start -- [options]

  --json              print one line of JSON on stdout when all is ready
  --block-time <s>    seconds between blocks (default 2)
  --data-dir <path>   keep chain, index, documents and keys there (default: a temporary folder)
  --port <n>          port of the API (default: a free one)
  --no-api            everything but the API server
  --follow-parent     stop when the process that started this one is gone
  --help              this text
`;

// A terminal or a pipe that went away must not stop us from ending the parts.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const flags = readFlags();
if (flags.help) process.stdout.write(USAGE);
else await run();

async function run(): Promise<void> {
  const asked = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!asked.signal.aborted) say(`${signal}: stopping`);
      asked.abort();
    });
  }
  if (flags.followParent) followParent(() => asked.abort());
  const requested = new Promise<void>((resolve) => asked.signal.addEventListener('abort', () => resolve()));

  let stack: LocalStack | undefined;
  let failure: string | undefined;
  try {
    stack = await startStack({
      mining: { intervalSeconds: flags.blockTime },
      progress: say,
      signal: asked.signal,
      ...(flags.dataDir !== undefined && { dataDir: flags.dataDir }),
    });
    const starting = flags.api ? startServer(stack) : Promise.resolve(undefined);
    starting.catch(() => {});
    const crashed = stack.crashed.then(async ({ part, how }): Promise<never> => {
      // A part that starts can say more of why it ended; Ctrl-C in a terminal reaches some parts as early as us.
      await Promise.race([starting.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 200))]);
      throw new Error(`${part} ended (${how}): everything is stopped`);
    });
    crashed.catch(() => {});
    const server = await Promise.race([starting, crashed, requested]);
    if (!asked.signal.aborted) {
      const report = { stack, server: server ?? undefined };
      process.stdout.write(flags.json ? `${startJson(report)}\n` : startSummary(report));
    }
    await Promise.race([requested, crashed]);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  if (failure !== undefined && !asked.signal.aborted) say(`stopped: ${failure}`);
  await stack?.stop();
  process.exit(asked.signal.aborted ? 0 : 1);
}

async function startServer(stack: LocalStack): Promise<LocalApiServer> {
  const began = performance.now();
  const overrides: Record<string, string> = flags.port === undefined ? {} : { PORT: String(flags.port) };
  const server = await startApiServer(stack.serverEnvironment(overrides), { watch: stack.watch });
  say(`api ready, ${((performance.now() - began) / 1000).toFixed(1)} s later`);
  return server;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** npm does not always pass a kill on: an orphan has another parent than the one that started it. */
function followParent(gone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, 500);
  timer.unref();
}

function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        'block-time': { type: 'string', default: '2' },
        'data-dir': { type: 'string' },
        port: { type: 'string' },
        'no-api': { type: 'boolean', default: false },
        'follow-parent': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return {
      json: values.json,
      help: values.help,
      api: !values['no-api'],
      followParent: values['follow-parent'],
      blockTime: wholeNumber('--block-time', values['block-time'], 1, 600),
      dataDir: values['data-dir'],
      port: values.port === undefined ? undefined : wholeNumber('--port', values.port, 1, 65_535),
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

function wholeNumber(flag: string, text: string, lowest: number, highest: number): number {
  const value = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= lowest && value <= highest) return value;
  throw new Error(`${flag} must be a whole number from ${lowest} to ${highest}.`);
}
