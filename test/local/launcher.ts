// Runs `server/local/start.ts` as its own process, knows every process and port that belongs to it, and can tell
// afterwards whether any is left. Ends only what it started itself.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const GONE_TIMEOUT_MS = 10_000;

/** One line of the process table. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** A launcher under test. */
export interface Launcher {
  readonly process: ChildProcess;
  /** Everything written to stdout and to stderr so far. */
  stdout(): string;
  stderr(): string;
  /** The parsed line of `--json`; throws with stderr when the launcher ends first. */
  ready(): Promise<Report>;
  /** Its processes now, itself not counted. */
  family(): Promise<ProcessRow[]>;
  /** Sends a signal and resolves with `[code, signal]` once it has ended. */
  end(signal: NodeJS.Signals): Promise<[number | null, NodeJS.Signals | null]>;
  /** Resolves with `[code, signal]`. */
  readonly ended: Promise<[number | null, NodeJS.Signals | null]>;
}

/** What `--json` prints, as far as tests of the launcher look at it. */
export interface Report {
  readonly api_url: string | null;
  readonly subgraph_url: string;
  readonly documents_url: string;
  readonly rpc_url: string;
  readonly ipfs_url: string;
  readonly chain_id: number;
  readonly hub_address: string;
  readonly token_address: string;
  readonly accounts: {
    readonly poster: Record<string, string>;
    readonly solvers: Record<string, string>[];
    readonly guardians: Record<string, string>[];
  };
}

/** Starts the launcher with `--json` and the given arguments; `command` replaces `node start.ts`, as `['npm', 'start', '--']`. */
export function launch(args: readonly string[], command?: readonly [string, ...string[]]): Launcher {
  const [file, ...first] = command ?? [process.execPath, '--import', 'tsx', 'server/local/start.ts'];
  const child = spawn(file, [...first, '--json', ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit') as Launcher['ended'];
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const lines = createInterface({ input: child.stdout });
  const report = new Promise<Report>((resolve) => {
    lines.on('line', (line) => line.startsWith('{') && resolve(JSON.parse(line) as Report));
  });
  const early = ended.then(([code, signal]): never => {
    throw new Error(`The launcher ended (${signal ?? code}): ${stderr}`);
  });
  early.catch(() => {});
  return {
    process: child,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    ready: () =>
      Promise.race([
        report,
        early,
        sleep(READY_TIMEOUT_MS, undefined, { ref: false }).then((): never => {
          throw new Error(`Not ready within ${READY_TIMEOUT_MS} ms: ${stderr}`);
        }),
      ]),
    family: () => familyOf(child.pid as number),
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/**
 * Which of these processes still run after a grace period; a reused pid would show another command. Those that do are
 * killed, so that a test that fails here leaves nothing to the next one.
 */
export async function survivors(family: readonly ProcessRow[]): Promise<ProcessRow[]> {
  const deadline = Date.now() + GONE_TIMEOUT_MS;
  for (;;) {
    const table = await processTable();
    const left = family.filter(({ pid, command }) =>
      table.some((row) => row.pid === pid && row.command === command),
    );
    if (left.length === 0) return left;
    if (Date.now() > deadline) {
      for (const { pid } of left) killIfThere(pid);
      return left;
    }
    await sleep(50);
  }
}

/** Which of these URLs' ports still accept connections. */
export async function openPorts(urls: readonly (string | null)[]): Promise<string[]> {
  const open = await Promise.all(
    urls.map(async (url) => (url !== null && (await accepts(url)) ? [url] : [])),
  );
  return open.flat();
}

/** The URLs of a report. */
export function urlsOf(report: Report): (string | null)[] {
  return [report.api_url, report.subgraph_url, report.documents_url, report.rpc_url, report.ipfs_url];
}

async function familyOf(root: number): Promise<ProcessRow[]> {
  const table = await processTable();
  const family: ProcessRow[] = [];
  const parents = new Set([root]);
  // Parents come before children only by chance, so look until nothing is added.
  for (let found = -1; found !== family.length; ) {
    found = family.length;
    for (const row of table) {
      if (parents.has(row.parent) && !parents.has(row.pid)) {
        parents.add(row.pid);
        family.push(row);
      }
    }
  }
  return family.filter(({ command }) => !command.startsWith('ps '));
}

async function processTable(): Promise<ProcessRow[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,stat=,args='], {
    maxBuffer: 2 ** 24,
  });
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    // A zombie is gone; only its parent has not looked yet.
    if (match === null || match[3]?.startsWith('Z')) return [];
    return [{ pid: Number(match[1]), parent: Number(match[2]), command: match[4] ?? '' }];
  });
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went with its parent.
  }
}

function accepts(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
