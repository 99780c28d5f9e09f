import { metadataKeys, type WorkloadKind, workloadKinds } from '../../api';
import { labelOf } from '../../expand';
import { listAllPages, type KubeClient, type LiveObject } from '../../kube';
import { canaryNativeKinds } from '../../programs';

/** Kinds of which Kubernetes' own controllers make pods. */
export const runningKinds: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job'];

/** All kinds that a run may leave behind, pods last. */
export const canaryOwnKinds: readonly string[] = [...Object.keys(workloadKinds), ...canaryNativeKinds, 'Pod'];

/** Selector of all that a workload became. */
export const selectorOfWorkload = (kind: WorkloadKind, name: string): string =>
  `${metadataKeys.kind}=${kind},${metadataKeys.workload}=${labelOf(name)}`;

/** Objects of some kinds that a selector means. */
export async function listKinds(
  client: KubeClient,
  kinds: readonly string[],
  namespace: string,
  labelSelector: string,
): Promise<LiveObject[]> {
  return (await Promise.all(kinds.map((kind) => listAllPages(client, kind, { namespace, labelSelector })))).flat();
}
