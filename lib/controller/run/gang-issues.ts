import { type BlockingIssue } from '../plan/plan-step';
import { type RunInput, type MemberNeed } from './run-plan';
import { type ReplicatedJob } from './replicated-job';

/** Inputs of a gang start. */
export interface GangFacts {
  readonly input: RunInput;
  readonly replicatedJobs: readonly ReplicatedJob[];
  readonly needs: readonly MemberNeed[];
  /** Members that must start together. */
  readonly minMembers: number;
  /** Milliseconds within which they must be scheduled. */
  readonly timeout: number;
}

/** Returns the issue of a gang that waits for capacity. */
export function insufficientCapacity({ input, needs, minMembers }: GangFacts, fittingMembers: number): BlockingIssue {
  const requested = [
    ...new Set(needs.map(({ job, count, requests }) => `${count} of ${job} with ${amounts(requests)} each`)),
  ].join('; ');
  return gangPending(
    input,
    `waits for capacity for ${minMembers} members at once; ${fittingMembers} fit now (${requested}). Add nodes, free capacity, or lower the requests of members or gang.minAvailable`,
  );
}

/** Returns the issue of a gang that timed out and retries after a delay in milliseconds. */
export const gangTimedOut = (
  { input, minMembers, timeout }: GangFacts,
  attempts: number,
  delay: number,
): BlockingIssue =>
  gangPending(
    input,
    `was withdrawn ${attempts} times because fewer than ${minMembers} members were scheduled within ${timeout / 1000}s; it retries in ${Math.ceil(delay / 1000)}s. Add nodes, or raise gang.timeout if nodes take longer to start`,
  );

const amounts = (requests: Readonly<Record<string, number>>): string =>
  Object.entries(requests)
    .map(([resource, amount]) => `${resource} ${resource === 'cpu' ? `${amount}m` : amount}`)
    .join(', ') || 'no requests';

const gangPending = ({ workload }: RunInput, message: string): BlockingIssue => ({
  reason: 'GangPending',
  kind: workload.kind,
  name: workload.metadata.name,
  message,
  owner: 'capacity',
});
