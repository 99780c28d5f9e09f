import { metadataKeys } from '../../../api';
import { type LiveObject } from '../../../kube';
import { controllerOf } from '../../../operations';

/** Returns what a pod belongs to: its custom resource by labels; else its controller, with the Deployment of a ReplicaSet by name; else itself. */
export function workloadOf(pod: LiveObject): string {
  const { labels = {}, name } = pod.metadata;
  const kind = labels[metadataKeys.kind];
  const own = labels[metadataKeys.workload];
  if (kind !== undefined && own !== undefined) return `${kind}/${own}`;
  const controller = controllerOf(pod);
  if (!controller) return `Pod/${name}`;
  const end = `-${labels['pod-template-hash'] ?? ''}`;
  if (controller.kind === 'ReplicaSet' && end !== '-' && controller.name.endsWith(end))
    return `Deployment/${controller.name.slice(0, -end.length)}`;
  return `${controller.kind}/${controller.name}`;
}
