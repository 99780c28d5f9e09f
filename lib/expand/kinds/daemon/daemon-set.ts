import { type Workload } from '../../../api';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { selectorOf } from '../../objects/labels';
import { derivedName } from '../../objects/name';
import { type Pod } from '../../pods/pod';
import { secondsOf } from '../../objects/seconds';

/** The DaemonSet of a daemon. */
export function daemonSet(workload: Workload<'PinterestDaemon'>, pod: Pod): KubernetesObject {
  const { update } = workload.spec;
  const spec = {
    selector: { matchLabels: selectorOf(workload) },
    updateStrategy: strategyOf(update),
    minReadySeconds: secondsOf(update.minReady),
    revisionHistoryLimit: update.revisionHistoryLimit,
    template: pod.template,
  };
  return draftObject('DaemonSet', { name: derivedName([workload.metadata.name]) }, { spec });
}

/** Kubernetes takes a daemon that surges only with no pod missing, and needs one of the two. */
function strategyOf({ strategy, maxSurge = 0, maxUnavailable }: Workload<'PinterestDaemon'>['spec']['update']) {
  if (strategy === 'OnDelete') return { type: 'OnDelete' };
  const surges = Number.parseInt(String(maxSurge), 10) !== 0;
  return {
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge, maxUnavailable: surges ? 0 : (maxUnavailable ?? 1) },
  };
}
