import {
  createCause,
  isPlatformContainer,
  type Diagnosis,
  type Finding,
  type FindingSeverity,
  type CauseDraft,
} from './cause';
import { containerDiagnosis } from './container-diagnosis';
import { type PodFacts } from '../observed/pod-facts';
import { schedulingDiagnosis } from './scheduling-diagnosis';

/**
 * Milliseconds after which a pod that has not started or is not ready becomes a cause: half of the default progress
 * deadline of a Deployment.
 */
export const slowAfter = 5 * 60_000;

/**
 * Milliseconds after which an unbound claim becomes a cause; normally claims are bound soon after the pod is created.
 */
export const volumesAfter = 10_000;
const volumeWaits = new Set(['VolumeNotBound', 'PVCNotFound']);

/** Returns the reasons why a pod is not ready; none while it is still starting. */
export function podFindings(pod: PodFacts, placement: 'chosen' | 'default', now: number): readonly Finding[] {
  if (pod.ready || pod.deleting || pod.phase === 'Succeeded') return [];
  const findingFor = (severity: FindingSeverity, diagnosis: CauseDraft): Finding => ({
    severity,
    cause: createCause(diagnosis, `Pod/${pod.name}`),
    // The oldest pod comes first, so every reconcile reports the same one.
    order: `${String(pod.created).padStart(16, '0')} ${pod.name}`,
  });
  if (pod.phase === 'Pending' && pod.node === undefined && pod.unschedulable !== undefined) {
    const diagnosis = schedulingDiagnosis(pod.unschedulable, pod, placement);
    return volumeWaits.has(diagnosis.reason) && now - pod.created < volumesAfter
      ? []
      : [findingFor('scheduling', diagnosis)];
  }
  const diagnoses = pod.containerIssues.flatMap((issue) => containerDiagnosis(pod, issue, now) ?? []);
  if (diagnoses.length > 0) return diagnoses.map((diagnosis) => findingFor(diagnosis.severity, diagnosis));
  if (pod.phase === 'Failed') return [findingFor('evicted', failedPodDiagnosis(pod))];
  return now - pod.created < slowAfter ? [] : [findingFor('unready', slowDiagnosis(pod))];
}

/**
 * Returns the diagnosis of a pod that Kubernetes terminated, without a failed container. The reason of its run explains
 * the failure.
 */
function failedPodDiagnosis(pod: PodFacts): CauseDraft {
  return { reason: 'Failed', ...describeFailure(pod) };
}

function describeFailure({ name, reason, message = '' }: PodFacts): Pick<CauseDraft, 'owner' | 'message'> {
  const detail = message === '' ? '' : `: ${message.replace(/\.\s*$/, '')}`;
  if (reason === 'Evicted') {
    const isOverLimit = /exceed|limit/i.test(message);
    return {
      owner: isOverLimit ? 'application' : 'capacity',
      message: `Pod ${name} was evicted from its node${detail}. ${isOverLimit ? 'Raise the limit that it exceeded, or reduce its usage.' : 'Set requests that match its usage, or add nodes.'}`,
    };
  }
  if (reason === 'DeadlineExceeded') {
    return {
      owner: 'application',
      message: `Pod ${name} exceeded its deadline. Raise the deadline, or shorten the work.`,
    };
  }
  return {
    owner: 'platform',
    message: `Pod ${name} was terminated${reason === undefined ? '' : ` (${reason})`}${detail}. It is replaced; if this happens again, check its node.`,
  };
}

function slowDiagnosis({ name, namespace, node, phase, unready = [] }: PodFacts): Diagnosis {
  const describe = `\`kubectl describe pod ${name} -n ${namespace}\``;
  if (node === undefined) {
    return {
      owner: 'platform',
      reason: 'NotScheduled',
      message: `Pod ${name} has been pending for five minutes, and the scheduler has not reported a reason. Check that the scheduler is running.`,
    };
  }
  if (phase !== 'Running') {
    return {
      owner: 'platform',
      reason: 'StartsSlowly',
      message: `Pod ${name} was scheduled to a node five minutes ago, and not all of its containers have been created. Its volumes or images are slow: see ${describe}.`,
    };
  }
  const container = unready.find((candidate) => !isPlatformContainer(candidate)) ?? unready[0];
  if (container === undefined) {
    return {
      owner: 'platform',
      reason: 'NotReady',
      message: `All containers of Pod ${name} are ready, but the pod is not. Its node ${node} may be unresponsive, or a readiness gate is not met: see ${describe}.`,
    };
  }
  const ownerAndReason = isPlatformContainer(container)
    ? ({ owner: 'platform', reason: 'SidecarNotReady' } as const)
    : ({ owner: 'application', reason: 'NotReady' } as const);
  return {
    ...ownerAndReason,
    message: `Container ${container} of Pod ${name} is running, but its readiness or startup probe has not succeeded. See the results of the probe with ${describe}, and the logs of the container with \`kubectl logs ${name} -n ${namespace} -c ${container}\`.`,
  };
}
