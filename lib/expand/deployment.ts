import { type Workload } from '../api';
import { draft, type KubernetesObject } from './kubernetes-object';
import { selectorOf } from './labels';
import { nameOf } from './name';
import { type Pod } from './pod';
import { secondsOf } from './seconds';

/** The Deployment of a service; without `replicas` where an autoscaler owns their number. */
export function deployment(workload: Workload<'PinterestService'>, pod: Pod): KubernetesObject {
  const { replicas, autoscaling, rollout } = workload.spec;
  const strategy =
    rollout.strategy === 'recreate'
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
    progressDeadlineSeconds: secondsOf(rollout.deadline),
    revisionHistoryLimit: rollout.history,
    ...(rollout.paused && { paused: true }),
    template: pod.template,
  };
  return draft('Deployment', { name: nameOf([workload.metadata.name]) }, { spec });
}
