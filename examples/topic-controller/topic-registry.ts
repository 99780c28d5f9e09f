import { type KubeClient, keyOf, type LiveObject, type ObjectKey } from '@pinion-platform/pinion/client';
import { configMaps, type TopicSet } from './topic-set';

/** Name of the ConfigMap that has the owner of each topic in the cluster, as `namespace/name`. */
export const registryName = 'topic-registry';

/** Result of a reservation: nothing is reserved unless all topics are. */
export type Reservation = { readonly reserved: number } | { readonly taken: string; readonly by: string };

/** Owners by topic. */
type Owners = ReadonlyMap<string, string>;

/**
 * Reserves the names of topics, which are unique in the cluster, in one ConfigMap. Each write has the version that was
 * read as its precondition: if two writers meet, one gets a conflict and is reconciled again.
 */
export class TopicRegistry {
  private readonly key: ObjectKey;

  constructor(
    private readonly client: KubeClient,
    namespace: string,
  ) {
    this.key = { name: registryName, namespace };
  }

  /** Reserves the topics of a set, and releases those that it no longer lists. */
  async reserve(set: TopicSet): Promise<Reservation> {
    const { live, owners } = await this.read();
    const { topics } = set.spec;
    const owner = keyOf(set);
    const taken = topics.find((topic) => (owners.get(topic) ?? owner) !== owner);
    if (taken !== undefined) return { taken, by: owners.get(taken) ?? '' };
    await this.write(live, owners, owner, topics);
    return { reserved: topics.length };
  }

  /** Releases all topics of a set. */
  async release(set: TopicSet): Promise<void> {
    const { live, owners } = await this.read();
    await this.write(live, owners, keyOf(set), []);
  }

  private async read(): Promise<{ readonly live: LiveObject; readonly owners: Owners }> {
    const live = await this.client.get(configMaps, this.key);
    if (!live) throw new Error(`the ConfigMap ${keyOf({ metadata: this.key })} is missing: apply manifests.yaml`);
    return { live, owners: new Map(Object.entries((live['data'] ?? {}) as Readonly<Record<string, string>>)) };
  }

  private async write(live: LiveObject, owners: Owners, owner: string, topics: readonly string[]): Promise<void> {
    const others = [...owners].filter(([, each]) => each !== owner);
    const isSame =
      owners.size === others.length + topics.length && topics.every((topic) => owners.get(topic) === owner);
    if (isSame) return;
    const data = Object.fromEntries([...others, ...topics.map((topic) => [topic, owner] as const)]);
    await this.client.update({ ...live, data });
  }
}
