import { metadataKeys, type WorkloadKind, workloadKinds } from '../../api';
import { labelOf } from '../../expand';
import { listAllPages, type KubeClient, type LiveObject } from '../../kube';
import { canaryNativeKinds } from '../../programs';

/** Kinds whose Kubernetes controllers create pods. */
export const podOwnerKinds: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job'];

/** Kinds that a run may leave behind, pods last. */
export const canaryOwnKinds: readonly string[] = [...Object.keys(workloadKinds), ...canaryNativeKinds, 'Pod'];

/** Returns the label selector of a workload's objects. */
export const workloadSelector = (kind: WorkloadKind, name: string): string =>
  `${metadataKeys.kind}=${kind},${metadataKeys.workload}=${labelOf(name)}`;

/** Lists the objects of several kinds that match a selector. */
export async function listKinds(
  client: KubeClient,
  kinds: readonly string[],
  namespace: string,
  labelSelector: string,
): Promise<LiveObject[]> {
  return (await Promise.all(kinds.map((kind) => listAllPages(client, kind, { namespace, labelSelector })))).flat();
}
