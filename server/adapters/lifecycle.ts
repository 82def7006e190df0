// Whether this process still wants traffic. A process that is about to stop says so before it closes its port, so that a
// load balancer sends its next requests elsewhere and loses none.

/** The one direction that a process goes in. */
export interface Lifecycle {
  /** True from the signal to stop on. */
  readonly isStopping: boolean;
  beginStop(): void;
}

/** The lifecycle of a process that runs. */
export function startLifecycle(): Lifecycle {
  let isStopping = false;
  return {
    get isStopping() {
      return isStopping;
    },
    beginStop() {
      isStopping = true;
    },
  };
}
