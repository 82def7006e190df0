// The one process of the local stack that outlives its launcher: it reads what to end from a pipe, and acts only when
// that pipe closes, which also happens when the launcher is killed with SIGKILL. Plain JavaScript, so that it is up
// within milliseconds and without a loader. It must never end a process that was not registered with it.

import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 2_000;
const POLL_MS = 25;

/** @type {Map<number, {pid: number, signal: NodeJS.Signals, group: boolean}>} */
const parts = new Map();
/** @type {string[]} */
const folders = [];

// A signal meant for the launcher may reach us too; ours is the pipe.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { add, remove, folder } = JSON.parse(line);
  if (add) parts.set(add.pid, add);
  if (remove) parts.delete(remove);
  if (folder) folders.push(folder);
});
lines.on('close', async () => {
  for (const part of parts.values()) send(part, part.signal);
  const deadline = Date.now() + GRACE_MS;
  while ([...parts.values()].some(lives) && Date.now() < deadline) await sleep(POLL_MS);
  for (const part of parts.values()) if (lives(part)) send(part, 'SIGKILL');
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

function send({ pid, group }, signal) {
  // PostgreSQL and graph-node take a polite signal themselves; the whole group only hears the last one.
  for (const target of group && signal === 'SIGKILL' ? [-pid, pid] : [pid]) {
    try {
      process.kill(target, signal);
    } catch {
      // Already gone.
    }
  }
}

function lives({ pid }) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
