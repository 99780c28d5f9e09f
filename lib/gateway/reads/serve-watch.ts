import { type ServerResponse } from 'node:http';
import { type Clock } from '../../kube';
import { type CachedObject } from '../cache/cached-object';
import { type CacheEvent, frameOf, selectedFrame } from '../cache/watch-event';
import { type ObjectCache } from '../cache/object-cache';
import { type ObjectSelection } from '../cache/object-selection';
import { type WatchPlan } from '../requests/read-plan';
import { type ApiStatus, expiredVersion, statusBody } from './api-status';
import { cachedHeaders } from './cached-headers';
import { sendBlocks, whenRead } from './send-blocks';
import { initialEventsEnd } from '../upstream/event-line';

/** Bytes of events that may wait for a slow client; beyond, its watch ends, and the client resumes from its last version. */
const maxPendingBytes = 8 * 1_024 * 1_024;
/** Milliseconds between the bookmarks of a watch, as at the API server. */
const bookmarkInterval = 60_000;
/** Seconds after which a watch ends by itself, at random from this to twice as many, as at the API server. */
const defaultTimeoutSeconds = 1_800;

/** Watch of one client, until it, the server or a time-out ends it. */
export class ServedWatch {
  /** Called once, when the watch is over. */
  onEnd: () => void = () => undefined;
  /** Resolves when the client has read all that precedes the events to come, or is gone. */
  readonly whenStarted: Promise<void>;
  #stopFollowing: () => void = () => undefined;
  #isOver = false;
  /** Whether the client has yet to read what precedes the queue. */
  #isSending = false;
  /** Lines that wait for the client; those of most events are shared by all watches. */
  readonly #queue: Buffer[] = [];
  #queuedBytes = 0;

  /** Starts the watch: sends the objects or events that are due, then each event as it comes. */
  constructor(
    private readonly response: ServerResponse,
    private readonly cache: ObjectCache,
    private readonly plan: WatchPlan,
    private readonly clock: Clock,
  ) {
    response.writeHead(200, cachedHeaders(cache, clock));
    // An empty watch is an answer, too.
    response.flushHeaders();
    response.once('close', () => this.end());
    const lines = this.#firstLines();
    if (lines) this.#follow();
    this.whenStarted = lines ? this.#send(lines) : Promise.resolve();
  }

  /** Whether the watch has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends the watch; with an error, its last event says so. */
  end(status?: ApiStatus): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopFollowing();
    if (status) this.response.write(frameOf('ERROR', Buffer.from(statusBody(status).trimEnd())));
    this.response.end();
    this.onEnd();
  }

  /** Returns the lines that precede the events to come; ends the watch, and returns undefined, if they are not known. */
  #firstLines(): Iterable<Buffer> | undefined {
    const { plan, cache } = this;
    if (plan.initial) {
      const end = plan.initial.endBookmark ? this.#bookmark({ [initialEventsEnd]: 'true' }) : undefined;
      // Taken at once: the cache changes while they are sent.
      return linesOf([...cache.list(plan.selection)], end);
    }
    const events = cache.eventsAfter(plan.after);
    if (!events) this.end(expiredVersion(plan.after, cache.oldestVersion));
    return events && selectedLines(events, plan.selection);
  }

  /** Sends lines as fast as the client reads, then those that were queued in the meantime. */
  async #send(lines: Iterable<Buffer>): Promise<void> {
    const { response, clock } = this;
    this.#isSending = true;
    if (response.writableNeedDrain) await whenRead(response, 'drain', clock);
    await sendBlocks(response, lines, clock);
    while (this.#queue.length > 0 && !this.#isOver) await sendBlocks(response, this.#queuedLines(), clock);
    this.#isSending = false;
  }

  *#queuedLines(): Generator<Buffer> {
    for (let line = this.#queue.shift(); line; line = this.#queue.shift()) {
      this.#queuedBytes -= line.length;
      yield line;
    }
  }

  /** Sends a line, after those that wait. */
  #write(line: Buffer | undefined): void {
    if (!line || this.#isOver) return;
    if (!this.#isSending) {
      if (!this.response.write(line)) void this.#send([]);
      return;
    }
    this.#queue.push(line);
    this.#queuedBytes += line.length;
    if (this.#queuedBytes > maxPendingBytes) this.response.destroy();
  }

  #follow(): void {
    const { clock, plan, cache } = this;
    const seconds = plan.timeoutSeconds ?? defaultTimeoutSeconds * (1 + clock.random());
    const stops = [
      cache.subscribe({ onEvent: (event) => this.#onEvent(event), onEnd: (expired) => this.#onEnd(expired) }),
      clock.after(seconds * 1_000, () => this.#onTimeout()),
    ];
    if (plan.bookmarks) stops.push(this.#sendBookmarks());
    this.#stopFollowing = () => {
      for (const stop of stops) stop();
    };
  }

  #onEvent(event: CacheEvent): void {
    // A watch from a version that is still to come.
    if (event.version > this.plan.after) this.#write(selectedFrame(event, this.plan.selection));
  }

  /** The client resumes from its last version, or lists again if the next events do not follow the previous ones. */
  #onEnd(expired: boolean): void {
    const message = 'The resourceVersion for the provided watch is too old.';
    this.end(expired ? { code: 410, reason: 'Expired', message } : undefined);
  }

  #onTimeout(): void {
    if (this.plan.bookmarks) this.#write(this.#bookmark());
    this.end();
  }

  #sendBookmarks(): () => void {
    let cancel = (): void => undefined;
    const next = (): void => {
      cancel = this.clock.after(bookmarkInterval, () => {
        this.#write(this.#bookmark());
        next();
      });
    };
    next();
    return () => cancel();
  }

  /** Returns a bookmark of the cache's version; undefined before the version that the client has. */
  #bookmark(annotations?: Readonly<Record<string, string>>): Buffer | undefined {
    const { resource, version } = this.cache;
    if (version === undefined || version < this.plan.after) return undefined;
    const { apiVersion, kind } = resource;
    const object = {
      kind,
      apiVersion,
      metadata: { resourceVersion: `${version}`, ...(annotations && { annotations }) },
    };
    return frameOf('BOOKMARK', Buffer.from(JSON.stringify(object)));
  }
}

/** Yields the lines of the initial objects, and the bookmark that ends them. */
function* linesOf(objects: readonly CachedObject[], end: Buffer | undefined): Generator<Buffer> {
  for (const { json } of objects) yield frameOf('ADDED', json);
  if (end) yield end;
}

/** Yields the lines that a selection receives for events. */
function* selectedLines(events: readonly CacheEvent[], selection: ObjectSelection): Generator<Buffer> {
  for (const event of events) {
    const line = selectedFrame(event, selection);
    if (line) yield line;
  }
}
