import { type Workload } from '../../../api';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { selectorOf } from '../../objects/labels';
import { derivedName } from '../../objects/name';
import { type Pod } from '../../pods/pod';
import { secondsOf } from '../../objects/seconds';
import { volumeClaimTemplates } from './volume-claims';
import { type ProjectContext } from '../../project-context';

/** Kubernetes labels pods with the name of the set, a dash and a hash of ten characters; labels end at 63. */
const longestName = 52;

/** Name of the StatefulSet; its members are called `<name>-<number>`. */
const statefulSetName = (workload: Workload): string => derivedName([workload.metadata.name], longestName);

/** Name of the headless Service by which members find each other. */
export const membersServiceName = (workload: Workload): string => derivedName([workload.metadata.name, 'members']);

/** The StatefulSet of a stateful set. */
export function statefulSet(
  workload: Workload<'PinterestStatefulSet'>,
  pod: Pod,
  context: ProjectContext,
): KubernetesObject {
  const {
    replicas,
    ordinals,
    podManagementPolicy: management,
    update,
    volumeClaimTemplates: claims,
    persistentVolumeClaimRetentionPolicy: claimRetention,
  } = workload.spec;
  const { whenDeleted, whenScaled } = claimRetention;
  const spec = {
    replicas,
    ...(ordinals.start > 0 && { ordinals: { start: ordinals.start } }),
    serviceName: membersServiceName(workload),
    selector: { matchLabels: selectorOf(workload) },
    podManagementPolicy: management === 'Parallel' ? 'Parallel' : 'OrderedReady',
    updateStrategy: strategyOf(update),
    minReadySeconds: secondsOf(update.minReady),
    revisionHistoryLimit: update.revisionHistoryLimit,
    ...(claims.length > 0 && {
      persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
      volumeClaimTemplates: volumeClaimTemplates(claims, context),
    }),
    template: pod.template,
  };
  return draftObject('StatefulSet', { name: statefulSetName(workload) }, { spec });
}

function strategyOf({ strategy, partition, maxUnavailable }: Workload<'PinterestStatefulSet'>['spec']['update']) {
  if (strategy === 'OnDelete') return { type: 'OnDelete' };
  return {
    type: 'RollingUpdate',
    rollingUpdate: { partition, ...(maxUnavailable !== undefined && { maxUnavailable }) },
  };
}
