import { type PodFailurePolicyRule, type PodTemplateSpec, type Workload } from '../../../api';
import { freeze } from '../../objects/freeze';
import { jobSpec } from '../../objects/job';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { type Pod } from '../../pods/pod';
import { type TrainingGroup } from './training-groups';

type TrainingJob = Workload<'PinterestTrainingJob'>;

/** Maximum number of retries in Kubernetes: the greatest 32-bit integer. */
const maxRetries = 2147483647;

/** Rule that ignores evicted, drained and preempted pods. */
const ignoreDisruptions: PodFailurePolicyRule = freeze({
  action: 'Ignore',
  onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }],
});

/** Exit codes of permanent failures; from 128 on, a signal terminated the program. */
const permanentCodes = freeze(Array.from({ length: 127 }, (_, index) => index + 1));

/** Creates the Indexed Job of a group of members. */
export function trainingGroupJob(workload: TrainingJob, group: TrainingGroup, pod: Pod): KubernetesObject {
  const { spec } = workload;
  const options = {
    retries: retriesOf(workload, group),
    activeDeadline: spec.activeDeadline,
    ttlAfterFinished: spec.ttlAfterFinished,
    podFailurePolicy: { rules: failureRules(workload, group, pod.template) },
    // Two pods of one index would have the same name.
    podReplacementPolicy: 'Failed' as const,
    ...(completesWithLeader(workload, group) && { successPolicy: { shards: [0] } }),
    suspend: spec.suspend,
  };
  const work = {
    completions: group.members,
    parallelism: group.members,
    indexed: true,
    maxFailed: spec.elastic ? group.members - spec.elastic.minReplicas : 0,
  };
  return draftObject('Job', { name: group.job }, { spec: jobSpec(options, work, pod) });
}

/** Returns whether the Job completes once its member 0 has succeeded. */
const completesWithLeader = ({ spec }: TrainingJob, group: TrainingGroup): boolean =>
  spec.successPolicy === 'Leader' && spec.cleanPodPolicy !== 'None' && group.leads && group.members > 1;

function retriesOf({ spec }: TrainingJob, { restartPolicy: restart }: TrainingGroup): number {
  if (restart === 'Never') return 0;
  return restart === 'Always' ? maxRetries : spec.retries;
}

/** Returns the failure rules; the workload's own come first, because the first match applies. */
function failureRules(
  workload: TrainingJob,
  { restartPolicy: restart }: TrainingGroup,
  template: PodTemplateSpec,
): PodFailurePolicyRule[] {
  const containerName = template.spec?.containers[0]?.name;
  const permanent: PodFailurePolicyRule = {
    action: 'FailJob',
    onExitCodes: {
      ...(containerName !== undefined && { containerName }),
      operator: 'In',
      values: permanentCodes,
    },
  };
  return [
    ...(workload.spec.podFailurePolicy?.rules ?? []),
    ...(restart === 'Never' ? [] : [ignoreDisruptions]),
    ...(restart === 'ExitCode' ? [permanent] : []),
  ];
}
