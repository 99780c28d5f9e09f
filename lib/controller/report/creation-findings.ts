import { trueCondition } from '../../api';
import { createCause, type StatusCause, type Finding } from './cause';
import { statusNumber } from '../observed/child-status';
import { newestReplicaSet } from './newest-pods';
import { type CreationFailure } from '../observed/pod-facts';
import { rejectionDiagnosis } from './rejection-diagnosis';
import { type ReportInput } from './report';
import { type DesiredObjectStatus } from './desired-object-status';

/** Milliseconds after which a failure that is often transient becomes a cause. */
export const transientFor = 5000;

/** Rejections that are often transient, until a controller has counted usage. */
const transientReasons = new Set(['QuotaExceeded', 'QuotaNotReady']);

/** Object that could not create its pods. */
interface Failing {
  readonly kind: string;
  readonly name: string;
  readonly message: string;
  /** Milliseconds since 1970; undefined if unknown. */
  readonly since: number | undefined;
  /** Desired object of the pods. */
  readonly of: DesiredObjectStatus | undefined;
}

/** Returns failures to create pods: from the status of Deployments, and from Events for other kinds. */
export function creationFindings(input: ReportInput, statuses: readonly DesiredObjectStatus[]): readonly Finding[] {
  const { failures, namespace, previous, now } = input;
  const reported = statuses.flatMap((of): Failing[] => {
    const condition = of.status.state === 'Ready' ? undefined : replicaFailure(of, input);
    if (!condition) return [];
    const { kind, metadata } = of.object;
    return [{ kind, name: metadata.name, message: condition.message ?? '', since: timeOf(condition), of }];
  });
  const lasting = failures
    .filter((failure) => isLasting(failure, statuses, input))
    .map((failure): Failing => ({ ...failure, since: failure.last, of: wanting(failure, statuses, input) }));
  return [...reported, ...lasting].flatMap(({ kind, name, message, since = 0, of }) => {
    const object = `${kind}/${name}`;
    const ofClaims = /^create Claim /.test(message);
    const what = ofClaims ? `Claims of ${object}` : kind === 'CronJob' ? `Jobs of ${object}` : `Pods of ${object}`;
    const lacking = ofClaims || !of ? 1 : lackingOf(of, input);
    const cause = createCause(rejectionDiagnosis(message, { what, namespace, lacking }), object);
    const isNew =
      transientReasons.has(cause.reason) && now - since < transientFor && !isReported(cause, previous?.cause);
    return isNew ? [] : [{ severity: 'creation' as const, cause, order: object }];
  });
}

/** Returns the times at which failures to create pods become causes, in milliseconds since 1970. */
export const creationTimes = ({ failures, desired, observed }: ReportInput): readonly number[] =>
  [
    ...failures.map(({ last }) => last),
    ...desired.flatMap((object) => {
      const condition = replicaFailure({ object }, { observed });
      return (condition && timeOf(condition)) ?? [];
    }),
  ].map((time) => time + transientFor);

/** Returns whether a failure is already reported; each failed attempt makes it look new. */
const isReported = ({ reason, object }: StatusCause, before: StatusCause | undefined): boolean =>
  before?.reason === reason && before.object === object;

function replicaFailure(
  { object: { kind, metadata } }: Pick<DesiredObjectStatus, 'object'>,
  { observed }: Pick<ReportInput, 'observed'>,
) {
  const child = kind === 'Deployment' ? observed.child(kind, metadata.name) : undefined;
  return child && trueCondition(child.status, 'ReplicaFailure');
}

function timeOf({ lastTransitionTime }: { readonly lastTransitionTime?: string }): number | undefined {
  const time = Date.parse(lastTransitionTime ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the object whose pods could not be created. */
const wanting = (
  { kind, name }: CreationFailure,
  statuses: readonly DesiredObjectStatus[],
  { observed }: ReportInput,
): DesiredObjectStatus | undefined =>
  kind === 'ReplicaSet'
    ? statuses.find(({ object }) => {
        if (object.kind !== 'Deployment') return false;
        const child = observed.child('Deployment', object.metadata.name);
        const newest = child && newestReplicaSet(child);
        return newest === undefined ? name.startsWith(`${object.metadata.name}-`) : name === newest;
      })
    : statuses.find(({ object }) => object.kind === kind && object.metadata.name === name);

/**
 * Returns whether a failure persists: an Event outlives it, so it is over when a pod was created since, or none is
 * missing.
 */
function isLasting(failure: CreationFailure, statuses: readonly DesiredObjectStatus[], input: ReportInput): boolean {
  const { kind, name, uid, last } = failure;
  if (input.pods.some(({ controller, created }) => controller?.uid === uid && created > last)) return false;
  const own = wanting(failure, statuses, input);
  if (kind === 'ReplicaSet') return own !== undefined && own.status.state !== 'Ready';
  const child = input.observed.child(kind, name);
  if (!own || !child || child.uid !== uid) return false;
  const { state, counts } = own.status;
  if (kind === 'Job') return state === 'Pending' || (state === 'Running' && lackingInJob(own, input) > 0);
  if (kind === 'CronJob') return true;
  return state !== 'Ready' && counts !== undefined && counts.there < counts.wanted;
}

/** Returns the number of missing pods of an object; at least one, because one was rejected. */
function lackingOf(of: DesiredObjectStatus, input: ReportInput): number {
  if (of.object.kind === 'Job') return Math.max(1, lackingInJob(of, input));
  const { wanted, there } = of.status.counts ?? { wanted: 1, there: 0 };
  return Math.max(1, wanted - there);
}

/** Returns how many more active pods a Job may have. */
function lackingInJob({ object }: DesiredObjectStatus, { observed }: ReportInput): number {
  const { status = {} } = observed.child('Job', object.metadata.name) ?? {};
  const { parallelism = 1, completions = parallelism } = object['spec'] as {
    parallelism?: number;
    completions?: number;
  };
  const left = completions - statusNumber(status, 'succeeded');
  return Math.min(parallelism, left) - statusNumber(status, 'active');
}
