import { resourceOf } from '../../../lib/kube';
import { objectPath } from '../../../lib/kube/objects/resource';
import { type Client } from '../../control-plane/client';
import { waitFor } from '../../control-plane/wait-for';
import { type SeededRandom } from '../chaos/seeded-random';
import { InterferingClient } from '../chaos/interfering-client';
import { retryRequest } from '../chaos/retry-request';
import { type RoundProjects, generateWorkloads } from '../chaos/random-workloads';
import { list, takeClusterSnapshot } from '../chaos/cluster-snapshot';
import { User } from '../chaos/user';

/** Size of a wave. */
export interface WaveSize {
  /** Workloads of each kind. */
  readonly each: number;
  readonly actions: number;
}

/** Creates workloads with new names, changes them, edits them, deletes their pods, and deletes them without leftovers. */
export async function wave(
  client: Client,
  projects: RoundProjects,
  random: SeededRandom,
  name: string,
  { each, actions }: WaveSize,
): Promise<void> {
  const namespaces = [projects.project, projects.infrastructure];
  const user = new User(client, random.fork('user'), projects);
  const otherClient = new InterferingClient(client, random.fork('others'), user, namespaces);
  for (const workload of generateWorkloads(each, name, projects, random)) await user.apply(workload);
  for (let action = 0; action < actions; action++) {
    await user.act();
    await otherClient.act();
    const pods = await list(client, 'Pod', projects.project);
    if (pods.length > 0) await client.request('DELETE', objectPath(resourceOf('Pod'), random.of(pods).metadata));
  }
  for (const { workload } of [...user.workloads.values()]) await user.remove(workload);
  // Claims are retained by policy, and a StatefulSet that is being deleted can create another one.
  const deleteClaims = async (): Promise<void> => {
    for (const namespace of namespaces) {
      const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
      await retryRequest(path, () => client.request('DELETE', path));
    }
  };
  const remaining = async () => {
    await deleteClaims();
    const { documents, pods, children } = await takeClusterSnapshot(client, namespaces);
    const owned = children.filter(({ metadata }) => metadata.labels?.['pinterest.com/workload'] !== undefined);
    return documents.size + pods.length + owned.length;
  };
  await waitFor(`nothing to be left of wave ${name}`, async () => (await remaining()) === 0, {
    timeout: 120_000,
    interval: 500,
  });
}
