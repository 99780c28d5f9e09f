import { runForLease, type Election, type LeaseOptions } from './lease-election';

/** Work that one process of several does. */
export interface Leader {
  /** Begins it. */
  lead(): void;
  /** Fulfilled when nothing of it is under way any more. */
  rest(): Promise<void>;
}

/** How a leader is elected: `onLead` hears of it before the work begins. */
export interface LeaderElection extends Omit<LeaseOptions, 'onLead'> {
  readonly leader: Leader;
  readonly onLead: () => void;
  /** Raised when the process is asked to end: the work comes to rest, and then the lease is given back. */
  readonly stop: AbortSignal;
}

/** Runs for the lead by a Lease, and does a leader's work for as long as it is held. */
export function electLeader({ leader, stop, onLead, ...options }: LeaderElection): Election {
  const election = runForLease({
    ...options,
    onLead: async (signal) => {
      onLead();
      leader.lead();
      await raised(signal);
      await leader.rest();
    },
  });
  void raised(stop).then(() => election.stop());
  return election;
}

/** Fulfilled when a signal is raised. */
export const raised = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
