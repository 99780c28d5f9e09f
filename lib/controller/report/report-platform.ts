import { explainProblem, isError, isPlatformKind, type PlatformKind, type Problem, type Status } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type LiveObject } from '../../kube';
import { type Observed } from '../observed/child';
import { type ConditionReason } from '../reasons';
import { conditionsOf, timeOf, type StatusCondition, type Readiness } from './conditions';
import { worstOf } from './cause';
import { type ReconcilePlan } from '../plan/plan-step';
import { eventsForReadiness } from './events-for-status';
import { type EventDraft, type ReportInput } from './report';
import { blocksReadiness } from './object-status';
import { computeObjectStatus } from './compute-object-status';
import { planFindings } from './plan-findings';

/** Status and Events of a platform resource. */
export interface PlatformReport {
  readonly status: Status<PlatformKind>;
  /** Once for each change, derived from the difference to the previous status. */
  readonly events: readonly EventDraft[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Input of the report on a platform resource. */
export interface PlatformReportInput {
  readonly live: LiveObject;
  readonly problems: readonly Problem[];
  /** Problems of the resources that it depends on; until they are fixed it changes nothing. @default - none */
  readonly missing?: readonly Problem[];
  /** Desired objects of the resource. */
  readonly desired: readonly KubernetesObject[];
  readonly observed: Observed;
  readonly plan: ReconcilePlan | undefined;
  readonly rejected: ReportInput['rejected'];
  /** Workloads that depend on it. */
  readonly workloads: readonly LiveObject[];
  /** RuntimeProfile named by the Platform. */
  readonly profile: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Reason why workloads are not rolled out to the current profile. @default - they are */
  readonly blockedReason?: string | undefined;
}

/** Returns the status and the Events of a Project, a RuntimeProfile or the Platform. */
export function reportPlatformResource(input: PlatformReportInput): PlatformReport {
  const { kind } = input.live;
  if (!isPlatformKind(kind)) throw new Error(`${kind} is not a platform kind`);
  const status = { Project: reportProject, RuntimeProfile: reportProfile, Platform: reportPlatform }[kind](input);
  return { status, events: eventsForReadiness(input.live['status'] as Fields | undefined, status) };
}

/** Returns the status of a Project: whether its namespace and its policies exist. */
export const reportProject = (input: PlatformReportInput): Status<'Project'> => statusOf(input, 'Applied');

/** Returns the status of a RuntimeProfile with the number of workloads that use it. */
export const reportProfile = (input: PlatformReportInput): Status<'RuntimeProfile'> => statusOf(input, 'Valid');

/** Maximum number of profiles in a status. */
const maxProfiles = 64;

/** Returns the status of the Platform: its current profile since when, and the number of workloads per profile. */
export function reportPlatform(input: PlatformReportInput): Status<'Platform'> {
  const { live, profile, blockedReason, workloads, now } = input;
  const before = (live['status'] as Status<'Platform'> | undefined)?.runtime;
  const since = before && before.profile === profile ? before.since : timeOf(now);
  const counts = new Map<string, number>();
  for (const workload of workloads) {
    const used = (workload['status'] as Fields | undefined)?.['runtimeProfile'];
    if (typeof used === 'string') counts.set(used, (counts.get(used) ?? 0) + 1);
  }
  const most = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, maxProfiles);
  return {
    ...statusOf(input, 'Applied'),
    ...(profile === undefined
      ? before && { runtime: before }
      : { runtime: { profile, since, ...(blockedReason !== undefined && { rolloutBlockedReason: blockedReason }) } }),
    ...(most.length > 0 && { profiles: Object.fromEntries(most.sort(([a], [b]) => (a < b ? -1 : 1))) }),
  };
}

function statusOf(input: PlatformReportInput, good: 'Applied' | 'Valid') {
  const { live, workloads, now } = input;
  const generation = live.metadata.generation ?? 0;
  const previous = (live['status'] as { readonly conditions?: StatusCondition[] } | undefined)?.conditions;
  const { phase, ...judgement } = judge(input, good);
  return {
    observedGeneration: generation,
    phase,
    conditions: conditionsOf(judgement, [], previous, generation, now),
    workloads: workloads.length,
  };
}

type Judged<R extends string = ConditionReason> = Readiness<R> & { readonly phase: string };

function judge(input: PlatformReportInput, good: 'Applied' | 'Valid'): Judged<string> {
  return judgeProblems(input) ?? judgeObjects(input, good);
}

/** Returns the readiness of a resource that has problems, or depends on one with problems. */
function judgeProblems(input: PlatformReportInput): Judged | undefined {
  const { problems, missing = [] } = input;
  const own = [...problems, ...(input.live.kind === 'Platform' ? missing : [])].filter(isError);
  if (own.length > 0) return { state: 'stalled', reason: 'Invalid', message: textOf(own), phase: 'Invalid' };
  if (missing.some(isError))
    return { state: 'stalled', reason: 'InvalidPlatform', message: textOf(missing.filter(isError)), phase: 'Stalled' };
  return undefined;
}

function judgeObjects(input: PlatformReportInput, good: 'Applied' | 'Valid'): Judged<string> {
  const worst = worstOf(planFindings({ ...input, namespace: input.live.metadata.name }));
  if (!worst) return judgeProgress(input, good);
  const passing = worst.severity === 'unanswered';
  const { reason, message } = worst.cause;
  return { state: passing ? 'reconciling' : 'stalled', reason, message, phase: passing ? 'Progressing' : 'Stalled' };
}

function judgeProgress(input: PlatformReportInput, good: 'Applied' | 'Valid'): Judged {
  const { live, desired, observed, plan, rejected } = input;
  const open = desired.filter(({ kind, metadata }) =>
    blocksReadiness(
      computeObjectStatus({ apiVersion: '', kind, metadata }, observed.child(kind, metadata.name, metadata.namespace))
        .state,
    ),
  );
  const changing = (plan?.steps ?? []).some(({ why }) => why === 'created' || why === 'changed' || why === 'replaced');
  if (open.length > 0 || changing || plan?.waits || rejected.length > 0) {
    return {
      state: 'reconciling',
      reason: 'Applying',
      message: 'Its objects are being created and changed.',
      phase: 'Progressing',
    };
  }
  const message =
    good === 'Valid'
      ? 'It can be used.'
      : `All ${desired.length} objects of ${live.kind} ${live.metadata.name} are there.`;
  return { state: 'ready', reason: good, message, phase: 'Ready' };
}

const textOf = (problems: readonly Problem[]): string => problems.map(explainProblem).join('\n');
