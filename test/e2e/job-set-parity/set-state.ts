import { metadataKeys } from '../../../lib/api';
import { indexCount } from '../../../lib/controller/run/index-ranges';
import { completionIndexAnnotation } from '../../../lib/expand/objects/job';
import { podBehavior } from '../../control-plane/pod-behavior';
import { type GeneratedSet } from './generated-set';
import { type LiveCondition, type LiveJobObject, type LivePod, type SetObjects } from './namespace-state';

/** State of a Job, in terms that both controllers share. */
export interface JobState {
  /** Number of restarts of the set when it was created. */
  readonly attempt: number;
  readonly phase: 'Running' | 'Suspended' | 'Succeeded' | 'Failed';
  /** Reason of its failure. */
  readonly reason?: string;
  /** Number of indexes that have succeeded. */
  readonly succeeded: number;
  /** Whether each running pod is ready, by index. */
  readonly pods: Readonly<Record<string, boolean>>;
}

/** End of a set. */
export interface SetEnd {
  readonly outcome: 'Succeeded' | 'Failed';
  /** Job whose failure ended it. */
  readonly job?: string;
  /** Whether a rule with FailJobSet ended it, and not the number of restarts. */
  readonly byRule?: boolean;
}

/** Observable state of a set. */
export interface SetState {
  readonly jobs: Readonly<Record<string, JobState>>;
  readonly restarts: number;
  /** Restarts that count towards maxRestarts. */
  readonly countedRestarts: number;
  readonly end?: SetEnd;
}

/** Number of Jobs of one job by state. */
interface Counts {
  readonly ready: number;
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** What differs between the controllers: where their objects have the same facts. */
export interface Dialect {
  readonly attempt: (job: LiveJobObject) => number;
  readonly restarts: (objects: SetObjects) => Pick<SetState, 'restarts' | 'countedRestarts'>;
  readonly end: (objects: SetObjects) => SetEnd | undefined;
  readonly reportedCounts: (objects: SetObjects, job: string) => Counts | undefined;
  /** Whether the controller has written the status of this generation, if its status tells. */
  readonly hasObserved: (objects: SetObjects) => boolean;
  /** Phases in which a Job counts as ready once enough of its pods are ready or have succeeded. */
  readonly readyPhases: readonly JobState['phase'][];
}

const statusOf = ({ set }: SetObjects): Readonly<Record<string, unknown>> => set.status ?? {};
const conditionOf = (conditions: readonly LiveCondition[] | undefined, type: string): LiveCondition | undefined =>
  conditions?.find((condition) => condition.type === type && condition.status === 'True');
const numberIn = (fields: Readonly<Record<string, unknown>>, name: string): number => Number(fields[name] ?? 0);

/** Facts in a PinterestJobSet. */
export const pinionDialect: Dialect = {
  attempt: ({ metadata }) => Number(/-(\d+)$/.exec(metadata.annotations?.[metadataKeys.run] ?? '')?.[1]),
  restarts: (objects) => {
    const restarts = numberIn(statusOf(objects), 'restarts');
    return { restarts, countedRestarts: restarts - numberIn(statusOf(objects), 'uncountedRestarts') };
  },
  end: ({ set: { status } }) => {
    if (conditionOf(status?.conditions, 'Complete')) return { outcome: 'Succeeded' };
    const { message = '' } = conditionOf(status?.conditions, 'Failed') ?? {};
    const job = /^Job (\S+) failed/.exec(message)?.[1];
    return message
      ? { outcome: 'Failed', ...(job && { job }), byRule: message.includes('(FailJobSet by rule') }
      : undefined;
  },
  reportedCounts: (objects, job) => (statusOf(objects)['jobs'] as Record<string, Counts> | undefined)?.[job],
  hasObserved: ({ set }) => set.status?.['observedGeneration'] === set.metadata.generation,
  readyPhases: ['Running'],
};

/** Facts in a JobSet. */
export const jobSetDialect: Dialect = {
  attempt: ({ metadata }) => Number(metadata.labels?.['jobset.sigs.k8s.io/restart-attempt']),
  restarts: (objects) => ({
    restarts: numberIn(statusOf(objects), 'restarts'),
    countedRestarts: numberIn(statusOf(objects), 'restartsCountTowardsMax'),
  }),
  end: ({ set: { status } }) => {
    if (conditionOf(status?.conditions, 'Completed')) return { outcome: 'Succeeded' };
    const failed = conditionOf(status?.conditions, 'Failed');
    const job = /\(first failed job: (\S+)\)/.exec(failed?.message ?? '')?.[1];
    return failed
      ? { outcome: 'Failed', ...(job && { job }), byRule: failed.reason === 'FailJobSetFailurePolicyAction' }
      : undefined;
  },
  reportedCounts: (objects, job) =>
    (statusOf(objects)['replicatedJobsStatus'] as readonly (Counts & { readonly name: string })[] | undefined)?.find(
      ({ name }) => name === job,
    ),
  // Its counts tell what it has observed; it has no generation.
  hasObserved: () => true,
  readyPhases: ['Running', 'Suspended'],
};

/** Returns the state of a set. */
export function stateOf(objects: SetObjects, dialect: Dialect): SetState {
  const end = dialect.end(objects);
  return {
    jobs: Object.fromEntries(
      objects.jobs
        .map((job) => [job.metadata.name, jobState(job, podsOf(objects, job), dialect)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    ...dialect.restarts(objects),
    ...(end && { end }),
  };
}

const podsOf = ({ pods }: SetObjects, { metadata }: LiveJobObject): readonly LivePod[] => pods.get(metadata.uid) ?? [];
const isAlive = ({ status }: LivePod): boolean => status.phase !== 'Succeeded' && status.phase !== 'Failed';
const isReady = ({ status }: LivePod): boolean => conditionOf(status.conditions, 'Ready') !== undefined;

function jobState(job: LiveJobObject, pods: readonly LivePod[], dialect: Dialect): JobState {
  const failed = conditionOf(job.status.conditions, 'Failed');
  const alive = pods.filter(isAlive).map((pod) => [indexOf(pod), isReady(pod)] as const);
  return {
    attempt: dialect.attempt(job),
    phase: phaseOf(job),
    ...(failed?.reason && { reason: failed.reason }),
    succeeded: indexCount({ indexes: job.status.completedIndexes ?? '' }),
    pods: Object.fromEntries(alive.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Returns the completion index of a pod. */
export const indexOf = ({ metadata }: LivePod): string => metadata.annotations?.[completionIndexAnnotation] ?? '';

function phaseOf({ spec, status }: LiveJobObject): JobState['phase'] {
  if (conditionOf(status.conditions, 'Complete')) return 'Succeeded';
  if (conditionOf(status.conditions, 'Failed')) return 'Failed';
  return spec.suspend ? 'Suspended' : 'Running';
}

/**
 * Returns why a set is still changing by itself; undefined once only another event can change it. Clusters are not
 * timed: a state has settled once each controller reports that it has seen it.
 */
export function unsettledBecause(set: GeneratedSet, objects: SetObjects, dialect: Dialect): string | undefined {
  const { jobs, restarts, end } = stateOf(objects, dialect);
  for (const job of objects.jobs) {
    const reason = jobUnsettledBecause(job, podsOf(objects, job));
    if (reason !== undefined) return `${job.metadata.name} ${reason}`;
  }
  if (!dialect.hasObserved(objects)) return 'the spec has not been observed';
  const states = Object.values(jobs);
  if (states.some(({ attempt }) => attempt !== restarts)) return 'Jobs of an earlier attempt exist';
  const active = states.filter(({ phase }) => phase === 'Running').length;
  if (end) return active > 0 ? 'it has ended, but Jobs run' : countsDiffer(set, objects, dialect);
  if (states.some(({ phase }) => phase === 'Failed')) return 'a Job has failed';
  const suspended = states.filter(({ phase }) => phase === 'Suspended').length;
  if (objects.set.spec.suspend) {
    if (active > 0 || suspended === 0) return 'it is not suspended yet';
  } else if (active === 0) return 'no Job runs';
  return countsDiffer(set, objects, dialect);
}

function jobUnsettledBecause({ metadata, spec, status }: LiveJobObject, pods: readonly LivePod[]): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return 'is being deleted';
  if (pods.some((pod) => pod.metadata.deletionTimestamp !== undefined)) return 'has pods that are being deleted';
  const { uncountedTerminatedPods: uncounted = {}, conditions } = status;
  if ((uncounted.succeeded ?? []).length + (uncounted.failed ?? []).length > 0) return 'has uncounted pods';
  if (pods.some((pod) => !isAlive(pod) && (pod.metadata.finalizers ?? []).length > 0)) return 'has not counted a pod';
  if (conditionOf(conditions, 'Complete') ?? conditionOf(conditions, 'Failed')) return undefined;
  if (conditionOf(conditions, 'FailureTarget') ?? conditionOf(conditions, 'SuccessCriteriaMet'))
    return 'is terminating';
  const alive = pods.filter(isAlive);
  if (spec.suspend) {
    if (alive.length > 0) return 'is suspended and has pods';
    return conditionOf(conditions, 'Suspended') ? undefined : 'is not suspended yet';
  }
  if (spec.activeDeadlineSeconds !== undefined) return 'has a deadline';
  const open = spec.completions - indexCount({ a: status.completedIndexes ?? '', b: status.failedIndexes ?? '' });
  if (open === 0) return 'is about to finish';
  if (alive.length !== Math.min(spec.parallelism, open)) return `has ${alive.length} pods of ${open} open indexes`;
  const late = alive.find((pod) => !hasObeyed(pod));
  if (late) return `has pod ${indexOf(late)}, which has not changed yet`;
  if (status.active !== alive.length || (status.ready ?? 0) !== alive.filter(isReady).length) return 'has stale counts';
  return undefined;
}

/** Returns whether a running pod is in the state that its annotations ask for. */
function hasObeyed({ metadata, status, ...pod }: LivePod): boolean {
  const { [podBehavior.readyAfter]: readyAfter, [podBehavior.exitAfter]: exitAfter } = metadata.annotations ?? {};
  return (
    status.phase === 'Running' &&
    exitAfter === 'never' &&
    isReady({ metadata, status, ...pod }) === (readyAfter !== 'never')
  );
}

/** Returns the job whose counts in the status of the set are not those of its Jobs. */
function countsDiffer({ jobs, name }: GeneratedSet, objects: SetObjects, dialect: Dialect): string | undefined {
  for (const job of jobs) {
    const counts = { ready: 0, active: 0, succeeded: 0, failed: 0 };
    const prefix = `${name}-${job.name}-`;
    for (const live of objects.jobs.filter(({ metadata }) => metadata.name.startsWith(prefix))) {
      const phase = phaseOf(live);
      const { active = 0, ready = 0, succeeded = 0 } = live.status;
      if (phase === 'Succeeded') counts.succeeded += 1;
      else if (phase === 'Failed') counts.failed += 1;
      else if (active > 0) counts.active += 1;
      const needed = Math.min(live.spec.parallelism, live.spec.completions);
      if (dialect.readyPhases.includes(phase) && ready + succeeded >= needed) counts.ready += 1;
    }
    const reported = dialect.reportedCounts(objects, job.name);
    const differs = (Object.keys(counts) as (keyof Counts)[]).find(
      (count) => (reported?.[count] ?? 0) !== counts[count],
    );
    if (differs)
      return `it counts ${reported?.[differs] ?? 0} ${differs} Jobs of ${job.name} instead of ${counts[differs]}`;
  }
  return undefined;
}
