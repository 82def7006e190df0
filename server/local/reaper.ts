/**
 * Ends everything that a local stack started: in order on a normal stop, through the watchdog when the launcher is
 * killed. Each process is registered in the same turn in which it is spawned, so that none can be missed; a registered
 * process that ends on its own is a crash, and whoever started the stack hears of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const GRACE_MS = 5_000;
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };

/** How a part is asked to end, and whether it leads a process group of its own. */
export interface PartEnding {
  /** The polite signal; SIGKILL follows when it is ignored. Default SIGINT: graph-node ignores SIGTERM. */
  readonly signal?: NodeJS.Signals;
  /** True when the process was spawned `detached`, as the leader of its group. */
  readonly group?: boolean;
  /** True when the process ends by itself once its work is done; only its starter cares how. */
  readonly mayEnd?: boolean;
}

/** A part ended although nobody asked it to. */
export interface Crash {
  readonly part: string;
  /** `signal SIGKILL` or `code 1`. */
  readonly how: string;
}

interface Part extends PartEnding {
  readonly name: string;
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
}

/** The list of a stack's processes; make one with {@link startReaper}. */
export interface Reaper {
  /** Puts a process under watch; call it in the same turn as `spawn`. */
  adopt(name: string, child: ChildProcess, ending?: PartEnding): void;
  /** Ends one process on purpose and resolves when it is gone; not a crash. SIGKILL skips the polite signal. */
  end(child: ChildProcess, signal?: NodeJS.Signals): Promise<void>;
  /** Has `stop` called when everything ends: for the parts inside the launcher. */
  atEnd(stop: () => Promise<void>): void;
  /** Ends all that reads from others first, then the rest, then removes the ephemeral folder; may be called again. */
  endAll(): Promise<void>;
  /** Resolves with the first crash; stays pending otherwise. */
  readonly crashed: Promise<Crash>;
}

/** Starts the watchdog. `ephemeralFolder`, when given, is removed after the last process is gone, whatever happens. */
export function startReaper(ephemeralFolder?: string): Reaper {
  const parts: Part[] = [];
  const stops: (() => Promise<void>)[] = [];
  const ending = new Set<ChildProcess>();
  let stopped: Promise<void> | undefined;
  let report: (crash: Crash) => void = () => {};
  const crashed = new Promise<Crash>((resolve) => {
    report = resolve;
  });

  const watchdog = spawn(process.execPath, [fileURLToPath(new URL('./watchdog.mjs', import.meta.url))], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A session of its own: Ctrl-C in the launcher's terminal must not reach it.
    detached: true,
    env: {},
    cwd: '/',
  });
  watchdog.stdin.on('error', () => {});
  const tell = (line: object): void => void watchdog.stdin.write(`${JSON.stringify(line)}\n`);
  const watchdogEnded = ended(watchdog);
  watchdogEnded.then(() => {
    if (!stopped) report({ part: 'the watchdog', how: outcome(watchdog) });
  });
  if (ephemeralFolder !== undefined) tell({ folder: ephemeralFolder });

  const adopt = (name: string, child: ChildProcess, options: PartEnding = {}): void => {
    const { pid } = child;
    const gone = ended(child);
    parts.push({ ...options, name, process: child, ended: gone });
    if (pid !== undefined) {
      tell({
        add: {
          pid,
          signal: options.signal ?? 'SIGINT',
          group: options.group ?? false,
        },
      });
    }
    gone.then(() => {
      tell({ remove: pid });
      parts.splice(
        parts.findIndex((part) => part.process === child),
        1,
      );
      if (!stopped && !ending.has(child) && !options.mayEnd) report({ part: name, how: outcome(child) });
    });
    // Spawned by a start that was still under way when everything was ended.
    if (stopped) child.kill('SIGKILL');
  };

  const end = async (child: ChildProcess, signal?: NodeJS.Signals): Promise<void> => {
    const part = parts.find((candidate) => candidate.process === child);
    if (part === undefined) return;
    ending.add(child);
    child.kill(signal ?? part.signal ?? 'SIGINT');
    const timer = setTimeout(() => killHard(part), GRACE_MS);
    await part.ended;
    clearTimeout(timer);
  };

  const atEnd = (stop: () => Promise<void>): void => {
    stops.push(stop);
    if (stopped) void stop();
  };

  const endAll = (): Promise<void> => {
    stopped ??= (async () => {
      // The last started reads from all the others; the rest can go at once.
      const [last, ...others] = [...parts].reverse();
      if (last) await end(last.process);
      await Promise.all(others.map((part) => end(part.process)));
      await Promise.all(stops.map((stop) => stop()));
      watchdog.stdin.end();
      await watchdogEnded;
      // The watchdog has done so, unless it was the one that crashed.
      if (ephemeralFolder !== undefined) await rm(ephemeralFolder, REMOVAL);
    })();
    return stopped;
  };

  return { adopt, end, atEnd, endAll, crashed };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

function outcome(child: ChildProcess): string {
  return child.signalCode === null ? `code ${child.exitCode}` : `signal ${child.signalCode}`;
}

function killHard({ process: child, group }: Part): void {
  try {
    if (group && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
  child.kill('SIGKILL');
}
