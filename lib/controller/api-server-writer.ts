import { metadataKeys, type WorkloadKind } from '../api';
import { type KubernetesObject } from '../expand';
import {
  type EventRecorder,
  type KubeClient,
  type LiveObject,
  type ManagedFields,
  resourceOf,
  type Log,
  type SentObject,
} from '../client';
import { type Child, type Observed } from './observed/child';
import { childOf } from './observed/child-of';
import { type ClusterWriter } from './cluster-writer';
import { type InformerStores } from './observed/informer-stores';
import { type PodFacts } from './observed/pod-facts';
import { type EventDraft } from './report/report';
import { VersionHistories } from './version-histories';
import { type VersionHistory } from './version-history';
import { withoutContents } from './report/without-contents';

const revisions = resourceOf('ControllerRevision');

/** Thrown instead of sending a request after leadership was lost. */
export class NotLeadingError extends Error {
  override readonly name = 'NotLeadingError' as const;
}

/** Options of the writer. */
export interface ApiServerWriterOptions {
  readonly client: KubeClient;
  readonly stores: InformerStores;
  readonly recorder: EventRecorder;
  readonly log: Log;
  /** Returns whether this process may write; called before every request. */
  readonly isLeading: () => boolean;
  /** Whether to log requests instead of sending them. */
  readonly dryRun: boolean;
}

/** Writes to the API server; responses update the stores before the next reconcile. */
export class ApiServerWriter implements ClusterWriter {
  readonly #options: ApiServerWriterOptions;
  readonly #histories: VersionHistories;

  constructor(options: ApiServerWriterOptions) {
    this.#options = options;
    const { client, stores } = options;
    this.#histories = new VersionHistories(client, ({ kind, metadata: { namespace = '', name, uid } }) => {
      return stores.resource(kind as WorkloadKind, namespace, name)?.metadata.uid === uid;
    });
  }

  async apply(object: KubernetesObject, { force }: { readonly force: boolean }): Promise<Child | undefined> {
    if (this.#shouldSkip('apply', object.kind, object.metadata)) return undefined;
    const { client, stores, log } = this.#options;
    const { kind, metadata } = object;
    const response = await client.apply(object, { force }).catch((error: unknown) => {
      throw withoutContents(error, object);
    });
    stores.offer(response);
    log.debug('applied', { kind, namespace: metadata.namespace, name: metadata.name });
    const stored = stores.child(kind, metadata.namespace ?? '', metadata.name);
    return stored?.resourceVersion === response.metadata.resourceVersion ? stored : childOf(response);
  }

  async release(child: Child, managedFields: readonly ManagedFields[]): Promise<string> {
    const { kind, namespace, name, uid, resourceVersion } = child;
    if (this.#shouldSkip('release', kind, { namespace, name })) return resourceVersion;
    const patch = { metadata: { uid, resourceVersion, managedFields } };
    const response = await this.#options.client.patch(resourceOf(kind), { namespace, name }, patch);
    return response.metadata.resourceVersion;
  }

  async remove(
    { kind, namespace, name, uid, resourceVersion }: Child,
    propagation: 'Background' | 'Foreground' | 'Orphan',
  ): Promise<void> {
    if (this.#shouldSkip('delete', kind, { namespace, name })) return;
    await this.#options.client.delete(resourceOf(kind), { namespace, name }, { uid, resourceVersion, propagation });
    this.#options.log.info('deleted', { kind, namespace, name, propagation });
  }

  async removePod({ namespace, name, uid }: Pick<PodFacts, 'namespace' | 'name' | 'uid'>): Promise<void> {
    if (this.#shouldSkip('delete', 'Pod', { namespace, name })) return;
    await this.#options.client.delete(resourceOf('Pod'), { namespace, name }, { uid });
  }

  async removeResource({ kind, metadata }: LiveObject): Promise<void> {
    if (this.#shouldSkip('delete', kind, metadata)) return;
    const { uid, resourceVersion } = metadata;
    await this.#options.client.delete(resourceOf(kind), metadata, { uid, resourceVersion });
    this.#options.log.info('deleted', { kind, namespace: metadata.namespace, name: metadata.name, reason: 'expired' });
  }

  read(kind: string, namespace: string, name: string): Promise<LiveObject | undefined> {
    return this.#options.client.get(resourceOf(kind), { namespace, name });
  }

  history(resource: LiveObject, observed: Observed): Promise<VersionHistory> {
    return this.#histories.of(resource, observed);
  }

  async records({ metadata: { namespace, uid } }: LiveObject): Promise<readonly LiveObject[]> {
    const labelSelector = `${metadataKeys.verified}=${uid}`;
    const selection = { ...(namespace !== undefined && { namespace }), labelSelector };
    return (await this.#options.client.list(revisions, selection)).items;
  }

  async create(object: SentObject): Promise<LiveObject | undefined> {
    if (this.#shouldSkip('create', object.kind, object.metadata)) return undefined;
    return this.#options.client.create(object);
  }

  async removeRecord({ kind, metadata }: LiveObject): Promise<void> {
    if (this.#shouldSkip('delete', kind, metadata)) return;
    await this.#options.client.delete(revisions, metadata, { uid: metadata.uid });
  }

  async writeStatus(resource: LiveObject, status: Readonly<Record<string, unknown>>): Promise<void> {
    const { apiVersion, kind, metadata } = resource;
    if (this.#shouldSkip('report', kind, metadata)) return;
    const response = await this.#options.client.updateStatus({ ...resource, apiVersion, kind, metadata, status });
    this.#options.stores.offer(response);
  }

  recordEvents(resource: LiveObject, occurrences: readonly EventDraft[]): void {
    if (this.#options.dryRun) return;
    for (const { type, reason, message } of occurrences)
      this.#options.recorder.event(resource, { type, reason, message });
  }

  /** Drops the state of a deleted resource. */
  forget(uid: string): void {
    this.#histories.forget(uid);
    this.#options.recorder.forget(uid);
  }

  /** Returns whether to skip a request: a dry run only logs it. Throws a `NotLeadingError` if this process is not the leader. */
  #shouldSkip(
    verb: string,
    kind: string,
    { namespace, name }: { readonly namespace?: string | undefined; readonly name: string },
  ): boolean {
    const { dryRun, log, isLeading } = this.#options;
    if (dryRun) {
      log.info('dry run', { verb, kind, namespace, name });
      return true;
    }
    if (!isLeading()) throw new NotLeadingError(`lost leadership: did not ${verb} ${kind} ${name}`);
    return false;
  }
}
