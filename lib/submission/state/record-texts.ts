import { type Cause, type DeployedWorkload, type DeploymentEvent } from '../../contract';
import { freshRecord, type DeploymentRecord } from './deployment-record';
import { type LedgerEntry } from './project-ledger';

/** Bytes of a record as it is kept: a ConfigMap holds 1 MiB of values, and etcd takes 1.5 MiB with all that is around them. */
export const maxRecordBytes = 900_000;
/** Events that are kept of a deployment, the newest. */
const maxEvents = 400;
/** Events that are kept at least, however long the rest of the record is. */
const minEvents = 20;
/** Characters of a message that had to be cut. */
const cutMessage = 200;
/** Bytes of what is kept in any case beside workloads: the newest events, and the cause, with messages that were cut. */
const minBytes = 70_000;
/** Bytes that telling what is left out may take. */
const noteBytes = 1_000;

type Texts = Readonly<Record<'record' | 'events', string>>;

/** What may be left out of a record, in words, and how; what matters least comes first. Nothing here decides how a deployment goes on. */
const lessenings: readonly (readonly [what: string, lessened: (record: DeploymentRecord) => DeploymentRecord])[] = [
  ['how far workloads are', ofWorkloads(({ progress: _, ...one }) => [one])],
  ['the ends of long messages', withCutMessages],
  ['why single workloads are not Ready', ofWorkloads(({ cause: _, ...one }) => [one])],
  ['workloads that were removed', ofWorkloads((one) => (one.change === 'removed' ? [] : [one]))],
];

/**
 * The texts by which a record is kept.
 *
 * Of one that is too long the oldest events are left out first, down to the newest twenty, and then what the workloads of
 * it say beyond whether they are Ready. An event in the place of those that are gone tells what is left out, under the
 * number of the last of them.
 */
export function recordTexts(record: DeploymentRecord): Texts {
  const whole = textsOf(record);
  if (record.events.length <= maxEvents && bytesOf(whole) <= maxRecordBytes) return whole;
  let lessened = record;
  let texts = textsOf(withNewestEvents(lessened, []));
  const leftOut: string[] = [];
  for (const [what, lessen] of lessenings) {
    if (bytesOf(texts) <= maxRecordBytes) break;
    lessened = lessen(lessened);
    leftOut.push(what);
    texts = textsOf(withNewestEvents(lessened, leftOut));
  }
  return texts;
}

/**
 * Whether the record of a deployment can be kept to its end, however its workloads fare: all that decides how it goes on,
 * and the events that are kept in any case.
 */
export function isKeepable(project: string, entry: LedgerEntry): boolean {
  const record = freshRecord(project, entry);
  const all = Object.entries(entry.asks).map(([name, workloads]) => {
    const keys = Object.keys(workloads);
    return { name, keys, workloads: keys.map(barest) };
  });
  const targets = all.map(({ name, workloads }) => ({ name, phase: 'rolledBack' as const, workloads }));
  const before = Object.fromEntries(
    all.map(({ name, keys }) => [name, Object.fromEntries(keys.map((key) => [key, 'foreign' as const]))]),
  );
  const longest = textsOf({ ...record, deployment: { ...record.deployment, targets }, before });
  return bytesOf(longest) + minBytes <= maxRecordBytes;
}

/** The longest that is kept of a workload in any case. */
function barest(key: string): DeployedWorkload {
  const [kind = '', name = ''] = key.split('/');
  return { kind: kind as DeployedWorkload['kind'], name, change: 'unchanged', applied: false, ready: false };
}

/** Reads a record that we wrote; undefined where the texts are none. */
export function readRecord(texts: Readonly<Record<string, string>> | undefined): DeploymentRecord | undefined {
  try {
    const rest = JSON.parse(texts?.['record'] ?? '') as Omit<DeploymentRecord, 'events'>;
    return { ...rest, events: JSON.parse(texts?.['events'] ?? '') as DeploymentEvent[] };
  } catch {
    return undefined;
  }
}

const textsOf = ({ events, ...rest }: DeploymentRecord): Texts => ({
  record: JSON.stringify(rest),
  events: JSON.stringify(events),
});

const bytesOf = ({ record, events }: Texts): number => Buffer.byteLength(record) + Buffer.byteLength(events);

/** The record with as many of its newest events as there is room for, and one before them that tells what is left out. */
function withNewestEvents(record: DeploymentRecord, leftOut: readonly string[]): DeploymentRecord {
  const { events, ...rest } = record;
  let room = maxRecordBytes - Buffer.byteLength(JSON.stringify(rest)) - noteBytes;
  let first = events.length;
  while (first > 0 && events.length - first < maxEvents) {
    room -= Buffer.byteLength(JSON.stringify(events[first - 1])) + 1;
    if (room < 0 && events.length - first >= minEvents) break;
    first -= 1;
  }
  // The place of one event is needed to tell of the others.
  const kept = events.slice(Math.max(first, leftOut.length > 0 ? 1 : 0));
  const last = events[events.length - kept.length - 1];
  return last ? { ...rest, events: [noteOf(last, leftOut), ...kept] } : record;
}

function noteOf({ number, at, phase }: DeploymentEvent, leftOut: readonly string[]): DeploymentEvent {
  const what = [`what happened up to number ${number}`, ...leftOut].join('; ');
  return { number, at, phase, message: `left out here, because the record would be too long: ${what}` };
}

function ofWorkloads(lessen: (workload: DeployedWorkload) => readonly DeployedWorkload[]) {
  return (record: DeploymentRecord): DeploymentRecord => {
    const targets = record.deployment.targets.map((one) => ({ ...one, workloads: one.workloads.flatMap(lessen) }));
    return { ...record, deployment: { ...record.deployment, targets } };
  };
}

function withCutMessages(record: DeploymentRecord): DeploymentRecord {
  const cutCause = <T extends { readonly cause?: Cause | undefined }>(one: T): T =>
    one.cause ? { ...one, cause: { ...one.cause, message: cut(one.cause.message) } } : one;
  const { deployment } = ofWorkloads((one) => [cutCause(one)])(record);
  const events = record.events.map((one) => ({ ...cutCause(one), message: cut(one.message) }));
  return { ...record, deployment: cutCause(deployment), events };
}

const cut = (text: string): string =>
  text.length <= cutMessage ? text : `${text.slice(0, cutMessage).replace(/[\uD800-\uDBFF]$/, '')}…`;
