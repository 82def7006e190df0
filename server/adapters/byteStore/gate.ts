// Keeps garbage collection and writers apart: a block that was just stored hangs on no root yet, and a collection in
// between would take it away. Writers run beside each other; a collection runs alone.

/** A lock with many holders or one. */
export interface Gate {
  /** Runs beside other shared work; waits only while an exclusive work is running. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /** Runs alone; waits for shared work to end and, meanwhile, keeps none back: one slow upload must not stop all. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

/** An open gate. */
export function createGate(): Gate {
  let sharing = 0;
  let alone = false;
  let waiting: (() => void)[] = [];

  const changed = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  const until = async (free: () => boolean): Promise<void> => {
    while (!free()) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
  };

  return {
    async shared(work) {
      await until(() => !alone);
      sharing += 1;
      try {
        return await work();
      } finally {
        sharing -= 1;
        changed();
      }
    },
    async exclusive(work) {
      await until(() => !alone && sharing === 0);
      alone = true;
      try {
        return await work();
      } finally {
        alone = false;
        changed();
      }
    },
  };
}
