import { resourceOf } from '../../../lib/kube';
import { objectPath } from '../../../lib/kube/objects/resource';
import { type Client } from '../../control-plane/client';
import { waitFor } from '../../control-plane/wait-for';
import { type Chance } from '../chaos/chance';
import { Meddler } from '../chaos/meddler';
import { persist } from '../chaos/persist';
import { type Places, population } from '../chaos/population';
import { list, look } from '../chaos/sight';
import { User } from '../chaos/user';

/** How much one wave brings. */
export interface WaveSize {
  /** Workloads of each kind. */
  readonly each: number;
  readonly actions: number;
}

/** Workloads of names that were never there come, are changed, edited and robbed of pods, and go without a trace. */
export async function wave(
  client: Client,
  places: Places,
  chance: Chance,
  name: string,
  { each, actions }: WaveSize,
): Promise<void> {
  const namespaces = [places.project, places.infrastructure];
  const user = new User(client, chance.apart('user'), places);
  const meddler = new Meddler(client, chance.apart('others'), user, namespaces);
  for (const said of population(each, name, places, chance)) await user.say(said);
  for (let action = 0; action < actions; action++) {
    await user.act();
    await meddler.act();
    const pods = await list(client, 'Pod', places.project);
    if (pods.length > 0) await client.request('DELETE', objectPath(resourceOf('Pod'), chance.of(pods).metadata));
  }
  for (const { said } of [...user.stories.values()]) await user.remove(said);
  // Claims stay behind by policy, and a set that is still going makes one more.
  const dropClaims = async (): Promise<void> => {
    for (const namespace of namespaces) {
      const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
      await persist(path, () => client.request('DELETE', path));
    }
  };
  const left = async () => {
    await dropClaims();
    const { documents, pods, children } = await look(client, namespaces);
    const ours = children.filter(({ metadata }) => metadata.labels?.['pinterest.com/workload'] !== undefined);
    return documents.size + pods.length + ours.length;
  };
  await waitFor(`nothing to be left of wave ${name}`, async () => (await left()) === 0, {
    timeout: 120_000,
    interval: 500,
  });
}
