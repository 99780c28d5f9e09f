import {
  ApiError,
  keyOf,
  type KubeClient,
  type ListPage,
  type LiveObject,
  type ObjectKey,
  type DeleteOptions,
  type Resource,
  type SentObject,
  type WatchEvent,
  type WatchSelection,
} from '../../../lib/kube';

const notSupported = (): never => {
  throw new Error('the in-memory cluster does not support this');
};

/**
 * Stores the objects of a namespace with versions as preconditions, like the API server. Each client is a process
 * whose watch events can be held back. A test double, because a real server does not let a test delay its events.
 */
export class InMemoryCluster {
  readonly objects = new Map<string, LiveObject>();
  /** Called before each write, with its verb and the name of its object; an error thrown here is the response. */
  beforeWrite: (verb: string, name: string) => void | Promise<void> = () => undefined;
  private version = 100;
  private readonly clients = new Set<InMemoryClient>();

  client(): InMemoryClient {
    const client = new InMemoryClient(this);
    this.clients.add(client);
    return client;
  }

  async write(verb: 'create' | 'replace', object: SentObject): Promise<LiveObject> {
    await this.beforeWrite(verb, object.metadata.name);
    const key = keyOf(object as LiveObject);
    const existing = this.objects.get(key);
    if (verb === 'create' && existing) throw new ApiError(409, 'AlreadyExists', `${key} exists`);
    if (verb === 'replace') {
      if (!existing) throw new ApiError(404, 'NotFound', `${key} does not exist`);
      if ((object.metadata as LiveObject['metadata']).resourceVersion !== existing.metadata.resourceVersion)
        throw new ApiError(409, 'Conflict', `${key} was modified`);
    }
    const text = JSON.stringify(object);
    if (text.length > 1_048_576) throw new ApiError(422, 'Invalid', 'Too long: may not be more than 1048576 bytes');
    const sent = JSON.parse(text) as LiveObject;
    const metadata = {
      ...sent.metadata,
      uid: existing?.metadata.uid ?? `uid-${this.version}`,
      resourceVersion: this.next(),
    };
    const live = { ...sent, metadata };
    this.objects.set(key, live);
    this.notify({ type: existing ? 'MODIFIED' : 'ADDED', object: live });
    return live;
  }

  remove(key: string): void {
    const existing = this.objects.get(key);
    if (!existing) return;
    this.objects.delete(key);
    this.notify({
      type: 'DELETED',
      object: { ...existing, metadata: { ...existing.metadata, resourceVersion: this.next() } },
    });
  }

  get resourceVersion(): string {
    return String(this.version);
  }

  private next(): string {
    return String((this.version += 1));
  }

  private notify(event: WatchEvent): void {
    for (const client of this.clients) client.receive(event);
  }
}

/** Client of one process. */
export class InMemoryClient implements KubeClient {
  readonly unlimited = this;
  private readonly heldEvents: WatchEvent[] = [];
  private holding = false;
  private onEvent: ((event: WatchEvent) => void) | undefined;

  constructor(private readonly cluster: InMemoryCluster) {}

  /** Holds back watch events until `deliver`. */
  hold(): void {
    this.holding = true;
  }

  deliver(): void {
    this.holding = false;
    for (const event of this.heldEvents.splice(0)) this.onEvent?.(event);
  }

  receive(event: WatchEvent): void {
    if (this.holding) this.heldEvents.push(event);
    else this.onEvent?.(event);
  }

  async list(): Promise<ListPage> {
    await Promise.resolve();
    return { items: [...this.cluster.objects.values()], resourceVersion: this.cluster.resourceVersion };
  }

  async watch(
    { apiVersion, kind }: Resource,
    { sendInitialEvents }: WatchSelection,
    onEvent: (event: WatchEvent) => void,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<void> {
    await Promise.resolve();
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    if (sendInitialEvents) {
      for (const object of this.cluster.objects.values()) onEvent({ type: 'ADDED', object });
      const metadata = { name: '', uid: '', resourceVersion: this.cluster.resourceVersion, annotations };
      onEvent({ type: 'BOOKMARK', object: { apiVersion, kind, metadata } });
    }
    this.onEvent = onEvent;
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    this.onEvent = undefined;
  }

  async get(_: Resource, key: ObjectKey): Promise<LiveObject | undefined> {
    await Promise.resolve();
    return this.cluster.objects.get(`${key.namespace}/${key.name}`);
  }

  create(object: SentObject): Promise<LiveObject> {
    return this.cluster.write('create', object);
  }

  update(object: SentObject): Promise<LiveObject> {
    return this.cluster.write('replace', object);
  }

  async delete(_: Resource, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    await Promise.resolve(options);
    this.cluster.remove(`${key.namespace}/${key.name}`);
  }

  apply = notSupported;
  updateStatus = notSupported;
  patch = notSupported;
  request = notSupported;
  close(): void {
    this.onEvent = undefined;
  }
}
