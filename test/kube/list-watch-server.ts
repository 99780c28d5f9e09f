import {
  ApiError,
  type Clock,
  keyOf,
  type KubeClient,
  type ListPage,
  type ListSelection,
  type LiveObject,
  type Resource,
  type WatchEvent,
  type WatchSelection,
} from '../../lib/kube';

interface Watcher {
  readonly send: (event: WatchEvent) => void;
  readonly end: (error?: ApiError) => void;
  silent: boolean;
  readonly heldEvents: WatchEvent[];
}

/** One recorded request. */
export interface RecordedRequest {
  readonly verb: 'list' | 'watch';
  readonly at: number;
  readonly resourceVersion?: string | undefined;
  readonly continue?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
}

const bookmarkTime = 60_000;
const unsupported = (): never => {
  throw new Error('this server supports only list and watch');
};

/**
 * Lists and watches one resource as the API server does: pages of one version, 410, bookmarks, timeouts, silence. A
 * fake, because no real server lets a test choose the order of its messages or advance its clock.
 */
export class ListWatchServer implements KubeClient {
  readonly requests: RecordedRequest[] = [];
  /** Responses that replace those of the next requests. */
  readonly failures: ApiError[] = [];
  /** Whether streaming lists are supported. */
  supportsStreaming = true;
  readonly unlimited = this;
  private readonly objects = new Map<string, LiveObject>();
  private readonly snapshots = new Map<string, readonly LiveObject[]>();
  private readonly watchers = new Set<Watcher>();
  private history: WatchEvent[] = [];
  private version = 100;
  private oldest = 0;
  private uids = 0;
  private holding = false;

  constructor(
    private readonly clock: Clock,
    private readonly resource: Resource,
  ) {}

  /** Creates or updates an object and returns the response of the write. */
  put(name: string, value: unknown): LiveObject {
    const key = `default/${name}`;
    const present = this.objects.get(key);
    const object: LiveObject = {
      apiVersion: this.resource.apiVersion,
      kind: this.resource.kind,
      metadata: {
        name,
        namespace: 'default',
        uid: present?.metadata.uid ?? `uid-${(this.uids += 1)}`,
        resourceVersion: this.next(),
      },
      value,
    };
    this.objects.set(key, object);
    this.notify({ type: present ? 'MODIFIED' : 'ADDED', object });
    return object;
  }

  /** Deletes an object if it exists and returns its last state. */
  deleteObject(name: string): LiveObject | undefined {
    const present = this.objects.get(`default/${name}`);
    if (!present) return undefined;
    this.objects.delete(keyOf(present));
    const metadata = { ...present.metadata, resourceVersion: this.next() };
    this.notify({ type: 'DELETED', object: { ...present, metadata } });
    return present;
  }

  /** All objects, by key. */
  state(): Map<string, LiveObject> {
    return new Map(this.objects);
  }

  /** Compacts the history: earlier versions and continue tokens return 410. */
  compact(): void {
    this.oldest = this.version;
    this.history = [];
    this.snapshots.clear();
  }

  /** Silences the open watches, as behind a dead connection. */
  silence(): void {
    for (const watcher of this.watchers) watcher.silent = true;
  }

  /** Holds watch events, so that responses of writes arrive first. */
  hold(): void {
    this.holding = true;
  }

  /** Sends the held watch events, in order. */
  deliver(): void {
    this.holding = false;
    for (const watcher of [...this.watchers])
      for (const event of watcher.heldEvents.splice(0)) if (this.watchers.has(watcher)) watcher.send(event);
  }

  /** Ends the open watches, with an error or cleanly. */
  endWatches(error?: ApiError): void {
    for (const watcher of [...this.watchers]) watcher.end(error);
  }

  /** Sends a message of any type to the open watches. */
  sendRaw(event: WatchEvent): void {
    for (const watcher of [...this.watchers]) this.send(watcher, event);
  }

  /** Reverts to an earlier version, as after a restore from a backup. */
  restore(objects: readonly LiveObject[], version: number): void {
    this.version = version;
    this.history = [];
    this.objects.clear();
    for (const object of objects) this.objects.set(keyOf(object), object);
    this.endWatches(new ApiError(0, 'Unreachable', 'restarted'));
  }

  get openWatches(): number {
    return this.watchers.size;
  }

  async list(_: Resource, selection: ListSelection, options: { signal?: AbortSignal } = {}): Promise<ListPage> {
    this.requests.push({ verb: 'list', at: this.clock.now(), ...selection });
    await Promise.resolve();
    options.signal?.throwIfAborted();
    this.failNext();
    const [version, offset] = selection.continue?.split(':') ?? [String(this.version), '0'];
    if (version === undefined || offset === undefined) throw new ApiError(400, 'BadRequest', 'unknown continue token');
    if (selection.continue === undefined) this.snapshots.set(version, [...this.objects.values()]);
    const snapshot = this.snapshots.get(version);
    if (!snapshot) throw new ApiError(410, 'Expired', 'the continue token is too old');
    const end = Number(offset) + (selection.limit ?? snapshot.length);
    const page = { items: snapshot.slice(Number(offset), end), resourceVersion: version };
    if (end < snapshot.length) return { ...page, continue: `${version}:${end}` };
    this.snapshots.delete(version);
    return page;
  }

  async watch(
    _: Resource,
    selection: WatchSelection,
    onEvent: (event: WatchEvent) => void,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<void> {
    this.requests.push({ verb: 'watch', at: this.clock.now(), ...selection });
    await Promise.resolve();
    signal?.throwIfAborted();
    this.failNext();
    if (selection.sendInitialEvents && !this.supportsStreaming)
      throw new ApiError(422, 'Invalid', 'streaming is not supported');
    const from = Number(selection.resourceVersion ?? this.version);
    if (from < this.oldest) throw new ApiError(410, 'Expired', `too old: ${from}`);
    const initialEvents = selection.sendInitialEvents ? this.initial() : [];
    const missed = this.history.filter(({ object }) => Number(object.metadata.resourceVersion) > from);
    await this.follow([...initialEvents, ...missed], selection.timeoutSeconds ?? 300, onEvent, signal);
  }

  get = unsupported;
  create = unsupported;
  apply = unsupported;
  updateStatus = unsupported;
  update = unsupported;
  patch = unsupported;
  delete = unsupported;
  request = unsupported;

  close(): void {
    this.endWatches(new ApiError(0, 'Unreachable', 'closed'));
  }

  private follow(
    first: readonly WatchEvent[],
    seconds: number,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let cancelBookmark: () => void = () => undefined;
      const end = (error?: unknown): void => {
        this.watchers.delete(watcher);
        cancelEnd();
        cancelBookmark();
        signal?.removeEventListener('abort', onAbort);
        if (error === undefined) resolve();
        else reject(error);
      };
      const onAbort = (): void => end(signal?.reason);
      const send = (event: WatchEvent): void => {
        try {
          onEvent(event);
        } catch (error) {
          end(error);
        }
      };
      const watcher: Watcher = { send, end, silent: false, heldEvents: [] };
      const bookmark = (): void => {
        cancelBookmark = this.clock.after(bookmarkTime, bookmark);
        this.send(watcher, this.bookmark());
      };
      const cancelEnd = this.clock.after(seconds * 1000, () => (watcher.silent ? undefined : end()));
      cancelBookmark = this.clock.after(bookmarkTime, bookmark);
      signal?.addEventListener('abort', onAbort);
      this.watchers.add(watcher);
      for (const event of first) if (this.watchers.has(watcher)) send(event);
    });
  }

  private send(watcher: Watcher, event: WatchEvent): void {
    if (watcher.silent) return;
    if (this.holding) watcher.heldEvents.push(event);
    else watcher.send(event);
  }

  private initial(): WatchEvent[] {
    const added = Array.from(this.objects.values(), (object): WatchEvent => ({ type: 'ADDED', object }));
    return [...added, this.bookmark({ 'k8s.io/initial-events-end': 'true' })];
  }

  private bookmark(annotations: Readonly<Record<string, string>> = {}): WatchEvent {
    const { apiVersion, kind } = this.resource;
    const metadata = { name: '', uid: '', resourceVersion: String(this.version), annotations };
    return { type: 'BOOKMARK', object: { apiVersion, kind, metadata } };
  }

  private next(): string {
    this.version += 1;
    return String(this.version);
  }

  private notify(event: WatchEvent): void {
    this.history.push(event);
    this.sendRaw(event);
  }

  private failNext(): void {
    const refusal = this.failures.shift();
    if (refusal) throw refusal;
  }
}
