import { valueAt } from '../../api';
import { type Cause, type DeployedWorkload } from '../../contract';
import { type LiveObject } from '../../kube';
import { liveSequence } from './mark';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

/** A condition of an object; undefined where it has none of that type. */
export const conditionOf = (live: LiveObject, type: string): Condition | undefined =>
  ((valueAt(live, ['status', 'conditions']) ?? []) as readonly Condition[]).find((one) => one.type === type);

/** Whether the status of an object speaks of its present spec. */
export const isObserved = (live: LiveObject): boolean =>
  valueAt(live, ['status', 'observedGeneration']) === live.metadata.generation;

/** Whether a workload is Ready, as its present spec has it. */
export const isReady = (live: LiveObject): boolean => isObserved(live) && conditionOf(live, 'Ready')?.status === 'True';

/** Whether nothing goes on until somebody acts. */
export const isStalled = (live: LiveObject): boolean =>
  isObserved(live) && conditionOf(live, 'Stalled')?.status === 'True';

/** Why a workload is not Ready, as its status says; undefined where it says nothing of its present spec. */
export function causeOf(live: LiveObject): Cause | undefined {
  const cause = isObserved(live) ? (valueAt(live, ['status', 'cause']) as Cause | undefined) : undefined;
  return cause;
}

/** How far a workload is, in a few words. */
export function progressOf(live: LiveObject): string | undefined {
  const status = (valueAt(live, ['status']) ?? {}) as Readonly<Record<string, unknown>>;
  const [ready, wanted] = [status['readyReplicas'], valueAt(live, ['spec', 'replicas']) ?? status['replicas']];
  if (wanted !== undefined) return `${Number(ready ?? 0)}/${Number(wanted)} ready`;
  if (status['desiredNodes'] !== undefined)
    return `${Number(status['readyNodes'] ?? 0)}/${Number(status['desiredNodes'])} nodes ready`;
  if (typeof status['readyMembers'] === 'string') return `${status['readyMembers']} members ready`;
  const shards = status['shards'] as Readonly<Record<string, number>> | undefined;
  if (shards) return `${shards['succeeded'] ?? 0} shards succeeded, ${shards['active'] ?? 0} run`;
  return typeof status['phase'] === 'string' ? status['phase'] : undefined;
}

/** How a workload stands that a deployment applied under a number. */
export function standingOf(before: DeployedWorkload, live: LiveObject | undefined, sequence: number): DeployedWorkload {
  const { kind, name, change, applied } = before;
  const isOurs = live !== undefined && liveSequence(live) >= sequence;
  const cause = live && isOurs ? causeOf(live) : undefined;
  const progress = live && isOurs ? progressOf(live) : undefined;
  return {
    kind,
    name,
    change,
    applied,
    ready: isOurs && isReady(live),
    ...(progress !== undefined && { progress }),
    ...(cause && { cause }),
  };
}
