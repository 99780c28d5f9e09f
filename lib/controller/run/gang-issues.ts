import { type BlockingIssue } from '../plan/plan-step';
import { type RunInput, type MemberNeed } from './run-plan';
import { type ReplicatedJob } from './replicated-job';

/** Inputs of a gang's start. */
export interface GangFacts {
  readonly input: RunInput;
  readonly replicatedJobs: readonly ReplicatedJob[];
  readonly needs: readonly MemberNeed[];
  /** Members that must start together. */
  readonly least: number;
  /** Milliseconds until they must have a node. */
  readonly timeout: number;
}

/** Returns the issue that a gang waits for capacity; `placed` members would fit now. */
export function insufficientCapacity({ input, needs, least }: GangFacts, placed: number): BlockingIssue {
  const asked = [
    ...new Set(needs.map(({ job, count, requests }) => `${count} of ${job} with ${amounts(requests)} each`)),
  ].join('; ');
  return waits(
    input,
    `waits for capacity for ${least} members at once, and ${placed} would fit now (${asked}); add nodes, free some, or lower the requests of members or gang.minAvailable`,
  );
}

/** Returns the issue that a gang was withdrawn a number of times and retries after some milliseconds. */
export const gangTimedOut = ({ input, least, timeout }: GangFacts, attempts: number, wait: number): BlockingIssue =>
  waits(
    input,
    `was withdrawn ${attempts} times because not ${least} members had a node within ${timeout / 1000}s; it retries in ${Math.ceil(wait / 1000)}s. Add nodes, or raise gang.timeout if nodes take longer to start`,
  );

const amounts = (requests: Readonly<Record<string, number>>): string =>
  Object.entries(requests)
    .map(([resource, amount]) => `${resource} ${resource === 'cpu' ? `${amount}m` : amount}`)
    .join(', ') || 'no requests';

const waits = ({ workload }: RunInput, message: string): BlockingIssue => ({
  reason: 'GangPending',
  kind: workload.kind,
  name: workload.metadata.name,
  message,
  owner: 'capacity',
});
