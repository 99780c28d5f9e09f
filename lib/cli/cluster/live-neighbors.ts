import { metadataKeys, workloadKinds } from '../../api';
import { mapConcurrently } from '../../artifact';
import { type KubernetesObject, type LiveNeighbors, type WorkloadSet } from '../../expand';
import { maxRequests, type ClusterConnection } from './cluster-connection';

/**
 * Reads what a cluster has besides the workloads of inputs: all Ingresses if the inputs have routes, and whether the
 * peers exist that are not in the inputs. What may not be read is not judged, and adds a note.
 */
export async function readLiveNeighbors(
  set: WorkloadSet,
  connection: ClusterConnection,
  notes: string[],
): Promise<LiveNeighbors> {
  const ingresses = set.hasRoutes ? await readIngresses(connection, notes) : [];
  const peers = new Map(set.unknownPeers.map((peer) => [`${peer.project}/${peer.name}`, peer]));
  const absent = new Set<string>();
  await mapConcurrently(
    [...peers],
    async ([key, { project, name }]) => {
      if (await isAbsent(project, name, connection)) absent.add(key);
    },
    maxRequests,
  );
  return { ingresses, isAbsent: ({ project, name }) => absent.has(`${project}/${name}`) };
}

async function readIngresses(
  { client, kube }: ClusterConnection,
  notes: string[],
): Promise<readonly KubernetesObject[]> {
  try {
    return await kube.listAllPages(client, 'Ingress', {});
  } catch (error) {
    if (!kube.isApiError(error, 403)) throw error;
    notes.push('you may not list all Ingresses of the cluster, so host names are not compared with them');
    return [];
  }
}

/** Returns whether a workload surely does not exist: as a custom resource, or as native objects, which have its service account. */
async function isAbsent(namespace: string, name: string, { client, kube }: ClusterConnection): Promise<boolean> {
  try {
    const account = await client.get(kube.resourceOf('ServiceAccount'), { name, namespace });
    if (account?.metadata.labels?.[metadataKeys.workload] !== undefined) return false;
    for (const kind of Object.keys(workloadKinds))
      if (await exists(client.get(kube.resourceOf(kind), { name, namespace }), kube)) return false;
    return true;
  } catch (error) {
    if (kube.isApiError(error, 403)) return false;
    throw error;
  }
}

/** Returns whether an object exists; in a cluster without the controller, its kind does not. */
async function exists(read: Promise<unknown>, kube: ClusterConnection['kube']): Promise<boolean> {
  try {
    return (await read) !== undefined;
  } catch (error) {
    if (kube.isApiError(error, 404)) return false;
    throw error;
  }
}
