import { trainingRoles, type Workload } from '../../api';
import { fieldsOf, statusString } from '../observed/child-status';
import { newestPods } from '../report/newest-pods';
import { runReadiness } from '../report/readiness';
import { type WorkloadState } from '../report/workload-state';
import { parseIndexes } from '../run/index-ranges';
import { jobResult } from '../run/job-result';
import { indexesOf, type IndexSpan, type JobMembers, type ReplicatedJob } from '../run/replicated-job';
import { earlier, succeeded, type RunResult } from '../run/run-result';
import { type RunKindController, type RunState } from './kind-controller';

type TrainingJob = Workload<'PinterestTrainingJob'>;
type TrainingState = RunState<'PinterestTrainingJob'>;

/** Controller behavior of PinterestTrainingJob. */
export const pinterestTrainingJobController: RunKindController<'PinterestTrainingJob'> = {
  revisionKinds: ['Job'],
  statusFields: memberFields,
  readiness: (state, open) => runReadiness(state, open, haveAllStarted),
  run: {
    indexSpans: roleSpans,
    result: trainingResult,
    maxRestarts: () => 0,
    maxActiveJobs: (_, jobs) => jobs.length,
    podsToDelete: ({ spec }, pods) => (spec.cleanPodPolicy === 'All' ? pods.filter(({ deleting }) => !deleting) : []),
    outlivesSuccess: ({ spec }) => spec.cleanPodPolicy === 'None',
    gang: { settings: ({ spec }) => spec.gang, leads: isLeader },
  },
};

/** Roles of a training job with their member counts, in the order of their indexes. */
const rolesOf = ({ spec }: TrainingJob): readonly { readonly role: string; readonly replicas: number }[] =>
  trainingRoles[spec.framework].flatMap((role) => {
    const replicas = spec.roles[role]?.replicas;
    return replicas === undefined ? [] : [{ role, replicas }];
  });

/** Returns member counts by role; if all roles share one Job, each role has a range of its indexes. */
function memberFields({ workload, input }: WorkloadState<'PinterestTrainingJob'>) {
  const { record, desired, observed, pods } = input;
  const active = newestPods(desired, observed, pods).filter(({ phase }) => phase === 'Pending' || phase === 'Running');
  let next = 0;
  const countsByRole = rolesOf(workload).map(({ role, replicas }) => {
    const from = next;
    next += replicas;
    const memberPods = active.filter(({ member, index = 0 }) =>
      member === undefined ? index >= from && index < from + replicas : member === role,
    );
    const counts = {
      ready: memberPods.filter(({ ready }) => ready).length,
      active: memberPods.length,
      succeeded: parseIndexes(record?.succeeded[role]).size,
      failed: parseIndexes(record?.failed[role]).size,
    };
    return [role, counts] as const;
  });
  const ready = countsByRole.reduce((sum, [, counts]) => sum + counts.ready, 0);
  return { roles: Object.fromEntries(countsByRole), readyMembers: `${ready}/${next}` };
}

/** Returns whether every member has started. */
function haveAllStarted({ input: { desired, observed, pods }, statuses }: WorkloadState): boolean {
  const newest = newestPods(desired, observed, pods);
  const jobs = statuses.filter(({ object }) => object.kind === 'Job');
  return jobs.every(({ object, status }) => {
    if (status.state === 'Succeeded' || status.state === 'Failed') return true;
    const expected = Number(fieldsOf(object, 'spec')['parallelism'] ?? 1);
    const child = observed.child('Job', object.metadata.name);
    const memberPods = newest.filter(({ controller }) => controller?.uid === child?.uid);
    const startedIndexes = new Set(
      memberPods.filter(({ ready, phase }) => ready || phase === 'Succeeded').map(({ index }) => index),
    );
    return (
      child !== undefined && statusString(child.status, 'startTime') !== undefined && startedIndexes.size >= expected
    );
  });
}

function roleSpans(workload: TrainingJob, { member, count }: JobMembers): readonly IndexSpan[] {
  if (member !== undefined) return [{ key: member, from: 0, recordFrom: 0, count }];
  let next = 0;
  return rolesOf(workload).map(({ role, replicas }) => {
    const from = next;
    next += replicas;
    return { key: role, from, recordFrom: 0, count: replicas };
  });
}

/** Returns whether a Job contains the leader, as its index 0. */
function isLeader(workload: TrainingJob, { spans }: ReplicatedJob): boolean {
  return spans[0]?.key === rolesOf(workload)[0]?.role;
}

/** Returns the result of a training job: its required success or the failure of a role, whichever came first. */
function trainingResult(state: TrainingState): RunResult | undefined {
  const failures = state.jobs.map((job) => failureOf(job, state)).reduce(earlier, undefined);
  const success = state.workload.spec.successPolicy === 'Leader' ? leaderSuccess(state) : allSuccess(state);
  return earlier(success, failures);
}

function failureOf(job: ReplicatedJob, { record, now }: TrainingState): RunResult | undefined {
  const end = jobResult(job, record, now);
  return end?.outcome === 'Failed' ? { ...end, repeatable: false } : undefined;
}

function leaderSuccess({ workload, jobs, now }: TrainingState): RunResult | undefined {
  const leader = jobs.find((job) => isLeader(workload, job));
  const finished = leader?.progress?.finished;
  if (finished?.outcome === 'Succeeded')
    return succeeded(finished.at, `the leader, in Job ${leader?.name ?? ''}, succeeded`);
  // A Job with a success policy ends when its leader does.
  const hasSuccessPolicy =
    (leader?.object['spec'] as { successPolicy?: unknown } | undefined)?.successPolicy !== undefined;
  if (finished || hasSuccessPolicy || !leader?.progress?.succeeded.has(0)) return undefined;
  return succeeded(now, `the leader, index 0 of Job ${leader.name}, succeeded`);
}

/** Parameter servers run until they are stopped, so their end does not count. */
const runsToCompletion = ({ spans }: ReplicatedJob): boolean => spans.some(({ key }) => key !== 'ps');

function allSuccess({ jobs, record, now }: TrainingState): RunResult | undefined {
  let at = 0;
  for (const job of jobs.filter(runsToCompletion)) {
    const finished = job.progress?.finished;
    // The record still counts the members of a deleted Job.
    const isRecorded = !job.progress && indexesOf(job, record, 'succeeded').size === job.count;
    if (finished?.outcome !== 'Succeeded' && !isRecorded) return undefined;
    at = Math.max(at, finished?.at ?? 0);
  }
  return succeeded(at || now, 'all members that run to completion succeeded');
}
