// One part of a running stack and what a fault test may do to it: stop it, kill it, hold it, start it again at the same
// address. Doing so on purpose is not a crash; the stack stays up and shows how the others bear it.

import type { ChildProcess } from 'node:child_process';
import type { Reaper } from './reaper.ts';

/** A part that is a process of its own. `current` is what its starter returned last. */
export interface ProcessPart<T> {
  readonly current: T;
  /** Ends it politely and waits. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL and waits. */
  kill(): Promise<void>;
  /** Freezes it: connections stay open and nothing answers. {@link resume} or {@link kill} follows. */
  pause(): void;
  resume(): void;
  /** Starts it again on the same ports and data, and waits until it answers. */
  start(): Promise<T>;
}

/** A part that is a server inside the launcher. */
export interface ServerPart<T> {
  readonly current: T;
  stop(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<T>;
}

/** Starts a process part; `launch` gets what it returned last time, for the ports. */
export async function processPart<T extends { readonly process: ChildProcess }>(
  reaper: Reaper,
  launch: (previous?: T) => Promise<T>,
): Promise<ProcessPart<T>> {
  let current = await launch();
  return {
    get current() {
      return current;
    },
    stop: () => reaper.end(current.process),
    kill: () => reaper.end(current.process, 'SIGKILL'),
    pause: () => void current.process.kill('SIGSTOP'),
    resume: () => void current.process.kill('SIGCONT'),
    start: async () => {
      current = await launch(current);
      return current;
    },
  };
}

/** Starts a server part; `launch` gets the port of last time. */
export async function serverPart<T extends { readonly url: string; stop(): Promise<void> }>(
  reaper: Reaper,
  launch: (port?: number) => Promise<T>,
): Promise<ServerPart<T>> {
  let current = await launch();
  let running = true;
  const stop = async (): Promise<void> => {
    if (running) await current.stop();
    running = false;
  };
  reaper.atEnd(stop);
  return {
    get current() {
      return current;
    },
    stop,
    start: async () => {
      current = await launch(Number(new URL(current.url).port));
      running = true;
      return current;
    },
  };
}
