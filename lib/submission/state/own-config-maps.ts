import { manager, recommended } from '../../api';
import { labelOf } from '../../expand';
import {
  listAllPages,
  SharedInformerFactory,
  resourceOf,
  type Clock,
  type KubeClient,
  type LiveObject,
  type SentObject,
  type SharedInformer,
  trimForCache,
} from '../../kube';

const component = 'submission';
const partLabel = recommended.component;
const projectLabel = recommended.partOf;
const configMaps = resourceOf('ConfigMap');
const ownLabel = `${recommended.name}=${component}`;
const indexers = {
  project: ({ metadata }: LiveObject) => [metadata.labels?.[projectLabel] ?? ''],
  part: ({ metadata }: LiveObject) => [metadata.labels?.[partLabel] ?? ''],
};

/** Dependencies of the state. */
export interface StateOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Namespace of the state, which only the service may write to. */
  readonly namespace: string;
  readonly onError: (error: unknown) => void;
}

/** Content of a ConfigMap of the service. */
interface OwnPart {
  readonly name: string;
  readonly part: 'approval' | 'deployment' | 'ledger';
  readonly project: string;
  readonly data: Readonly<Record<string, string>>;
}

/**
 * ConfigMaps of the service's own namespace, cached and from the API server.
 *
 * Every write has the version that was read as a precondition. This process sees its own writes at once, and those of
 * others as soon as the cache has them.
 */
export class OwnConfigMaps {
  private readonly informer: SharedInformer<LiveObject>;
  private readonly factory: SharedInformerFactory;
  private readonly listeners = new Set<(object: LiveObject) => void>();

  constructor(private readonly options: StateOptions) {
    const { client, clock, namespace, onError } = options;
    this.factory = new SharedInformerFactory({ client, clock, onError });
    this.informer = this.factory.informer({
      resource: configMaps,
      selection: { namespace, labelSelector: ownLabel },
      transform: trimForCache,
      indexers,
    });
    const notify = (object: LiveObject): void => {
      for (const listener of this.listeners) listener(object);
    };
    this.informer.addEventHandler({ onAdd: notify, onUpdate: (_, after) => notify(after), onDelete: notify });
  }

  /** Starts the cache; resolves when it is synced. */
  async start(signal?: AbortSignal): Promise<void> {
    this.factory.start();
    await this.factory.waitForCacheSync(signal);
  }

  stop(): Promise<void> {
    return this.factory.stop();
  }

  hasSynced(): boolean {
    return this.factory.hasSynced();
  }

  /** Calls a listener with each changed object; returns a function that unsubscribes. */
  onChange(listener: (object: LiveObject) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Returns a cached object. */
  known(name: string): LiveObject | undefined {
    return this.informer.store.get(`${this.options.namespace}/${name}`);
  }

  /** Returns all cached objects, or those of a project, unordered. */
  allKnown(project?: string): readonly LiveObject[] {
    if (project === undefined) return this.informer.store.list();
    return this.informer.store.byIndex('project', labelOf(project)).filter((object) => projectOf(object) === project);
  }

  /** Returns all cached objects of one part, unordered. */
  allOf(part: OwnPart['part']): readonly LiveObject[] {
    return this.informer.store.byIndex('part', part);
  }

  /** Reads an object from the API server, and updates the cache. */
  async read(name: string): Promise<LiveObject | undefined> {
    const { client, namespace } = this.options;
    const live = await client.get(configMaps, { name, namespace });
    if (live) this.informer.offer(live);
    return live;
  }

  /** Reads the objects of a project from the API server, unordered. */
  async readAll(project: string): Promise<readonly LiveObject[]> {
    const { client, namespace } = this.options;
    const labelSelector = `${ownLabel},${projectLabel}=${labelOf(project)}`;
    const found = await listAllPages(client, 'ConfigMap', { namespace, labelSelector });
    return found.filter((object) => projectOf(object) === project);
  }

  /**
   * Writes an object if it is unchanged since it was read as `before`; throws an `ApiError` with 409 or 404 otherwise.
   */
  async write(part: OwnPart, before: LiveObject | undefined): Promise<void> {
    const { client } = this.options;
    const object = this.object(part);
    const { uid, resourceVersion } = before?.metadata ?? {};
    const versioned = { ...object, metadata: { ...object.metadata, uid, resourceVersion } } as SentObject;
    // The watch delivers the ledger anyway; receiving it twice would be the most expensive part of the write.
    const options = { metadataOnly: true };
    const { metadata } = await (before ? client.update(versioned, options) : client.create(object, options));
    this.informer.offer({ ...object, metadata });
  }

  /** Deletes an object. */
  async remove(name: string): Promise<void> {
    const { client, namespace } = this.options;
    await client.delete(configMaps, { name, namespace });
  }

  private object({ name, part, project, data }: OwnPart): SentObject {
    const labels = {
      [recommended.name]: component,
      [recommended.managedBy]: manager,
      [partLabel]: part,
      [projectLabel]: labelOf(project),
    };
    const metadata = { name, namespace: this.options.namespace, labels, annotations: { [projectLabel]: project } };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  }
}

/** Returns the part of an object, from its label. */
export const partOf = (object: LiveObject): string | undefined => object.metadata.labels?.[partLabel];

/** Returns the project of an object. */
export const projectOf = (object: LiveObject): string => object.metadata.annotations?.[projectLabel] ?? '';

/** Returns the data of an object. */
export const dataOf = (object: LiveObject | undefined): Readonly<Record<string, string>> | undefined =>
  object?.['data'] as Readonly<Record<string, string>> | undefined;
