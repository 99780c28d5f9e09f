import { addAmounts, amountsOf, formatQuantity, textAt, valueAt, type PodSpec, type ResourceList } from '../../../api';
import { podFootprint } from '../../../expand';
import { type ClusterSnapshot } from '../../../impact';
import { type ClusterConnection } from '../../cluster/cluster-connection';

const single = amountsOf({ pods: '1' });

/** Sums the requests of the pods on each node, page by page; undefined if they may not be read, which is noted. */
export async function requestsByNode(
  { client, kube }: ClusterConnection,
  unread: string[],
): Promise<ClusterSnapshot['requested']> {
  const sums = new Map<string, ResourceList>();
  const fieldSelector = 'spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed';
  try {
    for await (const page of kube.listPages(client, 'Pod', { fieldSelector }))
      for (const pod of page) {
        const node = textAt(pod, 'spec', 'nodeName') ?? '';
        const { requests } = podFootprint(valueAt(pod, ['spec']) as PodSpec);
        sums.set(node, addAmounts(sums.get(node) ?? {}, addAmounts(single, requests)));
      }
  } catch (error) {
    if (kube.isApiError(error, 403)) unread.push('Pod: listing is not permitted in the whole cluster');
    else if (!kube.isApiError(error, 404)) throw error;
    return undefined;
  }
  const texts = (amounts: ResourceList): Record<string, string> =>
    Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, formatQuantity(amount)]));
  return Object.fromEntries(
    [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([node, amounts]) => [node, texts(amounts)]),
  );
}
