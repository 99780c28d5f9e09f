import { trainingRoles, type Workload } from '../../api';
import { fieldsOf, statusString } from '../observed/child-status';
import { newestPods } from '../report/newest-pods';
import { runReadiness } from '../report/readiness';
import { type WorkloadState } from '../report/workload-state';
import { parseIndexes } from '../run/index-ranges';
import { jobFailed, lostJobResult } from '../run/job-result';
import { indexesOf, type IndexSpan, type JobMembers, type ReplicatedJob } from '../run/replicated-job';
import { earlier, succeeded, type RunResult } from '../run/run-result';
import { type RunKindController, type RunState } from './kind-controller';

type TrainingJob = Workload<'PinterestTrainingJob'>;
type TrainingState = RunState<'PinterestTrainingJob'>;

/** Controller behavior of PinterestTrainingJob. */
export const pinterestTrainingJobController: RunKindController<'PinterestTrainingJob'> = {
  revisionKinds: ['Job'],
  statusFields: memberFields,
  readiness: (state, open) => runReadiness(state, open, haveAllBegun),
  run: {
    indexSpans: roleSpans,
    result: trainingResult,
    maxRestarts: () => 0,
    maxActiveJobs: (_, jobs) => jobs.length,
    podsToDelete: ({ spec }, pods) => (spec.cleanPodPolicy === 'All' ? pods.filter(({ deleting }) => !deleting) : []),
    outlivesSuccess: ({ spec }) => spec.cleanPodPolicy === 'None',
    gang: { settings: ({ spec }) => spec.gang, leads },
  },
};

/** Roles of a training job with their member counts, in the order of their indexes. */
const rolesOf = ({ spec }: TrainingJob): readonly { readonly role: string; readonly replicas: number }[] =>
  trainingRoles[spec.framework].flatMap((role) => {
    const replicas = spec.roles[role]?.replicas;
    return replicas === undefined ? [] : [{ role, replicas }];
  });

/** Returns the members by role; if all roles share one Job, each role has a range of its indexes. */
function memberFields({ workload, input }: WorkloadState<'PinterestTrainingJob'>) {
  const { record, desired, observed, pods } = input;
  const active = newestPods(desired, observed, pods).filter(({ phase }) => phase === 'Pending' || phase === 'Running');
  let next = 0;
  const counts = rolesOf(workload).map(({ role, replicas }) => {
    const from = next;
    next += replicas;
    const own = active.filter(({ member, index = 0 }) =>
      member === undefined ? index >= from && index < from + replicas : member === role,
    );
    const tally = {
      ready: own.filter(({ ready }) => ready).length,
      active: own.length,
      succeeded: parseIndexes(record?.succeeded[role]).size,
      failed: parseIndexes(record?.failed[role]).size,
    };
    return [role, tally] as const;
  });
  const ready = counts.reduce((sum, [, tally]) => sum + tally.ready, 0);
  return { roles: Object.fromEntries(counts), readyMembers: `${ready}/${next}` };
}

/** Returns whether every member has started. */
function haveAllBegun({ input: { desired, observed, pods }, statuses }: WorkloadState): boolean {
  const newest = newestPods(desired, observed, pods);
  const jobs = statuses.filter(({ object }) => object.kind === 'Job');
  return jobs.every(({ object, status }) => {
    if (status.state === 'Succeeded' || status.state === 'Failed') return true;
    const wanted = Number(fieldsOf(object, 'spec')['parallelism'] ?? 1);
    const child = observed.child('Job', object.metadata.name);
    const own = newest.filter(({ controller }) => controller?.uid === child?.uid);
    const begun = new Set(own.filter(({ ready, phase }) => ready || phase === 'Succeeded').map(({ index }) => index));
    return child !== undefined && statusString(child.status, 'startTime') !== undefined && begun.size >= wanted;
  });
}

function roleSpans(workload: TrainingJob, { member, count }: JobMembers): readonly IndexSpan[] {
  if (member !== undefined) return [{ key: member, from: 0, as: 0, count }];
  let next = 0;
  return rolesOf(workload).map(({ role, replicas }) => {
    const from = next;
    next += replicas;
    return { key: role, from, as: 0, count: replicas };
  });
}

/** Returns whether a Job holds the member that leads, as its index 0. */
function leads(workload: TrainingJob, { spans }: ReplicatedJob): boolean {
  return spans[0]?.key === rolesOf(workload)[0]?.role;
}

/** Returns the result of a training job: its required success or the failure of a role, whichever came first. */
function trainingResult(state: TrainingState): RunResult | undefined {
  const failures = state.jobs.map((job) => failureOf(job, state)).reduce(earlier, undefined);
  const success = state.workload.spec.successPolicy === 'Leader' ? leaderSuccess(state) : allSuccess(state);
  return earlier(success, failures);
}

function failureOf(job: ReplicatedJob, { record, now }: TrainingState): RunResult | undefined {
  const over = job.progress?.finished;
  if (over?.outcome === 'Failed') return { ...jobFailed(job.name, over), repeatable: false };
  const end = job.progress ? undefined : lostJobResult(job, record, now);
  return end?.outcome === 'Failed' ? { ...end, repeatable: false } : undefined;
}

function leaderSuccess({ workload, jobs, now }: TrainingState): RunResult | undefined {
  const leader = jobs.find((job) => leads(workload, job));
  const over = leader?.progress?.finished;
  if (over?.outcome === 'Succeeded') return succeeded(over.at, `the leader, in Job ${leader?.name ?? ''}, succeeded`);
  // A Job with a success policy ends when its leader does.
  const ends = (leader?.object['spec'] as { successPolicy?: unknown } | undefined)?.successPolicy !== undefined;
  if (over || ends || !leader?.progress?.succeeded.has(0)) return undefined;
  return succeeded(now, `the leader, index 0 of Job ${leader.name}, succeeded`);
}

/** Parameter servers run until they are stopped, so their end does not count. */
const completes = ({ spans }: ReplicatedJob): boolean => spans.some(({ key }) => key !== 'ps');

function allSuccess({ jobs, record, now }: TrainingState): RunResult | undefined {
  let at = 0;
  for (const job of jobs.filter(completes)) {
    const over = job.progress?.finished;
    // The record knows the members of a Job that may have been deleted.
    const isRecorded = !job.progress && indexesOf(job, record, 'succeeded').size === job.count;
    if (over?.outcome !== 'Succeeded' && !isRecorded) return undefined;
    at = Math.max(at, over?.at ?? 0);
  }
  return succeeded(at || now, 'all members that run to completion succeeded');
}
