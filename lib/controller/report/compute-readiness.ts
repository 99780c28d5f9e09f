import { type Workload } from '../../api';
import { type ConditionReason } from '../reasons';
import { type Finding } from './cause';
import { type Judgement } from './conditions';
import { fieldsOf, statusString } from '../observed/child-status';
import { newestPods } from './newest-pods';
import { type ReportInput } from './report';
import { isInTheWay } from './object-status';
import { type DesiredObjectStatus } from './desired-object-status';

/** How a workload stands, and that in one word for people. */
export interface WorkloadJudgement<R extends string = ConditionReason> extends Judgement<R> {
  readonly phase: string;
}

/** Findings that no retry of anybody's solves. */
const final = new Set<Finding['severity']>(['invalid', 'obstacle', 'refused', 'ended', 'slow', 'volume']);

/** Judges a workload by what is most in the way, else by how far its objects have come. */
export function computeReadiness(
  input: ReportInput,
  stood: readonly DesiredObjectStatus[],
  worst: Finding | undefined,
): WorkloadJudgement<string> {
  return worst ? judgeTrouble(input, stood, worst) : judgeProgress(input, stood);
}

function judgeTrouble(
  input: ReportInput,
  stood: readonly DesiredObjectStatus[],
  worst: Finding,
): WorkloadJudgement<string> {
  const { reason, message, owner } = worst.cause;
  // What lacks room goes on by itself once there is some; a run that has failed does not.
  const stalled = final.has(worst.severity) && (owner !== 'capacity' || worst.severity === 'ended');
  const state = stalled || isPastDeadline(stood) ? 'stalled' : 'reconciling';
  return { state, reason, message, phase: phaseInTrouble(input, worst, state) };
}

function judgeProgress(input: ReportInput, stood: readonly DesiredObjectStatus[]): WorkloadJudgement {
  const { workload } = input;
  if (!workload)
    return { state: 'reconciling', reason: 'Unknown', message: 'Nothing is known of it yet.', phase: 'Pending' };
  const open = openWork(input, stood);
  const ends = workload.kind === 'PinterestJobSet' || workload.kind === 'PinterestTrainingJob';
  if (ends) return judgeRun(input, stood, workload, open);
  if (open) return { ...open, state: 'reconciling', phase: 'Progressing' };
  return workload.kind === 'PinterestCronJob'
    ? judgeSchedule(workload)
    : { ...available(stood), state: 'ready', phase: 'Ready' };
}

/** Whether Kubernetes itself has given up waiting. */
const isPastDeadline = (stood: readonly DesiredObjectStatus[]): boolean =>
  stood.some(({ object, standing }) => object.kind !== 'Job' && standing.state === 'Failed');

function phaseInTrouble({ workload, record }: ReportInput, { severity }: Finding, state: string): string {
  if (severity === 'invalid') return 'Invalid';
  if (severity === 'ended') return 'Failed';
  const ends = workload?.kind === 'PinterestJobSet' || workload?.kind === 'PinterestTrainingJob';
  if (state === 'stalled') return 'Stalled';
  if (!ends) return 'Progressing';
  if (record?.gang?.phase === 'Waiting') return 'Waiting';
  return record?.started === undefined ? 'Pending' : 'Running';
}

/** What has been begun and is not seen to its end. */
function openWork(
  { plan }: ReportInput,
  stood: readonly DesiredObjectStatus[],
): Pick<Judgement, 'reason' | 'message'> | undefined {
  const steps = (plan?.steps ?? []).filter(({ why }) => why !== 'drifted' && why !== 'unwanted' && why !== 'adopted');
  const open = stood.filter(({ object, standing }) => object.kind !== 'Job' && isInTheWay(standing.state));
  const told = open.find(({ standing }) => standing.state !== 'Missing') ?? open[0];
  if (steps.length === 0 && !plan?.waits && !told) return undefined;
  if (!told || told.standing.state === 'Missing') {
    return { reason: 'Applying', message: 'Its objects are being created and changed.' };
  }
  const { object, standing } = told;
  const message = `${object.kind} ${object.metadata.name}: ${standing.message ?? standing.state}.`;
  return { reason: standing.reason ?? 'RolloutInProgress', message };
}

function available(stood: readonly DesiredObjectStatus[]): Pick<Judgement, 'reason' | 'message'> {
  const counted = stood.flatMap(({ standing: { counts, message } }) => (counts ? [{ counts, message }] : []));
  const wanted = counted.reduce((sum, { counts }) => sum + counts.wanted, 0);
  const rest = counted.flatMap(({ message }) => (message === undefined ? [] : [`${message}.`]));
  const message =
    wanted === 0 ? 'No pod is wanted.' : wanted === 1 ? 'Its pod is available.' : `All ${wanted} pods are available.`;
  return { reason: 'Available', message: [message, ...rest].join(' ') };
}

const judgeSchedule = ({ spec }: Workload<'PinterestCronJob'>): WorkloadJudgement =>
  spec.suspend
    ? { state: 'ready', reason: 'Suspended', message: 'It is suspended: no run starts.', phase: 'Suspended' }
    : { state: 'ready', reason: 'Scheduled', message: `It runs by the schedule ${spec.schedule}.`, phase: 'Scheduled' };

/** Work that ends is as wanted while it runs, when it has succeeded, and while it is suspended on purpose. */
function judgeRun(
  input: ReportInput,
  stood: readonly DesiredObjectStatus[],
  { spec }: Workload<'PinterestJobSet' | 'PinterestTrainingJob'>,
  open: Pick<Judgement, 'reason' | 'message'> | undefined,
): WorkloadJudgement {
  const { record } = input;
  if (record?.outcome === 'Succeeded') {
    return { state: 'ready', reason: 'Succeeded', message: 'It has succeeded.', phase: 'Succeeded' };
  }
  if (spec.suspend)
    return { state: 'ready', reason: 'Suspended', message: 'It is suspended as asked for.', phase: 'Suspended' };
  const waiting = record?.gang?.phase === 'Waiting';
  const phase = waiting ? 'Waiting' : record?.started === undefined ? 'Pending' : 'Running';
  if (waiting) {
    return {
      state: 'reconciling',
      reason: 'GangPending',
      message: 'It waits until all members find room at once.',
      phase,
    };
  }
  if (open) return { ...open, state: 'reconciling', phase };
  const running = { state: 'ready', reason: 'Running', message: 'It runs.', phase: 'Running' } as const;
  return hasBegun(input, stood)
    ? running
    : { state: 'reconciling', reason: 'Starting', message: 'Its pods are starting.', phase };
}

/** Whether every member of a training job is there, or the first shard of a job set: the others come and go. */
function hasBegun(
  { kind, desired, observed, pods, record }: ReportInput,
  stood: readonly DesiredObjectStatus[],
): boolean {
  if (record?.started === undefined) return false;
  const over = Object.values({ ...record.succeeded, ...record.failed }).some((set) => set !== '');
  const speaking = newestPods(desired, observed, pods);
  if (kind === 'PinterestJobSet') return over || speaking.some(({ ready, phase }) => ready || phase === 'Succeeded');
  const jobs = stood.filter(({ object }) => object.kind === 'Job');
  return jobs.every(({ object, standing }) => {
    if (standing.state === 'Succeeded' || standing.state === 'Failed') return true;
    const wanted = Number(fieldsOf(object, 'spec')['parallelism'] ?? 1);
    const child = observed.child('Job', object.metadata.name);
    const own = speaking.filter(({ controller }) => controller?.uid === child?.uid);
    const there = new Set(own.filter(({ ready, phase }) => ready || phase === 'Succeeded').map(({ index }) => index));
    return child !== undefined && statusString(child.status, 'startTime') !== undefined && there.size >= wanted;
  });
}
