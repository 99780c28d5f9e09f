import { manager, recommended } from '../../api';
import { labelOf } from '../../expand';
import {
  listAllPages,
  InformerFactory,
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
const ours = `${recommended.name}=${component}`;
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

/** What a ConfigMap of the service holds. */
interface OwnPart {
  readonly name: string;
  readonly part: 'approval' | 'deployment' | 'ledger';
  readonly project: string;
  readonly data: Readonly<Record<string, string>>;
}

/**
 * ConfigMaps of the service's own namespace, as a mirror knows them and as the API server does.
 *
 * Every write has the version that was read as precondition. What was written by this process is seen by it at once; what
 * others write, as soon as the mirror has it.
 */
export class OwnConfigMaps {
  private readonly mirror: SharedInformer<LiveObject>;
  private readonly factory: InformerFactory;
  private readonly listeners = new Set<(object: LiveObject) => void>();

  constructor(private readonly options: StateOptions) {
    const { client, clock, namespace, onError } = options;
    this.factory = new InformerFactory({ client, clock, onError });
    this.mirror = this.factory.informer({
      resource: configMaps,
      selection: { namespace, labelSelector: ours },
      transform: trimForCache,
      indexers,
    });
    const heard = (object: LiveObject): void => {
      for (const listener of this.listeners) listener(object);
    };
    this.mirror.addHandler({ added: heard, updated: (_, after) => heard(after), deleted: heard });
  }

  /** Starts the mirror; fulfilled when it holds everything. */
  async start(signal?: AbortSignal): Promise<void> {
    this.factory.start();
    await this.factory.waitForSync(signal);
  }

  stop(): Promise<void> {
    return this.factory.stop();
  }

  hasSynced(): boolean {
    return this.factory.hasSynced();
  }

  /** Calls back with each one that changes; gives what ends that. */
  onChange(listener: (object: LiveObject) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** One as the mirror has it. */
  known(name: string): LiveObject | undefined {
    return this.mirror.store.get(`${this.options.namespace}/${name}`);
  }

  /** All of them, or those of a project, as the mirror has them, in no order. */
  allKnown(project?: string): readonly LiveObject[] {
    if (project === undefined) return this.mirror.store.list();
    return this.mirror.store.byIndex('project', labelOf(project)).filter((object) => projectOf(object) === project);
  }

  /** All that hold one part, as the mirror has them, in no order. */
  allOf(part: OwnPart['part']): readonly LiveObject[] {
    return this.mirror.store.byIndex('part', part);
  }

  /** One as the API server has it, which the mirror then knows too. */
  async read(name: string): Promise<LiveObject | undefined> {
    const { client, namespace } = this.options;
    const live = await client.get(configMaps, { name, namespace });
    if (live) this.mirror.offer(live);
    return live;
  }

  /** Those of a project as the API server has them, in no order. */
  async readAll(project: string): Promise<readonly LiveObject[]> {
    const { client, namespace } = this.options;
    const labelSelector = `${ours},${projectLabel}=${labelOf(project)}`;
    const found = await listAllPages(client, 'ConfigMap', { namespace, labelSelector });
    return found.filter((object) => projectOf(object) === project);
  }

  /** Writes one where it is still as it was read `before`; throws an `ApiError` of 409 or 404 where it is not. */
  async write(part: OwnPart, before: LiveObject | undefined): Promise<void> {
    const { client } = this.options;
    const object = this.object(part);
    const { uid, resourceVersion } = before?.metadata ?? {};
    const versioned = { ...object, metadata: { ...object.metadata, uid, resourceVersion } } as SentObject;
    // A ledger comes back from the watch anyway; twice would be the dearest part of the write.
    const options = { metadataOnly: true };
    const { metadata } = await (before ? client.replace(versioned, options) : client.create(object, options));
    this.mirror.offer({ ...object, metadata });
  }

  /** Removes one for good. */
  async remove(name: string): Promise<void> {
    const { client, namespace } = this.options;
    await client.remove(configMaps, { name, namespace });
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

/** What one holds, as it was named when it was written. */
export const partOf = (object: LiveObject): string | undefined => object.metadata.labels?.[partLabel];

/** The project that one belongs to. */
export const projectOf = (object: LiveObject): string => object.metadata.annotations?.[projectLabel] ?? '';

/** Texts that one holds. */
export const dataOf = (object: LiveObject | undefined): Readonly<Record<string, string>> | undefined =>
  object?.['data'] as Readonly<Record<string, string>> | undefined;
