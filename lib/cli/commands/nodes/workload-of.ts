import { metadataKeys } from '../../../api';
import { kindOfPod } from '../../../expand';
import { type LiveObject } from '../../../kube';
import { controllerOf } from '../../../operations';

/** Returns the workload of a pod: its custom resource by labels; else its controller, with a ReplicaSet replaced by its Deployment; else the pod itself. */
export function workloadOf(pod: LiveObject): string {
  const { labels = {}, name } = pod.metadata;
  const kind = kindOfPod(labels);
  const workload = labels[metadataKeys.workload];
  if (kind !== undefined && workload !== undefined) return `${kind}/${workload}`;
  const controller = controllerOf(pod);
  if (!controller) return `Pod/${name}`;
  const suffix = `-${labels['pod-template-hash'] ?? ''}`;
  if (controller.kind === 'ReplicaSet' && suffix !== '-' && controller.name.endsWith(suffix))
    return `Deployment/${controller.name.slice(0, -suffix.length)}`;
  return `${controller.kind}/${controller.name}`;
}
