import { runForLease, type Election, type LeaseOptions } from './lease-election';

/** Work that only the leading process does. */
export interface Leader {
  /** Starts the work. */
  lead(): void;
  /** Resolves when no work is in progress. */
  drain(): Promise<void>;
}

/** Options of the election; `onStartedLeading` is called before the work starts. */
export interface LeaderElection extends Omit<LeaseOptions, 'onStartedLeading'> {
  readonly leader: Leader;
  readonly onStartedLeading: () => void;
  /** Aborted on shutdown: the work drains, then the lease is released. */
  readonly stop: AbortSignal;
}

/** Competes for leadership with a Lease, and does the leader's work while it is held. */
export function electLeader({ leader, stop, onStartedLeading, ...options }: LeaderElection): Election {
  const election = runForLease({
    ...options,
    onStartedLeading: async (signal) => {
      onStartedLeading();
      leader.lead();
      await whenAborted(signal);
      await leader.drain();
    },
  });
  void whenAborted(stop).then(() => election.stop());
  return election;
}

/** Resolves when a signal is aborted. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
