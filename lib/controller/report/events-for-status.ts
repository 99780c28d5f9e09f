import { isRunKind, traitsOf } from '../../api';
import { type EventReason } from '../reasons';
import { cut, type CauseDraft } from './cause';
import { fieldsOf } from '../observed/child-status';
import { type StatusCondition } from './conditions';
import { type PlanStep } from '../plan/plan-step';
import { type EventDraft, type ReportInput } from './report';
import { recordOf } from '../run/run-record';

type Fields = Readonly<Record<string, unknown>>;

/** Maximum length of the message of an Event, in characters. */
const longestMessage = 1024;
/** Maximum number of objects that an Event names. */
const maxNamed = 10;

/** Returns the Events of a reconcile: its changes, and what is new in the status. */
export function eventsForStatus(input: ReportInput, status: Fields): readonly EventDraft[] {
  const previous = (input.previous ?? {}) as Fields;
  return [
    ...eventsForSteps(input),
    ...profileMoved(previous, status),
    ...(isRunKind(input.kind) ? eventsForRun(previous, status) : []),
    ...suspension(previous, status),
    ...rollout(input, previous, status),
    ...eventsForCause(previous, status),
  ].map(shortened);
}

const shortened = ({ message, ...rest }: EventDraft): EventDraft => ({
  ...rest,
  message: cut(message, longestMessage),
});

const normal = (reason: EventReason, message: string): EventDraft => ({ type: 'Normal', reason, message });
const warning = (reason: EventReason, message: string): EventDraft => ({ type: 'Warning', reason, message });
/** Returns a warning with the reason of the status. */
const eventForCause = ({ reason, message }: Pick<CauseDraft, 'reason' | 'message'>): EventDraft => ({
  type: 'Warning',
  reason,
  message,
});

const stepEvents: Readonly<Record<PlanStep['why'], readonly [reason: EventReason, deed: string]>> = {
  created: ['Created', 'Created'],
  changed: ['Updated', 'Updated'],
  drifted: ['DriftCorrected', 'Corrected drift of'],
  adopted: ['Adopted', 'Took over'],
  unwanted: ['Deleted', 'Deleted'],
  replaced: ['Replaced', 'Deleted, to be recreated,'],
};

/**
 * Returns the changes of the children, one Event per type of change, even if the status is not written yet.
 *
 * The objects of a new workload are in its status: an Event about them would be one more request per workload.
 */
export function eventsForSteps({ plan, rejected, previous }: ReportInput): readonly EventDraft[] {
  const failed = new Set(rejected.map(({ kind, name }) => `${kind}/${name}`));
  const byDeed = new Map<PlanStep['why'], string[]>();
  for (const step of plan?.steps ?? []) {
    if (step.why === 'created' && previous === undefined) continue;
    const { kind, name } =
      step.do === 'apply' ? { kind: step.object.kind, name: step.object.metadata.name } : step.target;
    if (!failed.has(`${kind}/${name}`)) byDeed.set(step.why, [...(byDeed.get(step.why) ?? []), `${kind}/${name}`]);
  }
  return [...byDeed].map(([why, names]) =>
    shortened(normal(stepEvents[why][0], `${stepEvents[why][1]} ${listed(names)}.`)),
  );
}

const listed = (names: readonly string[]): string =>
  names.length <= maxNamed
    ? names.join(', ')
    : `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`;

function profileMoved({ runtimeProfile: before }: Fields, { runtimeProfile: now }: Fields): EventDraft[] {
  if (before === undefined || now === undefined || before === now) return [];
  return [
    normal('RuntimeProfileChanged', `Its pods move from the runtime profile ${String(before)} to ${String(now)}.`),
  ];
}

function eventsForRun(previous: Fields, status: Fields): EventDraft[] {
  const [before, now] = [recordOf(previous), recordOf(status)];
  const events: EventDraft[] = [];
  if (now.restarts > before.restarts) events.push(warning('Restarted', 'The run was restarted after it failed.'));
  if ((now.gang?.attempts ?? 0) > (before.gang?.attempts ?? 0)) {
    events.push(warning('GangTimedOut', 'Not all members had a node in time: all were withdrawn.'));
  }
  const outcome = now.outcome === before.outcome && now.run === before.run ? undefined : now.outcome;
  // Other runs start with their Jobs, which record their own Events.
  if (now.gang?.phase === 'Started' && before.gang?.phase !== 'Started' && outcome === undefined)
    events.push(normal('Started', 'All members have a node: the run started.'));
  if (outcome === 'Succeeded') events.push(normal('Completed', sentence(now.outcomeMessage ?? 'It has succeeded')));
  if (outcome === 'Failed') events.push(warning('Failed', sentence(now.outcomeMessage ?? 'It has failed')));
  return events;
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

function suspension({ phase: before }: Fields, { phase: now }: Fields): EventDraft[] {
  if (before === now) return [];
  if (now === 'Suspended') return [normal('Suspended', 'It is suspended.')];
  return before === 'Suspended' ? [normal('Resumed', 'It continues.')] : [];
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
  if (now) return before?.reason === now.reason ? [] : [shortened(eventForCause(now))];
  const ready = readyOf(status);
  return ready?.status === 'True' && readyOf(previous)?.status !== 'True'
    ? [shortened(normal('Ready', ready.message))]
    : [];
}

/**
 * Returns the Events when a workload becomes ready, or stops being ready for a new version or another number of pods.
 */
function rollout(input: ReportInput, previous: Fields, status: Fields): EventDraft[] {
  const { kind } = input;
  const [before, now] = [readyOf(previous), readyOf(status)];
  if (now?.status === 'True' && before?.status !== 'True') {
    // Start, end and suspension have their own messages.
    const own = new Set(['Running', 'Succeeded', 'Suspended']);
    return own.has(now.reason) ? [] : [normal('Ready', 'Everything is as desired.')];
  }
  const rolls = traitsOf(kind).lifecycle === 'Continuous';
  const leaves = before?.status === 'True' && now?.status === 'False' && status['cause'] === undefined;
  return rolls && leaves ? leavesReady(input, previous, status) : [];
}

/** Returns why a workload that was ready no longer is, although nothing is wrong. */
function leavesReady(input: ReportInput, previous: Fields, status: Fields): EventDraft[] {
  const changes = previous['observedGeneration'] !== status['observedGeneration'];
  const moves = previous['runtimeProfile'] !== status['runtimeProfile'];
  const [had, wants] = [previous['replicas'], replicasOf(input)];
  const scales = wants !== undefined && had !== wants && !moves;
  if (changes && scales && input.deployed !== undefined && input.deployed === previous['deployedSpecHash']) {
    return [normal('Scaling', `The number of its pods changes from ${String(had)} to ${wants}.`)];
  }
  // An autoscaler records its own Events.
  if (!changes && scales) return [];
  const message = changes ? 'A new version is being rolled out.' : 'Its pods are being replaced or moved.';
  return [normal('RolloutStarted', message)];
}

/** Returns the desired number of pods; undefined if nodes determine it. */
function replicasOf({ kind, desired, observed }: ReportInput): number | undefined {
  if (!traitsOf(kind).scales) return undefined;
  const sets = desired.filter((object) => object.kind === 'Deployment' || object.kind === 'StatefulSet');
  return sets.reduce((sum, object) => {
    const said =
      fieldsOf(object, 'spec')['replicas'] ?? observed.child(object.kind, object.metadata.name)?.scale?.replicas;
    return sum + (typeof said === 'number' ? said : 1);
  }, 0);
}

/** Returns the Event of a cause when it appears or is replaced; changed numbers and names within it are ignored. */
function eventsForCause(previous: Fields, status: Fields): EventDraft[] {
  const [before, now] = [previous['cause'], status['cause']] as readonly (CauseDraft | undefined)[];
  if (!now || (before?.reason === now.reason && before.owner === now.owner)) return [];
  return status['phase'] === 'Failed' ? [] : [eventForCause(now)];
}
