import { type Workload } from '../../../api';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { selectorOf } from '../../objects/labels';
import { derivedName } from '../../objects/name';
import { type Pod } from '../../pods/pod';
import { secondsOf } from '../../objects/seconds';

/** The Deployment of a service; without `replicas` where an autoscaler owns their number. */
export function deployment(workload: Workload<'PinterestService'>, pod: Pod): KubernetesObject {
  const { replicas, autoscaling, rollout } = workload.spec;
  const strategy =
    rollout.strategy === 'Recreate'
      ? { type: 'Recreate' }
      : {
          type: 'RollingUpdate',
          rollingUpdate: { maxSurge: rollout.maxSurge, maxUnavailable: rollout.maxUnavailable },
        };
  const spec = {
    ...(autoscaling === undefined && { replicas: replicas ?? 1 }),
    selector: { matchLabels: selectorOf(workload) },
    strategy,
    minReadySeconds: secondsOf(rollout.minReady),
    progressDeadlineSeconds: secondsOf(rollout.progressDeadline),
    revisionHistoryLimit: rollout.revisionHistoryLimit,
    ...(rollout.paused && { paused: true }),
    template: pod.template,
  };
  return draftObject('Deployment', { name: derivedName([workload.metadata.name]) }, { spec });
}
