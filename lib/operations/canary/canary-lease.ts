import { type Clock, isApiError, runForLease } from '../../kube';
import { type CanaryDeps } from './canary-deps';
import { CanaryNotInstalled } from './run-canary';
import { sweep } from './sweep';

/** Lease of a run: concurrent runs would delete each other's workloads. */
const canaryLease = 'canary';

/** Longer than the defaults, because a run must be able to report a slow control plane. */
const times = { leaseDuration: 30_000, renewDeadline: 20_000, retryPeriod: 3_000 };

/**
 * Runs `work` while holding the lease; waits for a running holder, and takes over 30 s after one that was killed.
 * Returns undefined if the run was aborted or the lease was lost; objects of an aborted run are deleted.
 * Throws `CanaryNotInstalled` if the namespace does not exist, and an `ApiError` if the lease is rejected or the API
 * server does not respond for 20 s before the run.
 */
export async function withCanaryLease<T>(
  deps: CanaryDeps,
  namespace: string,
  work: (deps: CanaryDeps) => Promise<T>,
  onHolder: (holder: string) => void = () => undefined,
): Promise<T | undefined> {
  const { client, clock, signal } = deps;
  const identity = `canary-${Math.floor(clock.random() * 2 ** 40).toString(36)}`;
  const retries = new LeaseRetries(clock);
  let result: T | undefined;
  const election = runForLease({
    client,
    clock,
    namespace,
    name: canaryLease,
    identity,
    ...times,
    onNewLeader: (holder) => holder === '' || holder === identity || onHolder(holder),
    onError: (error) => retries.recordFailure(error) && void election.stop(),
    onStartedLeading: async (leading) => {
      retries.isOver = true;
      const own = AbortSignal.any([leading, signal]);
      const done = await work({ ...deps, signal: own });
      // Results of an aborted run are meaningless.
      if (!own.aborted) result = done;
      else if (!leading.aborted) await sweep({ ...deps, signal: leading });
      void election.stop();
    },
  });
  // An aborted run keeps the lease until its objects are deleted.
  const stop = (): void => void (election.isLeading() || election.stop());
  signal.addEventListener('abort', stop);
  try {
    await election.done;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (retries.fatalError === undefined) return result;
  if (isApiError(retries.fatalError, 404))
    throw new CanaryNotInstalled(`namespace ${namespace} not found; apply the output of "pinion canary manifests"`);
  throw retries.fatalError;
}

/** Retries of lease acquisition before a run, and when to give up. */
class LeaseRetries {
  isOver = false;
  /** Error that ended the retries. */
  fatalError: Error | undefined;
  #since = 0;
  #last = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** Records a failed attempt; returns whether to give up. */
  recordFailure(error: unknown): boolean {
    if (this.isOver || isApiError(error, 409)) return false;
    const now = this.clock.now();
    // Attempts are closer together than this, so one in between succeeded.
    if (now - this.#last > times.renewDeadline) this.#since = now;
    this.#last = now;
    const isRejected = isApiError(error) && error.status >= 400 && error.status < 500 && error.status !== 429;
    if (!isRejected && now - this.#since < times.renewDeadline) return false;
    this.fatalError = error instanceof Error ? error : new Error(String(error));
    return true;
  }
}
