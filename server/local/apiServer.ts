/**
 * The service itself on a local stack: the production process `server/main.ts` as a child, with its configuration and
 * secrets in its environment and nothing in its arguments. It is ready once `/readyz` says so.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './freePort.ts';
import type { Reaper } from './reaper.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const KEPT_LOG_CHARACTERS = 4_000_000;

/** How the process is run. */
export interface ApiServerOptions {
  /** Whoever ends the process with the rest: a stack's `watch`. */
  readonly watch: Pick<Reaper, 'adopt' | 'end'>;
  /** Called once with the process, before it is known to answer. */
  readonly onSpawn?: (child: ChildProcess) => void;
  /** Further arguments of `main.ts`. */
  readonly flags?: readonly string[];
  /** False resolves as soon as it listens, ready or not; default true. */
  readonly untilReady?: boolean;
}

/** A running API server. */
export interface LocalApiServer {
  /** `http://127.0.0.1:<port>`: its host and port are the audience of signed requests. */
  readonly url: string;
  readonly metricsUrl: string;
  readonly process: ChildProcess;
  /** What the process has written so far: JSON lines, the last four million characters. */
  log(): string;
  /** SIGTERM, as an operator does; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/**
 * Starts the server and waits until `/readyz` answers 200.
 *
 * @param environment The variables of `config.ts`; ports, public URL and hosts are filled in where missing
 * @throws With the end of its log when it ends, or is not ready within a minute
 */
export async function startApiServer(
  environment: Readonly<Record<string, string>>,
  options: ApiServerOptions,
): Promise<LocalApiServer> {
  const port = Number(environment.PORT ?? (await freePort()));
  const metricsPort = Number(environment.METRICS_PORT ?? (await freePort()));
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...(options.flags ?? [])], {
    cwd: ROOT,
    env: {
      PUBLIC_URL: url,
      PUBLIC_HOSTS: `127.0.0.1:${port},localhost:${port}`,
      DOCS_HOST: `127.0.0.1:${port}`,
      ...environment,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  options.watch.adopt('the API server', child, { signal: 'SIGTERM', group: true });
  options.onSpawn?.(child);

  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-KEPT_LOG_CHARACTERS);
    });
  }
  await untilAnswers(`${url}/readyz`, options.untilReady ?? true, child, () => log);
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    process: child,
    log: () => log,
    stop: async () => {
      await options.watch.end(child);
      return child.exitCode;
    },
    kill: () => options.watch.end(child, 'SIGKILL'),
  };
}

async function untilAnswers(url: string, ok: boolean, child: ChildProcess, log: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let last = 'no answer';
  for (;;) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
      last = `${response.status} ${await response.text()}`;
      if (response.ok || !ok) return;
    } catch {
      // It does not listen yet.
    }
    const gone = child.exitCode !== null || child.signalCode !== null;
    if (gone || Date.now() > deadline) {
      throw new Error(`The API server did not become ready (${last}):\n${log().slice(-4_000)}`);
    }
    await sleep(POLL_MS);
  }
}
