import {
  explainProblem,
  isError,
  isPlatformKind,
  type PlatformKind,
  type PlatformManifest,
  type Problem,
  type Status,
} from '../../api';
import {
  nextReleaseRecord,
  nextRuntimeRecord,
  timeOf,
  withRuntimeSettings,
  type KubernetesObject,
  type RuntimeStatus,
} from '../../expand';
import { type LiveObject } from '../../client';
import { type Observed } from '../observed/child';
import { type ConditionReason } from '../reasons';
import { conditionsOf, type StatusCondition, type Readiness } from './conditions';
import { worstFinding } from './cause';
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
  /** Problems of the resources that it depends on; it changes nothing until they are fixed. @default - none */
  readonly missing?: readonly Problem[];
  /** Names that it claims and another resource has; it has its other names. @default - none */
  readonly conflicts?: readonly Problem[];
  /** Desired objects of the resource. */
  readonly desired: readonly KubernetesObject[];
  readonly observed: Observed;
  readonly plan: ReconcilePlan | undefined;
  readonly rejected: ReportInput['rejected'];
  /** Workloads that depend on it. */
  readonly workloads: readonly LiveObject[];
  /** Runtime settings of the Platform. @default - it is missing or invalid */
  readonly runtime?: PlatformManifest<'Platform'>['spec']['runtime'];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Access to the API server. @default - the Platform has no stage of the gateway */
  readonly gateway?: Status<'Platform'>['gateway'];
  /** Revisions of the Platform. @default - it has no rollouts */
  readonly revisions?: Status<'Platform'>['revisions'];
  /** Revisions of a Project. @default - the Platform has no rollouts */
  readonly projectRevisions?: Status<'Project'>['revisions'];
  /** Reason why workloads are not rolled out to the current profile. @default - they are */
  readonly blockedReason?: string | undefined;
}

/** Returns the status and the Events of a Project, a RuntimeProfile or the Platform. */
export function reportPlatformResource(input: PlatformReportInput): PlatformReport {
  const { kind } = input.live;
  if (!isPlatformKind(kind) || kind === 'PlatformRollout') throw new Error(`${kind} has a report of its own`);
  const status = reports[kind](input);
  return { status, events: eventsForReadiness(input.live['status'] as Fields | undefined, status) };
}

const reports = {
  Project: (input: PlatformReportInput) => reportProject(input),
  RuntimeProfile: (input: PlatformReportInput) => reportProfile(input),
  PlatformRevision: (input: PlatformReportInput) => reportProfile(input),
  Platform: (input: PlatformReportInput) => reportPlatform(input),
};

/** Returns the status of a Project: whether its namespace and its policies exist. */
export const reportProject = (input: PlatformReportInput): Status<'Project'> => ({
  ...statusOf(input, 'Applied'),
  ...(input.projectRevisions && { revisions: input.projectRevisions }),
});

/** Returns the status of a RuntimeProfile or a PlatformRevision with the number of workloads that use it. */
export const reportProfile = (input: PlatformReportInput): Status<'RuntimeProfile'> => statusOf(input, 'Valid');

/** Maximum number of profiles in a status. */
const maxProfiles = 64;

/** Returns the status of the Platform: its current profile, the start of its use, and the number of workloads per profile. */
export function reportPlatform(input: PlatformReportInput): Status<'Platform'> {
  const { live, workloads } = input;
  const previousRuntime = (live['status'] as Status<'Platform'> | undefined)?.runtime;
  const counts = new Map<string, number>();
  for (const workload of workloads) {
    const used = (workload['status'] as Fields | undefined)?.['runtimeProfile'];
    if (typeof used === 'string') counts.set(used, (counts.get(used) ?? 0) + 1);
  }
  const profileCounts = [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, maxProfiles);
  const runtime = input.runtime
    ? runtimeRecordOf(previousRuntime, { ...input, runtime: input.runtime }, [...counts.keys()])
    : previousRuntime;
  return {
    ...statusOf(input, 'Applied'),
    ...(runtime && { runtime }),
    ...(input.revisions && { revisions: input.revisions }),
    ...(input.gateway && { gateway: input.gateway }),
    ...(profileCounts.length > 0 && {
      profiles: Object.fromEntries(profileCounts.sort(([a], [b]) => (a < b ? -1 : 1))),
    }),
  };
}

function runtimeRecordOf(
  previous: RuntimeStatus | undefined,
  {
    runtime,
    blockedReason,
    now,
  }: Pick<PlatformReportInput, 'blockedReason' | 'now'> & Required<Pick<PlatformReportInput, 'runtime'>>,
  inUse: readonly string[],
): RuntimeStatus {
  const time = timeOf(now);
  const { rolloutBlockedReason: _, expansionRelease: __, ...next } = nextRuntimeRecord(previous, runtime, time);
  const record = withRuntimeSettings(next, runtime, inUse);
  const release = nextReleaseRecord(previous?.expansionRelease, runtime.expansionRelease, time);
  return {
    ...record,
    ...(release && { expansionRelease: release }),
    ...(blockedReason !== undefined && { rolloutBlockedReason: blockedReason }),
  };
}

function statusOf(input: PlatformReportInput, readyReason: 'Applied' | 'Valid') {
  const { live, workloads, now } = input;
  const generation = live.metadata.generation ?? 0;
  const previous = (live['status'] as { readonly conditions?: StatusCondition[] } | undefined)?.conditions;
  const { phase, ...readiness } = computeResourceReadiness(input, readyReason);
  return {
    observedGeneration: generation,
    phase,
    conditions: conditionsOf(readiness, [], previous, generation, now),
    workloads: workloads.length,
  };
}

type ResourceReadiness<R extends string = ConditionReason> = Readiness<R> & { readonly phase: string };

function computeResourceReadiness(
  input: PlatformReportInput,
  readyReason: 'Applied' | 'Valid',
): ResourceReadiness<string> {
  return readinessFromProblems(input) ?? readinessFromFindings(input, readyReason);
}

/** Returns the readiness of a resource that has problems, or depends on one with problems. */
function readinessFromProblems(input: PlatformReportInput): ResourceReadiness | undefined {
  const { problems, missing = [] } = input;
  const errors = [...problems, ...(input.live.kind === 'Platform' ? missing : [])].filter(isError);
  if (errors.length > 0) return { state: 'stalled', reason: 'Invalid', message: textOf(errors), phase: 'Invalid' };
  if (missing.some(isError))
    return { state: 'stalled', reason: 'InvalidPlatform', message: textOf(missing.filter(isError)), phase: 'Stalled' };
  return undefined;
}

/** Returns the readiness of a resource without the names that another one has. */
function readinessFromConflicts({ conflicts = [] }: PlatformReportInput): ResourceReadiness<string> | undefined {
  if (conflicts.length === 0) return undefined;
  return { state: 'stalled', reason: 'NameConflict', message: textOf(conflicts), phase: 'Stalled' };
}

function readinessFromFindings(
  input: PlatformReportInput,
  readyReason: 'Applied' | 'Valid',
): ResourceReadiness<string> {
  const finding = worstFinding(planFindings({ ...input, namespace: input.live.metadata.name }));
  if (!finding) return readinessFromConflicts(input) ?? readinessFromProgress(input, readyReason);
  const isTransient = finding.severity === 'unanswered';
  const { reason, message } = finding.cause;
  return {
    state: isTransient ? 'reconciling' : 'stalled',
    reason,
    message,
    phase: isTransient ? 'Progressing' : 'Stalled',
  };
}

function readinessFromProgress(input: PlatformReportInput, readyReason: 'Applied' | 'Valid'): ResourceReadiness {
  const { live, desired, observed, plan, rejected } = input;
  const open = desired.filter(({ kind, metadata }) =>
    blocksReadiness(
      computeObjectStatus({ apiVersion: '', kind, metadata }, observed.child(kind, metadata.name, metadata.namespace))
        .state,
    ),
  );
  const changing = (plan?.steps ?? []).some(
    ({ reason }) => reason === 'created' || reason === 'changed' || reason === 'replaced',
  );
  if (open.length > 0 || changing || plan?.waits || rejected.length > 0) {
    return {
      state: 'reconciling',
      reason: 'Applying',
      message: 'Its objects are being created and changed.',
      phase: 'Progressing',
    };
  }
  const message =
    readyReason === 'Valid'
      ? 'It is valid.'
      : `All ${desired.length} objects of ${live.kind} ${live.metadata.name} exist.`;
  return { state: 'ready', reason: readyReason, message, phase: 'Ready' };
}

const textOf = (problems: readonly Problem[]): string => problems.map(explainProblem).join('\n');
