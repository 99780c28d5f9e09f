import { type Clock, isApiError, runForLease } from '../../kube';
import { type CanaryDeps } from './canary-deps';
import { CanaryNotInstalled } from './run-canary';
import { sweep } from './sweep';

/** Name of the Lease that a run holds: two at once would remove each other's workloads. */
const canaryLease = 'canary';

/** Longer than the usual: a control plane that is slow is what a run is to tell of. */
const times = { leaseDuration: 30_000, renewDeadline: 20_000, retryPeriod: 3_000 };

/**
 * Does a run while nobody else does one; waits for whoever is at it, and goes on 30 s after one that was killed.
 * Gives nothing where the run was stopped, or the lease was lost. Of one that was stopped nothing is left.
 * Throws `CanaryNotInstalled` where the namespace is not there, and an `ApiError` where the lease is refused, or the API
 * server gives no answer for 20 s before the run.
 */
export async function withCanaryLease<T>(
  world: CanaryDeps,
  namespace: string,
  work: (world: CanaryDeps) => Promise<T>,
  onHolder: (holder: string) => void = () => undefined,
): Promise<T | undefined> {
  const { client, clock, signal } = world;
  const identity = `canary-${Math.floor(clock.random() * 2 ** 40).toString(36)}`;
  const waiting = new Waiting(clock);
  let result: T | undefined;
  const election = runForLease({
    client,
    clock,
    namespace,
    name: canaryLease,
    identity,
    ...times,
    onHolder: (holder) => holder === '' || holder === identity || onHolder(holder),
    onError: (error) => waiting.failed(error) && void election.stop(),
    onLead: async (leading) => {
      waiting.isOver = true;
      const own = AbortSignal.any([leading, signal]);
      const done = await work({ ...world, signal: own });
      // Steps that were cut off failed of nothing.
      if (!own.aborted) result = done;
      else if (!leading.aborted) await sweep({ ...world, signal: leading });
      void election.stop();
    },
  });
  // The lease is kept until what a stopped run made is removed.
  const stop = (): void => void (election.isLeading() || election.stop());
  signal.addEventListener('abort', stop);
  try {
    await election.done;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (waiting.end === undefined) return result;
  if (isApiError(waiting.end, 404))
    throw new CanaryNotInstalled(`there is no namespace ${namespace}; apply what "pinion canary manifests" prints`);
  throw waiting.end;
}

/** The time before a run, in which the lease is asked for again and again: how long that makes sense. */
class Waiting {
  isOver = false;
  /** What ended it. */
  end: Error | undefined;
  #since = 0;
  #last = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** Takes note of an attempt that failed; gives whether there is to be no other. */
  failed(error: unknown): boolean {
    if (this.isOver || isApiError(error, 409)) return false;
    const now = this.clock.now();
    // Attempts are less than this apart: between these there was one that did not fail.
    if (now - this.#last > times.renewDeadline) this.#since = now;
    this.#last = now;
    const isRefused = isApiError(error) && error.status >= 400 && error.status < 500 && error.status !== 429;
    if (!isRefused && now - this.#since < times.renewDeadline) return false;
    this.end = error instanceof Error ? error : new Error(String(error));
    return true;
  }
}
