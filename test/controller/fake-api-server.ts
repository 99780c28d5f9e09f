import { isDeepStrictEqual } from 'node:util';
import {
  ApiError,
  type KubeClient,
  type ListPage,
  type LiveObject,
  type ObjectKey,
  type Resource,
  type SentObject,
  type WatchEvent,
} from '../../lib/kube';

interface Watcher {
  readonly kind: string;
  readonly send: (event: WatchEvent) => void;
}

/** A write request, successful or not. */
export interface WriteRequest {
  readonly verb: 'apply' | 'status' | 'delete' | 'event' | 'create';
  readonly kind: string;
  readonly name: string;
}

const keyOf = (kind: string, { namespace, name }: ObjectKey): string => `${kind}/${namespace ?? ''}/${name}`;

/**
 * Stores and watches objects of all kinds like the API server, without defaults, schemas or garbage collection. A
 * fake, because no real server lets a test choose which request fails and which events arrive together.
 */
export class FakeApiServer implements KubeClient {
  readonly written: WriteRequest[] = [];
  readonly unlimited = this;
  /** Returns the error of a request; undefined to process it. */
  failWith: (verb: string, kind: string, name: string) => ApiError | undefined = () => undefined;
  /** Delays a request until the test releases it. */
  delay: (verb: string, kind: string, name: string) => Promise<void> = () => Promise.resolve();
  private readonly objects = new Map<string, LiveObject>();
  private readonly watchers = new Set<Watcher>();
  private readonly heldBack = new Map<string, WatchEvent[]>();
  private version = 100;
  private uids = 0;

  /** Writes an object as another client, including its status, and returns it. */
  put(input: object): LiveObject {
    const object = input as LiveObject;
    const present = this.objects.get(keyOf(object.kind, object.metadata));
    const changed = !present || !isDeepStrictEqual(present['spec'], object['spec']);
    const metadata = {
      ...object.metadata,
      uid: present?.metadata.uid ?? `uid-${(this.uids += 1)}`,
      resourceVersion: this.next(),
      generation: (present?.metadata.generation ?? 0) + (changed ? 1 : 0),
      creationTimestamp: object.metadata.creationTimestamp ?? '2026-01-01T00:00:00Z',
    };
    return this.storeObject({ ...object, metadata }, present !== undefined);
  }

  /** Returns the kinds with an open watch. */
  watchedKinds(): ReadonlySet<string> {
    return new Set([...this.watchers].map(({ kind }) => kind));
  }

  /** Deletes an object as another client. */
  removeObject(kind: string, namespace: string, name: string): void {
    const key = keyOf(kind, { namespace, name });
    const present = this.objects.get(key);
    if (!present) return;
    this.objects.delete(key);
    const metadata = { ...present.metadata, resourceVersion: this.next() };
    this.notify({ type: 'DELETED', object: { ...present, metadata } });
  }

  /** Holds back the watch events of a kind until the returned function is called. */
  holdBack(kind: string): () => void {
    const pendingEvents: WatchEvent[] = [];
    this.heldBack.set(kind, pendingEvents);
    return () => {
      this.heldBack.delete(kind);
      for (const event of pendingEvents) this.notify(event);
    };
  }

  /** Returns the current state of an object. */
  find(kind: string, namespace: string, name: string): LiveObject | undefined {
    return this.objects.get(keyOf(kind, { namespace, name }));
  }

  async get({ kind }: Resource, key: ObjectKey): Promise<LiveObject | undefined> {
    await this.beforeRequest('get', kind, key.name);
    return this.objects.get(keyOf(kind, key));
  }

  async list({ kind }: Resource): Promise<ListPage> {
    await this.beforeRequest('list', kind, '');
    const items = [...this.objects.values()].filter((object) => object.kind === kind);
    return { items, resourceVersion: `${this.version}` };
  }

  async watch(
    { kind, apiVersion }: Resource,
    { sendInitialEvents = false }: { readonly sendInitialEvents?: boolean },
    onEvent: (event: WatchEvent) => void,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    await this.beforeRequest('watch', kind, '');
    if (signal?.aborted) return;
    if (sendInitialEvents) {
      for (const object of this.objects.values()) if (object.kind === kind) onEvent({ type: 'ADDED', object });
      const annotations = { 'k8s.io/initial-events-end': 'true' };
      const metadata = { name: '', uid: '', resourceVersion: `${this.version}`, annotations };
      onEvent({ type: 'BOOKMARK', object: { apiVersion, kind, metadata } });
    }
    const watcher = { kind, send: onEvent };
    this.watchers.add(watcher);
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
    this.watchers.delete(watcher);
  }

  async create(sent: SentObject): Promise<LiveObject> {
    await this.beforeRequest('create', sent.kind, sent.metadata.name);
    const isEvent = sent.kind === 'Event';
    this.written.push({
      verb: isEvent ? 'event' : 'create',
      kind: sent.kind,
      name: isEvent ? String(sent['reason']) : sent.metadata.name,
    });
    if (this.objects.has(keyOf(sent.kind, sent.metadata))) throw new ApiError(409, 'AlreadyExists', 'it exists');
    return this.put(sent);
  }

  async apply(sent: SentObject): Promise<LiveObject> {
    const { kind, metadata } = sent;
    await this.beforeRequest('apply', kind, metadata.name);
    this.written.push({ verb: 'apply', kind, name: metadata.name });
    const present = this.objects.get(keyOf(kind, metadata));
    const { resourceVersion, uid } = metadata as Partial<LiveObject['metadata']>;
    if ((resourceVersion ?? present?.metadata.resourceVersion) !== present?.metadata.resourceVersion)
      throw new ApiError(409, 'Conflict', 'the object has been modified');
    if ((uid ?? present?.metadata.uid) !== present?.metadata.uid)
      throw new ApiError(409, 'Conflict', 'the UID differs');
    return this.put({ ...present, ...sent });
  }

  async updateStatus(sent: SentObject): Promise<LiveObject> {
    const { kind, metadata } = sent;
    await this.beforeRequest('status', kind, metadata.name);
    this.written.push({ verb: 'status', kind, name: metadata.name });
    const present = this.objects.get(keyOf(kind, metadata));
    if (!present) throw new ApiError(404, 'NotFound', `${kind} ${metadata.name} not found`);
    if (present.metadata.resourceVersion !== (metadata as LiveObject['metadata']).resourceVersion)
      throw new ApiError(409, 'Conflict', 'the object has been modified');
    return this.put({ ...present, status: sent['status'] });
  }

  async patch({ kind }: Resource, key: ObjectKey): Promise<LiveObject> {
    await this.beforeRequest('patch', kind, key.name);
    throw new ApiError(404, 'NotFound', 'patch is not supported');
  }

  async delete({ kind }: Resource, key: ObjectKey): Promise<void> {
    await this.beforeRequest('delete', kind, key.name);
    this.written.push({ verb: 'delete', kind, name: key.name });
    this.removeObject(kind, key.namespace ?? '', key.name);
  }

  update(): Promise<never> {
    throw new Error('replace is not supported');
  }

  request(): Promise<never> {
    throw new Error('other requests are not supported');
  }

  close(): void {
    this.watchers.clear();
  }

  private async beforeRequest(verb: string, kind: string, name: string): Promise<void> {
    await this.delay(verb, kind, name);
    const error = this.failWith(verb, kind, name);
    if (error) throw error;
  }

  private storeObject(object: LiveObject, existed: boolean): LiveObject {
    this.objects.set(keyOf(object.kind, object.metadata), object);
    this.notify({ type: existed ? 'MODIFIED' : 'ADDED', object });
    return object;
  }

  private notify(event: WatchEvent): void {
    const heldBack = this.heldBack.get(event.object.kind);
    if (heldBack) return void heldBack.push(event);
    for (const { kind, send } of [...this.watchers]) if (kind === event.object.kind) send(event);
  }

  private next(): string {
    return `${(this.version += 1)}`;
  }
}
