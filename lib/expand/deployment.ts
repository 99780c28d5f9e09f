import { type Workload } from '../api';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { selectorOf } from './labels';
import { derivedName } from './name';
import { type Pod } from './pod';
import { secondsOf } from './seconds';

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
