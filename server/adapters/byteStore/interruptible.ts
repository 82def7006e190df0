// Steps of a long stream, awaited one after the other, that a timer or an abort can cut short. Not Promise.race against
// one lasting promise: that one would hold on to the result of every step, the whole stream in the end.

/** Awaits one step at a time. */
export interface Interruptible {
  /** The step's outcome, or a rejection with the interruption's reason, whichever comes first. */
  wait<T>(step: () => Promise<T>): Promise<T>;
  /** Rejects the present step and every later one. */
  interrupt(reason: unknown): void;
}

/** Nothing is interrupted yet. */
export function createInterruptible(): Interruptible {
  let interrupted: { readonly reason: unknown } | undefined;
  let reject: (reason: unknown) => void = () => {};
  return {
    wait: (step) =>
      new Promise((resolve, rejectStep) => {
        if (interrupted) {
          rejectStep(interrupted.reason);
          return;
        }
        reject = rejectStep;
        step().then(resolve, rejectStep);
      }),
    interrupt(reason) {
      interrupted ??= { reason };
      reject(interrupted.reason);
    },
  };
}
