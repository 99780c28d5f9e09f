import {
  createCause,
  isOfPlatform,
  type Diagnosis,
  type Finding,
  type FindingSeverity,
  type CauseDraft,
} from './cause';
import { containerDiagnosis } from './container-diagnosis';
import { type PodFacts } from '../observed/pod-facts';
import { schedulingDiagnosis } from './scheduling-diagnosis';

/**
 * Milliseconds after which a pod that has not started or is not ready becomes a cause: half of the ten minutes that
 * Kubernetes gives a rollout.
 */
export const slowAfter = 5 * 60_000;

/**
 * Milliseconds after which an unbound claim becomes a cause; normally claims are bound soon after the pod is created.
 */
export const volumesAfter = 10_000;
const volumeWaits = new Set(['VolumeNotBound', 'PVCNotFound']);

/** Returns what keeps a pod from being ready; nothing for one that is still starting. */
export function podFindings(pod: PodFacts, placement: 'chosen' | 'default', now: number): readonly Finding[] {
  if (pod.ready || pod.deleting || pod.phase === 'Succeeded') return [];
  const found = (severity: FindingSeverity, diagnosis: CauseDraft): Finding => ({
    severity,
    cause: createCause(diagnosis, `Pod/${pod.name}`),
    // The pod that has been failing the longest stays the same in every reconcile.
    order: `${String(pod.created).padStart(16, '0')} ${pod.name}`,
  });
  if (pod.phase === 'Pending' && pod.node === undefined && pod.unschedulable !== undefined) {
    const diagnosis = schedulingDiagnosis(pod.unschedulable, pod, placement);
    return volumeWaits.has(diagnosis.reason) && now - pod.created < volumesAfter
      ? []
      : [found('scheduling', diagnosis)];
  }
  const judged = pod.troubles.flatMap((trouble) => containerDiagnosis(pod, trouble, now) ?? []);
  if (judged.length > 0) return judged.map((diagnosis) => found(diagnosis.severity, diagnosis));
  if (pod.phase === 'Failed') return [found('evicted', failedPodDiagnosis(pod))];
  return now - pod.created < slowAfter ? [] : [found('unready', slowDiagnosis(pod))];
}

/**
 * Returns the diagnosis of a pod that Kubernetes terminated, without a failed container. The reason of its run explains
 * the failure.
 */
function failedPodDiagnosis(pod: PodFacts): CauseDraft {
  return { reason: 'Failed', ...endOf(pod) };
}

function endOf({ name, reason, message = '' }: PodFacts): Pick<CauseDraft, 'owner' | 'message'> {
  const why = message === '' ? '' : `: ${message.replace(/\.\s*$/, '')}`;
  if (reason === 'Evicted') {
    const own = /exceed|limit/i.test(message);
    return {
      owner: own ? 'application' : 'capacity',
      message: `Pod ${name} was evicted from its node${why}. ${own ? 'Raise the limit that it exceeded, or reduce its usage.' : 'Set requests that match its usage, or add nodes.'}`,
    };
  }
  if (reason === 'DeadlineExceeded') {
    return {
      owner: 'application',
      message: `Pod ${name} ran for longer than its deadline. Raise the deadline, or shorten the work.`,
    };
  }
  return {
    owner: 'platform',
    message: `Pod ${name} was ended${reason === undefined ? '' : ` (${reason})`}${why}. It is replaced; if this happens again, check its node.`,
  };
}

function slowDiagnosis({ name, namespace, node, phase, unready = [] }: PodFacts): Diagnosis {
  const describe = `\`kubectl describe pod ${name} -n ${namespace}\``;
  if (node === undefined) {
    return {
      owner: 'platform',
      reason: 'NotScheduled',
      message: `Pod ${name} has waited for five minutes, and the scheduler has not reported on it. Check that the scheduler runs.`,
    };
  }
  if (phase !== 'Running') {
    return {
      owner: 'platform',
      reason: 'StartsSlowly',
      message: `Pod ${name} has had a node for five minutes, and not all of its containers have been created. Its volumes or images take long: see ${describe}.`,
    };
  }
  const container = unready.find((one) => !isOfPlatform(one)) ?? unready[0];
  if (container === undefined) {
    return {
      owner: 'platform',
      reason: 'NotReady',
      message: `All containers of Pod ${name} are ready, and the pod is not. Its node ${node} may be unresponsive, or a readiness gate is not met: see ${describe}.`,
    };
  }
  const whose = isOfPlatform(container)
    ? ({ owner: 'platform', reason: 'SidecarNotReady' } as const)
    : ({ owner: 'application', reason: 'NotReady' } as const);
  return {
    ...whose,
    message: `Container ${container} of Pod ${name} runs, and its readiness or startup probe has not succeeded. See the results of the probe with ${describe}, and the logs of the container with \`kubectl logs ${name} -n ${namespace} -c ${container}\`.`,
  };
}
