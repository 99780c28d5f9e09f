import { type TrainCluster } from './train';
import { type TrainRecord } from './train-record';

/** What is observed of a cluster that a train changes. */
export interface TrainObservation {
  /** Workloads that should be Ready and are not, as `Kind namespace/name`. */
  readonly notReady: readonly string[];
  /** What else is not as it must be, one sentence each: the Platform, the controllers, the rollout of a profile. */
  readonly waits: readonly string[];
  /** Verdict of the canary's runs since the change, or of its last runs before it. */
  readonly canary: { readonly state: 'open' | 'closed' | 'pending' | 'absent'; readonly reasons: readonly string[] };
}

/** What a train does next on a cluster. */
export type TrainStep =
  /** Nothing: the change has passed here. */
  | { readonly do: 'skip' }
  /** Record that the change begins. */
  | { readonly do: 'begin' }
  /** Apply the manifests. */
  | { readonly do: 'apply' }
  /** Record that the cluster is well. */
  | { readonly do: 'settle' }
  /** Record that it has been well for long enough. */
  | { readonly do: 'pass' }
  | { readonly do: 'wait'; readonly reasons: readonly string[] }
  | { readonly do: 'halt'; readonly reason: string };

/** Input of the decision. */
export interface TrainStepInput {
  readonly record: TrainRecord | undefined;
  readonly digest: string;
  readonly cluster: TrainCluster;
  readonly observation: TrainObservation;
  /** Time at which this command came to the cluster, in milliseconds since 1970: a cluster has the deadline again on a rerun. */
  readonly since: number;
  readonly deadline: number;
  readonly now: number;
}

/** Decides what a train does next on a cluster. Pure. */
export function nextTrainStep(input: TrainStepInput): TrainStep {
  const { record, digest, cluster, observation, now } = input;
  if (record?.digest !== digest) return begin(cluster, observation);
  if (record.passedAt !== undefined) return { do: 'skip' };
  if (record.appliedAt === undefined) return { do: 'apply' };
  if (cluster.canary === 'Required' && observation.canary.state === 'closed')
    return { do: 'halt', reason: sentenceOf('the canary failed after the change', observation.canary.reasons) };
  const reasons = reasonsToWait(record, cluster, observation);
  if (reasons.length === 0 && record.settledAt === undefined) return { do: 'settle' };
  if (reasons.length === 0)
    return now >= Date.parse(record.settledAt ?? '') + cluster.soak ? { do: 'pass' } : { do: 'wait', reasons: [] };
  if (record.settledAt !== undefined)
    return { do: 'halt', reason: sentenceOf('the cluster did not stay well', reasons) };
  if (now >= input.since + input.deadline)
    return { do: 'halt', reason: sentenceOf('the cluster did not settle in time', reasons) };
  return { do: 'wait', reasons };
}

/** A change begins only on a cluster that is well: otherwise its effect could not be distinguished from what was broken before. */
function begin(cluster: TrainCluster, { waits, canary }: TrainObservation): TrainStep {
  if (waits.length > 0) return { do: 'halt', reason: sentenceOf('the cluster is not well before the change', waits) };
  if (cluster.canary === 'Skip' || canary.state === 'open') return { do: 'begin' };
  const remedy = 'install the canary, or set canary: Skip for this cluster';
  const reasons = canary.state === 'absent' ? [...canary.reasons, remedy] : canary.reasons;
  return { do: 'halt', reason: sentenceOf('the canary does not pass before the change', reasons) };
}

function reasonsToWait(
  { notReadyBefore }: TrainRecord,
  { canary: requirement }: TrainCluster,
  { notReady, waits, canary }: TrainObservation,
): readonly string[] {
  const newlyNotReady = notReady.filter((workload) => !notReadyBefore.includes(workload));
  return [
    ...waits,
    ...(newlyNotReady.length > 0 ? [workloadsText(newlyNotReady)] : []),
    ...(requirement === 'Required' && canary.state !== 'open' ? canary.reasons : []),
  ];
}

const shownWorkloads = 5;

function workloadsText(workloads: readonly string[]): string {
  const more = workloads.length - shownWorkloads;
  const names = workloads.slice(0, shownWorkloads).join(', ');
  return `not Ready since the change: ${names}${more > 0 ? ` and ${more} more` : ''}`;
}

const sentenceOf = (what: string, reasons: readonly string[]): string => `${what}: ${reasons.join('; ')}`;
