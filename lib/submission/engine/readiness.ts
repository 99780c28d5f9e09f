import { isObserved, isWorkloadReady, trueCondition, valueAt } from '../../api';
import { type Cause, type DeployedWorkload } from '../../contract';
import { type LiveObject } from '../../kube';
import { liveSequence } from './mark';

/** Returns whether a workload makes no progress without action, or its run failed. */
export const isStalled = (live: LiveObject): boolean =>
  isObserved(live) && ['Stalled', 'Failed'].some((type) => trueCondition(live['status'], type) !== undefined);

/** Returns why a workload is not Ready, from its status; undefined if the status is not of its current spec. */
export function workloadCause(live: LiveObject): Cause | undefined {
  return isObserved(live) ? (valueAt(live, ['status', 'cause']) as Cause | undefined) : undefined;
}

/** Pod counts of a variant, in the status of its workload. */
interface VariantCounts {
  readonly name: string;
  readonly readyReplicas: number;
  readonly desiredReplicas: number;
}

/** Returns the progress of a workload in a few words. */
export function progressOf(live: LiveObject): string | undefined {
  const status = (valueAt(live, ['status']) ?? {}) as Readonly<Record<string, unknown>>;
  const hooks = status['beforeDeployment'] as { readonly phase: string; readonly hook?: string } | undefined;
  if (hooks && hooks.phase !== 'Succeeded')
    return `hook ${hooks.hook ?? ''} ${hooks.phase === 'Failed' ? 'failed' : 'running'}`;
  const variants = status['variants'] as readonly VariantCounts[] | undefined;
  if (variants)
    return `${variants.map(({ name, readyReplicas, desiredReplicas }) => `${name} ${readyReplicas}/${desiredReplicas}`).join(', ')} ready`;
  const [ready, desired] = [status['readyReplicas'], valueAt(live, ['spec', 'replicas']) ?? status['replicas']];
  if (desired !== undefined) return `${Number(ready ?? 0)}/${Number(desired)} ready`;
  if (status['desiredNodes'] !== undefined)
    return `${Number(status['readyNodes'] ?? 0)}/${Number(status['desiredNodes'])} nodes ready`;
  if (typeof status['readyMembers'] === 'string') return `${status['readyMembers']} members ready`;
  const shards = status['shards'] as Readonly<Record<string, number>> | undefined;
  if (shards) return `${shards['succeeded'] ?? 0} shards succeeded, ${shards['active'] ?? 0} running`;
  return typeof status['phase'] === 'string' ? status['phase'] : undefined;
}

/** Returns the status of a workload that a deployment applied with a sequence number. */
export function computeWorkloadStatus(
  before: DeployedWorkload,
  live: LiveObject | undefined,
  sequence: number,
): DeployedWorkload {
  const { kind, name, change, applied } = before;
  const isApplied = live !== undefined && liveSequence(live) >= sequence;
  const cause = live && isApplied ? workloadCause(live) : undefined;
  const progress = live && isApplied ? progressOf(live) : undefined;
  return {
    kind,
    name,
    change,
    applied,
    ready: isApplied && isWorkloadReady(live),
    ...(progress !== undefined && { progress }),
    ...(cause && { cause }),
  };
}
