import { numberAt, valueAt, type PodSpec } from '../api';
import { podsAtPeak, type KubernetesObject } from '../expand';
import { withoutSurge } from './quota-surge';

/** Assumed time until a new pod runs: its node is found, its images are pulled, and its containers start; in seconds. */
export const assumedStartSeconds = 60;

/** Returns the assumed time in which the pods of an object are replaced, in seconds; 0 for objects whose pods are not replaced. */
export function replacementSeconds(object: KubernetesObject, all: readonly KubernetesObject[], nodes = 1): number {
  if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(object.kind)) return 0;
  const pods = podsAtPeak(withoutSurge(object), all, nodes);
  if (!pods?.pod || pods.count === 0) return 0;
  const surge = (podsAtPeak(object, all, nodes)?.count ?? pods.count) - pods.count;
  const atOnce = Math.max(1, surge + unavailableOf(object, pods.count));
  return Math.ceil(pods.count / atOnce) * podSeconds(pods.pod, numberAt(object, 'spec', 'minReadySeconds') ?? 0);
}

/** Returns the number of pods that may be unavailable; Kubernetes rounds the 25% of a Deployment down. */
function unavailableOf({ kind, spec }: KubernetesObject, pods: number): number {
  if (kind !== 'Deployment')
    return intOrPercent(valueAt(spec, ['updateStrategy', 'rollingUpdate', 'maxUnavailable']) ?? 1, pods);
  if (valueAt(spec, ['strategy', 'type']) === 'Recreate') return pods;
  return intOrPercent(valueAt(spec, ['strategy', 'rollingUpdate', 'maxUnavailable']) ?? '25%', pods);
}

const intOrPercent = (value: unknown, pods: number): number =>
  typeof value === 'number' ? value : Math.floor((pods * (Number.parseInt(String(value), 10) || 0)) / 100);

/** Returns the assumed time from the creation of a pod until it is available: it passes each probe at the first attempt. */
function podSeconds({ containers }: PodSpec, minReadySeconds: number): number {
  const longest = (probe: 'startupProbe' | 'readinessProbe'): number =>
    Math.max(0, ...containers.map((container) => firstSuccess(container[probe])));
  return assumedStartSeconds + longest('startupProbe') + longest('readinessProbe') + minReadySeconds;
}

const firstSuccess = (probe: PodSpec['containers'][number]['readinessProbe']): number =>
  probe ? (probe.initialDelaySeconds ?? 0) + (probe.periodSeconds ?? 10) : 0;
