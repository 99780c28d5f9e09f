import { type Workload } from '../api';
import { draft, type KubernetesObject } from './kubernetes-object';
import { selectorOf } from './labels';
import { nameOf } from './name';
import { type Pod } from './pod';
import { secondsOf } from './seconds';
import { volumeClaimTemplates } from './volume-claims';
import { type World } from './world';

/** Kubernetes labels pods with the name of the set, a dash and a hash of ten characters; labels end at 63. */
const longestName = 52;

/** Name of the StatefulSet; its members are called `<name>-<number>`. */
const statefulSetName = (workload: Workload): string => nameOf([workload.metadata.name], longestName);

/** Name of the headless Service by which members find each other. */
export const membersServiceName = (workload: Workload): string => nameOf([workload.metadata.name, 'members']);

/** The StatefulSet of a stateful set. */
export function statefulSet(workload: Workload<'PinterestStatefulSet'>, pod: Pod, world: World): KubernetesObject {
  const { replicas, ordinals, management, update, claims, claimRetention } = workload.spec;
  const { whenDeleted, whenScaled } = claimRetention;
  const spec = {
    replicas,
    ...(ordinals.start > 0 && { ordinals: { start: ordinals.start } }),
    serviceName: membersServiceName(workload),
    selector: { matchLabels: selectorOf(workload) },
    podManagementPolicy: management === 'parallel' ? 'Parallel' : 'OrderedReady',
    updateStrategy: strategyOf(update),
    minReadySeconds: secondsOf(update.minReady),
    revisionHistoryLimit: update.history,
    ...(claims.length > 0 && {
      persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
      volumeClaimTemplates: volumeClaimTemplates(claims, world),
    }),
    template: pod.template,
  };
  return draft('StatefulSet', { name: statefulSetName(workload) }, { spec });
}

function strategyOf({ strategy, partition, maxUnavailable }: Workload<'PinterestStatefulSet'>['spec']['update']) {
  if (strategy === 'onDelete') return { type: 'OnDelete' };
  return {
    type: 'RollingUpdate',
    rollingUpdate: { partition, ...(maxUnavailable !== undefined && { maxUnavailable }) },
  };
}
