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

/** Rejections that are often transient: until a controller has counted usage, or the server is back. */
const transientReasons = new Set(['QuotaExceeded', 'QuotaNotReady', 'APIServerError']);

/** Object that could not create its pods. */
interface FailingObject {
  readonly kind: string;
  readonly name: string;
  readonly message: string;
  /** Milliseconds since 1970; undefined if unknown. */
  readonly since: number | undefined;
  /** Desired object of the pods. */
  readonly target: DesiredObjectStatus | undefined;
}

/** Returns failures to create pods: from the status of Deployments, and from Events for other kinds. */
export function creationFindings(input: ReportInput, statuses: readonly DesiredObjectStatus[]): readonly Finding[] {
  const { failures, namespace, previous, now } = input;
  const reported = statuses.flatMap((target): FailingObject[] => {
    const condition = target.status.state === 'Ready' ? undefined : replicaFailure(target, input);
    if (!condition) return [];
    const { kind, metadata } = target.object;
    return [{ kind, name: metadata.name, message: condition.message ?? '', since: timeOf(condition), target }];
  });
  const persistent = failures
    .filter((failure) => isPersistent(failure, statuses, input))
    .map((failure): FailingObject => ({ ...failure, since: failure.last, target: targetOf(failure, statuses, input) }));
  return [...reported, ...persistent].flatMap(({ kind, name, message, since = 0, target }) => {
    const object = `${kind}/${name}`;
    const ofClaims = /^create Claim /.test(message);
    const subject = ofClaims ? `Claims of ${object}` : kind === 'CronJob' ? `Jobs of ${object}` : `Pods of ${object}`;
    const missing = ofClaims || !target ? 1 : missingPodsOf(target, input);
    const cause = createCause(
      rejectionDiagnosis(message, { what: subject, namespace, missingObjects: missing }),
      object,
    );
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

/** Returns whether a failure is already reported: each failed attempt updates its time. */
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
const targetOf = (
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
 * Returns whether a failure persists: its Event outlives it, so it is resolved if a pod was created since, or none is
 * missing.
 */
function isPersistent(failure: CreationFailure, statuses: readonly DesiredObjectStatus[], input: ReportInput): boolean {
  const { kind, name, uid, last } = failure;
  if (input.pods.some(({ controller, created }) => controller?.uid === uid && created > last)) return false;
  const target = targetOf(failure, statuses, input);
  if (kind === 'ReplicaSet') return target !== undefined && target.status.state !== 'Ready';
  const child = input.observed.child(kind, name);
  if (!target || !child || child.uid !== uid) return false;
  const { state, counts } = target.status;
  if (kind === 'Job') return state === 'Pending' || (state === 'Running' && missingPodsOfJob(target, input) > 0);
  if (kind === 'CronJob') return true;
  return state !== 'Ready' && counts !== undefined && counts.existing < counts.desired;
}

/** Returns the number of missing pods of an object; at least one, because one was rejected. */
function missingPodsOf(target: DesiredObjectStatus, input: ReportInput): number {
  if (target.object.kind === 'Job') return Math.max(1, missingPodsOfJob(target, input));
  const { desired, existing } = target.status.counts ?? { desired: 1, existing: 0 };
  return Math.max(1, desired - existing);
}

/** Returns how many more pods a Job would create. */
function missingPodsOfJob({ object }: DesiredObjectStatus, { observed }: ReportInput): number {
  const { status = {} } = observed.child('Job', object.metadata.name) ?? {};
  const { parallelism = 1, completions = parallelism } = object['spec'] as {
    parallelism?: number;
    completions?: number;
  };
  const remaining = completions - statusNumber(status, 'succeeded');
  return Math.min(parallelism, remaining) - statusNumber(status, 'active');
}
