import { isRunKind, metadataKeys, traitsOf } from '../../api';
import { type CauseReason, type EventReason } from '../reasons';
import { truncate, type CauseDraft } from './cause';
import { fieldsOf } from '../observed/child-status';
import { type StatusCondition } from './conditions';
import { type PlanStep } from '../plan/plan-step';
import { type EventDraft, type ReportInput } from './report';
import { eventsForHeldExpansion } from '../expansion-guard/held-expansion-report';
import { eventsForHooks } from '../hooks/hook-report';
import { eventsForSharedRoutes } from './route-conflict-report';
import { eventsForVerification } from './verification-report';
import { type RunRecord } from '../run/run-plan';
import { recordOf } from '../run/run-record';

type Fields = Readonly<Record<string, unknown>>;

/** Maximum length of the message of an Event, in characters. */
const maxMessageLength = 1024;
/** Maximum number of objects that an Event names. */
const maxNames = 10;

/** Returns the Events of a reconcile: its changes, and what is new in the status. */
export function eventsForStatus(input: ReportInput, status: Fields): readonly EventDraft[] {
  const previous = (input.previous ?? {}) as Fields;
  return [
    ...eventsForSteps(input),
    ...eventsForProfile(previous, status),
    ...(isRunKind(input.kind) ? eventsForRun(previous, status) : []),
    ...eventsForSuspension(previous, status),
    ...eventsForHooks(previous, status),
    ...eventsForRollout(input, previous, status),
    ...eventsForVerification(previous, status),
    ...eventsForSharedRoutes(input, previous, status),
    ...eventsForHeldExpansion(previous, status),
    ...eventsForCause(previous, status),
  ].map(truncated);
}

const truncated = ({ message, ...rest }: EventDraft): EventDraft => ({
  ...rest,
  message: truncate(message, maxMessageLength),
});

const normal = (reason: EventReason, message: string): EventDraft => ({ type: 'Normal', reason, message });
const warning = (reason: EventReason, message: string): EventDraft => ({ type: 'Warning', reason, message });
/** Returns a warning with the reason of the status. */
const eventForCause = ({ reason, message }: Pick<CauseDraft, 'reason' | 'message'>): EventDraft => ({
  type: 'Warning',
  reason,
  message,
});

const stepEvents: Readonly<Record<PlanStep['reason'], readonly [reason: EventReason, action: string]>> = {
  created: ['Created', 'Created'],
  changed: ['Updated', 'Updated'],
  drifted: ['DriftCorrected', 'Corrected drift of'],
  adopted: ['Adopted', 'Adopted'],
  unwanted: ['Deleted', 'Deleted'],
  replaced: ['Replaced', 'Deleted for recreation:'],
};

/**
 * Returns the changes of the children, one Event per type of change, even if the status is not written yet.
 *
 * The objects of a new workload are listed in its status: an Event about them would be one more request per workload.
 */
export function eventsForSteps({ plan, rejected, previous }: ReportInput): readonly EventDraft[] {
  const failed = new Set(rejected.map(({ kind, name }) => `${kind}/${name}`));
  const byReason = new Map<PlanStep['reason'], string[]>();
  for (const step of plan?.steps ?? []) {
    if (step.reason === 'created' && previous === undefined) continue;
    const { kind, name } =
      step.do === 'apply' ? { kind: step.object.kind, name: step.object.metadata.name } : step.target;
    if (!failed.has(`${kind}/${name}`))
      byReason.set(step.reason, [...(byReason.get(step.reason) ?? []), `${kind}/${name}`]);
  }
  return [...byReason].map(([reason, names]) =>
    truncated(normal(stepEvents[reason][0], `${stepEvents[reason][1]} ${formatNames(names)}.`)),
  );
}

const formatNames = (names: readonly string[]): string =>
  names.length <= maxNames
    ? names.join(', ')
    : `${names.slice(0, maxNames).join(', ')} and ${names.length - maxNames} more`;

function eventsForProfile({ runtimeProfile: before }: Fields, { runtimeProfile: now }: Fields): EventDraft[] {
  if (before === undefined || now === undefined || before === now) return [];
  return [
    normal('RuntimeProfileChanged', `Its pods move from the runtime profile ${String(before)} to ${String(now)}.`),
  ];
}

function eventsForRun(previous: Fields, status: Fields): EventDraft[] {
  const [before, now] = [recordOf(previous), recordOf(status)];
  const events: EventDraft[] = [];
  if (now.restarts > before.restarts) events.push(warning('Restarted', restartMessage(now)));
  if ((now.gang?.attempts ?? 0) > (before.gang?.attempts ?? 0)) {
    events.push(warning('GangTimedOut', 'Not all members were scheduled in time: all were withdrawn.'));
  }
  const outcome = now.outcome === before.outcome && now.run === before.run ? undefined : now.outcome;
  // Other runs start with their Jobs, which record their own Events.
  if (now.gang?.phase === 'Started' && before.gang?.phase !== 'Started' && outcome === undefined)
    events.push(normal('Started', 'All members are scheduled: the run started.'));
  if (outcome === 'Succeeded') events.push(normal('Completed', sentence(now.outcomeMessage ?? 'It has succeeded')));
  if (outcome === 'Failed') events.push(warning('Failed', sentence(now.outcomeMessage ?? 'It has failed')));
  return events;
}

const restartMessage = ({ restartCause }: RunRecord): string =>
  `The run was restarted after it failed${restartCause === undefined ? '.' : `: ${sentence(restartCause)}`}`;

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

function eventsForSuspension({ phase: before }: Fields, { phase: now }: Fields): EventDraft[] {
  if (before === now) return [];
  if (now === 'Suspended') return [normal('Suspended', 'It is suspended.')];
  return before === 'Suspended' ? [normal('Resumed', 'It is resumed.')] : [];
}

const readyOf = (status: Fields): StatusCondition | undefined =>
  (status['conditions'] as readonly StatusCondition[] | undefined)?.find(({ type }) => type === 'Ready');

const stalledOf = (status: Fields): StatusCondition | undefined =>
  (status['conditions'] as readonly StatusCondition[] | undefined)?.find(
    ({ type, status: is }) => type === 'Stalled' && is === 'True',
  );

/**
 * Returns the Events of a platform resource: when it becomes ready, and when the cause of a stall appears or changes.
 */
export function eventsForReadiness(previous: Fields = {}, status: Fields): readonly EventDraft[] {
  const [before, now] = [stalledOf(previous), stalledOf(status)];
  if (now) return before?.reason === now.reason ? [] : [truncated(eventForCause(now))];
  const ready = readyOf(status);
  return ready?.status === 'True' && readyOf(previous)?.status !== 'True'
    ? [truncated(normal('Ready', ready.message))]
    : [];
}

/**
 * Returns the Events of a workload that becomes ready, or stops being ready for a new version or a scaling operation.
 */
function eventsForRollout(input: ReportInput, previous: Fields, status: Fields): EventDraft[] {
  const { kind } = input;
  const [before, now] = [readyOf(previous), readyOf(status)];
  if (now?.status === 'True' && before?.status !== 'True') {
    // Start, completion and suspension have their own Events.
    const otherEventReasons = new Set(['Running', 'Succeeded', 'Suspended']);
    return otherEventReasons.has(now.reason) ? [] : [normal('Ready', 'All objects are in the desired state.')];
  }
  const isContinuous = traitsOf(kind).lifecycle === 'Continuous';
  const becomesUnready = before?.status === 'True' && now?.status === 'False' && status['cause'] === undefined;
  return isContinuous && becomesUnready && input.hookPlan?.isGated !== true
    ? eventsForUnready(input, previous, status)
    : [];
}

/** Returns the Event of a workload that is no longer ready because of a change, without a failure. */
function eventsForUnready(input: ReportInput, previous: Fields, status: Fields): EventDraft[] {
  const changes = previous['observedGeneration'] !== status['observedGeneration'];
  const profileChanges = previous['runtimeProfile'] !== status['runtimeProfile'];
  const [previousReplicas, desiredReplicas] = [previous['replicas'], replicasOf(input)];
  const scales = desiredReplicas !== undefined && previousReplicas !== desiredReplicas && !profileChanges;
  if (changes && scales && input.deployed !== undefined && input.deployed === previous['deployedSpecHash']) {
    return [
      normal('Scaling', `The number of its pods changes from ${String(previousReplicas)} to ${desiredReplicas}.`),
    ];
  }
  // An autoscaler records its own Events.
  if (!changes && scales) return [];
  const message = changes
    ? `A new version${ofVariants(input)} is being rolled out.`
    : 'Its pods are being replaced or moved.';
  return [normal('RolloutStarted', message)];
}

/** Names the variants whose pods a reconcile changes; empty without variants. */
function ofVariants({ plan }: ReportInput): string {
  const names = (plan?.steps ?? []).flatMap((step) =>
    step.do === 'apply' && step.object.kind === 'Deployment'
      ? (step.object.metadata.labels?.[metadataKeys.variant] ?? [])
      : [],
  );
  return names.length === 0 ? '' : ` of ${names.length === 1 ? 'the variant' : 'the variants'} ${names.join(', ')}`;
}

/** Returns the desired number of pods; undefined if nodes determine it. */
function replicasOf({ kind, desired, observed }: ReportInput): number | undefined {
  if (!traitsOf(kind).scales) return undefined;
  const sets = desired.filter((object) => object.kind === 'Deployment' || object.kind === 'StatefulSet');
  return sets.reduce((sum, object) => {
    const replicas =
      fieldsOf(object, 'spec')['replicas'] ?? observed.child(object.kind, object.metadata.name)?.scale?.replicas;
    return sum + (typeof replicas === 'number' ? replicas : 1);
  }, 0);
}

/** Returns the Event of a cause when it appears or is replaced; changed numbers and names within it are ignored. */
function eventsForCause(previous: Fields, status: Fields): EventDraft[] {
  const [before, now] = [previous['cause'], status['cause']] as readonly (CauseDraft | undefined)[];
  // A refused spec has an Event of its own.
  if (!now || now.reason === ('Unverified' satisfies CauseReason)) return [];
  if (before?.reason === now.reason && before.owner === now.owner) return [];
  return status['phase'] === 'Failed' ? [] : [eventForCause(now)];
}
