import { type Cause, type DeployedWorkload, type DeploymentEvent } from '../../contract';
import { createDeploymentRecord, type DeploymentRecord } from './deployment-record';
import { type LedgerEntry } from './project-ledger';

/** Maximum bytes of a stored record: a ConfigMap holds 1 MiB of values, and etcd accepts 1.5 MiB per request. */
export const maxRecordBytes = 900_000;
/** Maximum number of stored events, the newest. */
const maxEvents = 400;
/** Minimum number of stored events, regardless of the size of the record. */
const minEvents = 20;
/** Length of a truncated message. */
const maxMessageLength = 200;
/** Bytes reserved for the cause and the minimum of events, with truncated messages. */
const minBytes = 70_000;
/** Bytes reserved for the event that lists omissions. */
const noteBytes = 1_000;

type Texts = Readonly<Record<'record' | 'events', string>>;

/** Details that a record may omit, least important first; none affects the course of a deployment. */
const reductions: readonly (readonly [what: string, reduced: (record: DeploymentRecord) => DeploymentRecord])[] = [
  ['the progress of workloads', ofWorkloads(({ progress: _, ...one }) => [one])],
  ['the ends of long messages', withTruncatedMessages],
  ['why single workloads are not Ready', ofWorkloads(({ cause: _, ...one }) => [one])],
  ['workloads that were removed', ofWorkloads((one) => (one.change === 'removed' ? [] : [one]))],
];

/**
 * Serializes a record.
 *
 * A record that is too long omits its oldest events, down to the newest twenty, and then details of its workloads beyond
 * their readiness. An event lists the omissions, with the number of the last omitted event.
 */
export function recordTexts(record: DeploymentRecord): Texts {
  const complete = textsOf(record);
  if (record.events.length <= maxEvents && bytesOf(complete) <= maxRecordBytes) return complete;
  let reduced = record;
  let texts = textsOf(withNewestEvents(reduced, []));
  const omitted: string[] = [];
  for (const [what, reduce] of reductions) {
    if (bytesOf(texts) <= maxRecordBytes) break;
    reduced = reduce(reduced);
    omitted.push(what);
    texts = textsOf(withNewestEvents(reduced, omitted));
  }
  return texts;
}

/**
 * Returns whether the record of a deployment fits until its end in any case, with everything that affects its course and
 * the minimum of events.
 */
export function isKeepable(project: string, entry: LedgerEntry): boolean {
  const record = createDeploymentRecord(project, entry);
  const all = Object.entries(entry.asks).map(([name, workloads]) => {
    const keys = Object.keys(workloads);
    return { name, keys, workloads: keys.map(minimalWorkload) };
  });
  const targets = all.map(({ name, workloads }) => ({ name, phase: 'rolledBack' as const, workloads }));
  const before = Object.fromEntries(
    all.map(({ name, keys }) => [name, Object.fromEntries(keys.map((key) => [key, 'foreign' as const]))]),
  );
  const longest = textsOf({ ...record, deployment: { ...record.deployment, targets }, before });
  return bytesOf(longest) + minBytes <= maxRecordBytes;
}

/** Returns the longest minimal form of a workload. */
function minimalWorkload(key: string): DeployedWorkload {
  const [kind = '', name = ''] = key.split('/');
  return { kind: kind as DeployedWorkload['kind'], name, change: 'unchanged', applied: false, ready: false };
}

/** Parses a record; returns undefined if it is invalid. */
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

/** Returns the record with as many of its newest events as fit, after one that lists the omissions. */
function withNewestEvents(record: DeploymentRecord, omitted: readonly string[]): DeploymentRecord {
  const { events, ...rest } = record;
  let remaining = maxRecordBytes - Buffer.byteLength(JSON.stringify(rest)) - noteBytes;
  let first = events.length;
  while (first > 0 && events.length - first < maxEvents) {
    remaining -= Buffer.byteLength(JSON.stringify(events[first - 1])) + 1;
    if (remaining < 0 && events.length - first >= minEvents) break;
    first -= 1;
  }
  // The event with the omissions replaces one event.
  const kept = events.slice(Math.max(first, omitted.length > 0 ? 1 : 0));
  const last = events[events.length - kept.length - 1];
  return last ? { ...rest, events: [noteOf(last, omitted), ...kept] } : record;
}

function noteOf({ number, at, phase }: DeploymentEvent, omitted: readonly string[]): DeploymentEvent {
  const what = [`events up to number ${number}`, ...omitted].join('; ');
  return { number, at, phase, message: `omitted, because the record would be too long: ${what}` };
}

function ofWorkloads(reduce: (workload: DeployedWorkload) => readonly DeployedWorkload[]) {
  return (record: DeploymentRecord): DeploymentRecord => {
    const targets = record.deployment.targets.map((one) => ({ ...one, workloads: one.workloads.flatMap(reduce) }));
    return { ...record, deployment: { ...record.deployment, targets } };
  };
}

function withTruncatedMessages(record: DeploymentRecord): DeploymentRecord {
  const truncateCause = <T extends { readonly cause?: Cause | undefined }>(one: T): T =>
    one.cause ? { ...one, cause: { ...one.cause, message: truncate(one.cause.message) } } : one;
  const { deployment } = ofWorkloads((one) => [truncateCause(one)])(record);
  const events = record.events.map((one) => ({ ...truncateCause(one), message: truncate(one.message) }));
  return { ...record, deployment: truncateCause(deployment), events };
}

const truncate = (text: string): string =>
  text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength).replace(/[\uD800-\uDBFF]$/, '')}…`;
