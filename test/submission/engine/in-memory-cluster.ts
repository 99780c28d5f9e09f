import {
  ApiError,
  keyOf,
  type KubeClient,
  type ListPage,
  type LiveObject,
  type ObjectKey,
  type RemoveOptions,
  type Resource,
  type SentObject,
  type WatchEvent,
  type WatchSelection,
} from '../../../lib/kube';

const refuse = (): never => {
  throw new Error('the server in memory does not do that');
};

/**
 * Stores the objects of a namespace with versions as preconditions, like the API server. Each client is a process
 * whose watch events can be held back. A double, because no real server lets a test choose that.
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
    const present = this.objects.get(key);
    if (verb === 'create' && present) throw new ApiError(409, 'AlreadyExists', `${key} exists`);
    if (verb === 'replace') {
      if (!present) throw new ApiError(404, 'NotFound', `${key} is not there`);
      if ((object.metadata as LiveObject['metadata']).resourceVersion !== present.metadata.resourceVersion)
        throw new ApiError(409, 'Conflict', `${key} was written`);
    }
    const text = JSON.stringify(object);
    if (text.length > 1_048_576) throw new ApiError(422, 'Invalid', 'Too long: may not be more than 1048576 bytes');
    const sent = JSON.parse(text) as LiveObject;
    const metadata = {
      ...sent.metadata,
      uid: present?.metadata.uid ?? `uid-${this.version}`,
      resourceVersion: this.next(),
    };
    const live = { ...sent, metadata };
    this.objects.set(key, live);
    this.notify({ type: present ? 'MODIFIED' : 'ADDED', object: live });
    return live;
  }

  remove(key: string): void {
    const present = this.objects.get(key);
    if (!present) return;
    this.objects.delete(key);
    this.notify({
      type: 'DELETED',
      object: { ...present, metadata: { ...present.metadata, resourceVersion: this.next() } },
    });
  }

  get resourceVersion(): string {
    return String(this.version);
  }

  private next(): string {
    return String((this.version += 1));
  }

  private notify(event: WatchEvent): void {
    for (const client of this.clients) client.hear(event);
  }
}

/** Returns the connection of one process. */
export class InMemoryClient implements KubeClient {
  readonly unlimited = this;
  private readonly held: WatchEvent[] = [];
  private holding = false;
  private onEvent: ((event: WatchEvent) => void) | undefined;

  constructor(private readonly home: InMemoryCluster) {}

  /** Whether watch events are held back until `deliver`. */
  hold(): void {
    this.holding = true;
  }

  deliver(): void {
    this.holding = false;
    for (const event of this.held.splice(0)) this.onEvent?.(event);
  }

  hear(event: WatchEvent): void {
    if (this.holding) this.held.push(event);
    else this.onEvent?.(event);
  }

  async list(): Promise<ListPage> {
    await Promise.resolve();
    return { items: [...this.home.objects.values()], resourceVersion: this.home.resourceVersion };
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
      for (const object of this.home.objects.values()) onEvent({ type: 'ADDED', object });
      const metadata = { name: '', uid: '', resourceVersion: this.home.resourceVersion, annotations };
      onEvent({ type: 'BOOKMARK', object: { apiVersion, kind, metadata } });
    }
    this.onEvent = onEvent;
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    this.onEvent = undefined;
  }

  async get(_: Resource, place: ObjectKey): Promise<LiveObject | undefined> {
    await Promise.resolve();
    return this.home.objects.get(`${place.namespace}/${place.name}`);
  }

  create(object: SentObject): Promise<LiveObject> {
    return this.home.write('create', object);
  }

  replace(object: SentObject): Promise<LiveObject> {
    return this.home.write('replace', object);
  }

  async remove(_: Resource, place: ObjectKey, options?: RemoveOptions): Promise<void> {
    await Promise.resolve(options);
    this.home.remove(`${place.namespace}/${place.name}`);
  }

  apply = refuse;
  replaceStatus = refuse;
  patch = refuse;
  request = refuse;
  close(): void {
    this.onEvent = undefined;
  }
}
