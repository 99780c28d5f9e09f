import { type LiveObject } from '../../../lib/kube';
import { type PinionCluster } from '../pinion-suite';
import { findProblems } from './find-problems';
import { retryRequest } from './retry-request';
import { waitUntilHealthy } from './wait-until-healthy';
import { takeClusterSnapshot, ownerOf, type ClusterSnapshot } from './cluster-snapshot';
import { type User } from './user';

/** Deletes all workloads and checks that nothing is left behind. */
export async function deleteWorkloads(
  { cluster }: PinionCluster,
  user: User,
  namespaces: readonly string[],
  note: (line: string) => void,
): Promise<void> {
  for (const { workload } of [...user.workloads.values()]) await user.remove(workload);
  const snapshotNow = () => takeClusterSnapshot(cluster.client, namespaces);
  const leftovers = async (): Promise<string[]> => {
    const snapshot = await snapshotNow();
    return [...findProblems(snapshot, user), ...snapshot.pods.map((pod) => describeLeftover(pod, snapshot))];
  };
  try {
    await waitUntilHealthy('after the deletion', leftovers, 30_000);
  } catch {
    if (findOrphans(await snapshotNow()).length > 0) {
      note('restarting the garbage collector, which missed the deletion of an owner');
      await cluster.part('kube-controller-manager').kill();
      await cluster.part('kube-controller-manager').restart();
    }
    await waitUntilHealthy('after the deletion', leftovers);
  }
  const claims = namespaces.map((namespace) => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`);
  for (const path of claims) await retryRequest(path, () => cluster.client.request('DELETE', path));
}

/**
 * Returns pods and revisions whose owner is gone. If an owner is deleted and recreated under its name while the garbage
 * collector has lost its watch, it sees one changed object and collects the dependents of the first one only after a restart.
 */
const findOrphans = (snapshot: ClusterSnapshot): readonly LiveObject[] =>
  [...snapshot.pods, ...snapshot.histories].filter((object) => ownerOf(object) && !ownerExists(object, snapshot));

const ownerExists = (object: LiveObject, { histories, children }: ClusterSnapshot): boolean =>
  [...histories, ...children].some(({ metadata }) => metadata.uid === ownerOf(object)?.uid);

/** Describes a leftover pod: its deletion, its finalizers, and whether its owner exists. */
function describeLeftover(pod: LiveObject, snapshot: ClusterSnapshot): string {
  const { name, deletionTimestamp, finalizers, ownerReferences } = pod.metadata;
  const { phase } = pod['status'] as { readonly phase?: string };
  const details = { phase, deletionTimestamp, finalizers, ownerReferences, ownerExists: ownerExists(pod, snapshot) };
  return `Pod ${name} was left behind: ${JSON.stringify(details)}`;
}
