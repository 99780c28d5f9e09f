import { type RolloutObservation } from '../fleet/observe-rollout';
import { type Train, type TrainCluster } from './train';
import { type TrainRecord } from './train-record';

/** What is observed of a cluster that a train changes. */
export interface TrainObservation {
  /** Workloads that should be Ready and are not, as `Kind namespace/name`; neither runs nor what was created after the change began. */
  readonly notReady: readonly string[];
  /** What has not rolled out, one sentence each: the Platform and the Deployments of the manifests. */
  readonly rollingOut: readonly string[];
  /** What else is not as it must be: the rollout of the profile, and held workloads. */
  readonly waits: readonly string[];
  /** Rollout of the revision of the Platform; complete if the Platform has no rollouts. */
  readonly rollout: RolloutObservation;
  /** Verdict of the canary's runs since the rollout of the change, or of its last runs before it. */
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
  /** Record that the Platform and the controllers have the change. */
  | { readonly do: 'rolledOut' }
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
  readonly train: Pick<Train, 'deadline' | 'tolerance'>;
  readonly cluster: TrainCluster;
  /** Whether a former change is taken back: on a cluster that may be unwell, without canary and soak. */
  readonly isBack: boolean;
  readonly observation: TrainObservation;
  /** Time at which this command came to the cluster, in milliseconds since 1970: a cluster has the deadline again on a rerun. */
  readonly since: number;
  /** Time since which a soaking cluster is unwell; undefined while it is well. */
  readonly unwellSince: number | undefined;
  readonly now: number;
}

/** Decides what a train does next on a cluster. Pure. */
export function nextTrainStep(input: TrainStepInput): TrainStep {
  const { record, digest, cluster, observation, isBack, now } = input;
  if (record?.digest !== digest) return isBack ? { do: 'begin' } : begin(cluster, observation);
  if (record.passedAt !== undefined) return { do: 'skip' };
  if (record.appliedAt === undefined) return { do: 'apply' };
  if (observation.rollingOut.length === 0 && record.rolledOutAt === undefined) return { do: 'rolledOut' };
  const { stopped } = observation.rollout;
  if (stopped !== undefined && observation.rollingOut.length === 0) return { do: 'halt', reason: stopped };
  const needsCanary = cluster.canary === 'Required' && !isBack;
  if (needsCanary && record.rolledOutAt !== undefined && observation.canary.state === 'closed')
    return { do: 'halt', reason: sentenceOf('the canary failed after the change', observation.canary.reasons) };
  const reasons = reasonsToWait(record, observation, needsCanary);
  if (reasons.length === 0) return whileWell(record, isBack ? 0 : cluster.soak, now);
  return whileUnwell(input, reasons);
}

/** A change begins only on a cluster that is well: otherwise its effect could not be distinguished from what was broken before. */
function begin(cluster: TrainCluster, { rollingOut, waits, rollout, canary }: TrainObservation): TrainStep {
  // After a rollback the workloads are as before, so that a corrected change can begin.
  const unwell = [...rollingOut, ...waits, ...(rollout.isRolledBack ? [] : rollout.waits)];
  if (unwell.length > 0) return { do: 'halt', reason: sentenceOf('the cluster is not well before the change', unwell) };
  if (cluster.canary === 'Skip' || canary.state === 'open') return { do: 'begin' };
  const remedy = 'install the canary, or set canary: Skip for this cluster';
  const reasons = canary.state === 'absent' ? [...canary.reasons, remedy] : canary.reasons;
  return { do: 'halt', reason: sentenceOf('the canary does not pass before the change', reasons) };
}

function whileWell({ settledAt }: TrainRecord, soak: number, now: number): TrainStep {
  if (settledAt === undefined) return { do: 'settle' };
  return now >= Date.parse(settledAt) + soak ? { do: 'pass' } : { do: 'wait', reasons: [] };
}

function whileUnwell(
  { record, train, since, unwellSince, now }: TrainStepInput,
  reasons: readonly string[],
): TrainStep {
  if (record?.settledAt !== undefined)
    return now >= (unwellSince ?? now) + train.tolerance
      ? { do: 'halt', reason: sentenceOf('the cluster did not stay well', reasons) }
      : { do: 'wait', reasons };
  return now >= since + train.deadline
    ? { do: 'halt', reason: sentenceOf('the cluster did not settle in time', reasons) }
    : { do: 'wait', reasons };
}

function reasonsToWait(
  { notReadyBefore }: TrainRecord,
  { notReady, rollingOut, waits, rollout, canary }: TrainObservation,
  needsCanary: boolean,
): readonly string[] {
  const newlyNotReady = notReady.filter((workload) => !notReadyBefore.includes(workload));
  return [
    ...rollingOut,
    ...waits,
    ...rollout.waits,
    ...(newlyNotReady.length > 0 ? [workloadsText(newlyNotReady)] : []),
    ...(needsCanary && canary.state !== 'open' ? canary.reasons : []),
  ];
}

const shownWorkloads = 5;

function workloadsText(workloads: readonly string[]): string {
  const more = workloads.length - shownWorkloads;
  const names = workloads.slice(0, shownWorkloads).join(', ');
  return `not Ready since the change: ${names}${more > 0 ? ` and ${more} more` : ''}`;
}

const sentenceOf = (what: string, reasons: readonly string[]): string => `${what}: ${reasons.join('; ')}`;
