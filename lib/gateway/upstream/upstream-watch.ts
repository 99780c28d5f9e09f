import { type ClientRequest, type IncomingMessage } from 'node:http';
import { collectionPath } from '../../kube';
import { BackOff, type Clock, delay, errorText } from '../../process';
import { type CachedObject } from '../cache/cached-object';
import { groupResourceOf } from '../cache/cached-resource';
import { type ObjectCache } from '../cache/object-cache';
import { maxAge, maxSilence } from '../max-age';
import { type EventLine, readEventLine } from './event-line';
import { listInPages } from './list-in-pages';
import { readResponseLines } from './read-response-lines';
import { responseOf, type Upstream } from './upstream';
import {
  checkWatchStatus,
  FillNeeded,
  NoInitialEvents,
  ResourceGone,
  Silence,
  unsupportedStatuses,
} from './watch-failure';

/** Options of an upstream watch. */
export interface UpstreamWatchOptions {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly cache: ObjectCache;
  /** User agent, which the server's audit log shows. */
  readonly userAgent: string;
  /** Called for every failed watch. */
  readonly onError: (message: string) => void;
  /** Milliseconds without event and bookmark after which the cache is filled again. @default 70000 */
  readonly silence?: number;
}

/** Milliseconds by which the server may end a watch before its time without that meaning anything. */
const earlyEnd = 10_000;

type ChangeLine = Exclude<EventLine, { readonly type: 'BOOKMARK' | 'ERROR' }>;

/**
 * Keeps the cache of one resource equal to the API server, by one watch that begins with all objects, or follows a list
 * where the server has no such watches. It fills the cache again when the cache may differ: after silence, because a server that was
 * restored to an older state sends nothing to a watch from a newer one, and after a watch that ended early, because the
 * custom resource definition may have changed.
 */
export class UpstreamWatch {
  #listsFirst = false;
  /** Whether the next watch must begin with all objects; failures on the way do not change that. */
  #mustFill = true;

  constructor(private readonly options: UpstreamWatchOptions) {}

  /** Watches until the signal is aborted; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, cache } = this.options;
    const backOff = new BackOff(clock);
    while (!signal.aborted) {
      const startedAt = clock.now();
      try {
        await this.#follow(this.#mustFill ? undefined : cache.version, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#onFailure(error);
      }
      // A watch that lasted is not a failure, however it ended.
      if (clock.now() - startedAt > 30_000) backOff.reset();
      else await delay(clock, backOff.next(), signal);
    }
  }

  #onFailure(error: unknown): void {
    const { clock, cache, onError } = this.options;
    if (!(error instanceof Silence)) onError(`watch of ${groupResourceOf(cache.resource)}: ${errorText(error)}`);
    if (error instanceof NoInitialEvents) this.#listsFirst = true;
    if (error instanceof ResourceGone) cache.clear();
    else if (cache.ageAt(clock.now()) > maxAge) cache.endWatches(false);
    if (error instanceof FillNeeded || error instanceof ResourceGone) this.#mustFill = true;
  }

  /** Watches once, from a version, or from all objects without one; resolves when the server ends the watch in time. */
  async #follow(version: number | undefined, signal: AbortSignal): Promise<void> {
    if (version !== undefined || !this.#listsFirst) {
      await this.#watch(version, signal);
      return;
    }
    const { cache } = this.options;
    const list = await listInPages(cache.resource, (path) => this.#page(path, signal));
    this.#fill(list.objects, list.version);
    await this.#watch(list.version, signal);
  }

  #fill(objects: Iterable<CachedObject>, version: number): void {
    const { cache, clock } = this.options;
    cache.noteContact(clock.now());
    cache.replace(objects, version);
    this.#mustFill = false;
  }

  #page(path: string, signal: AbortSignal): Promise<Buffer> {
    const { clock, silence = maxSilence } = this.options;
    return this.#exchange(path, signal, async (request, response) => {
      const stopTimer = clock.after(silence, () => request.destroy(new Error(`no whole page within ${silence} ms`)));
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      } finally {
        stopTimer();
      }
    });
  }

  async #watch(version: number | undefined, signal: AbortSignal): Promise<void> {
    const { cache, clock } = this.options;
    const seconds = Math.floor(1_800 * (1 + clock.random()));
    const query = new URLSearchParams({
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: `${seconds}`,
      ...(version === undefined
        ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }
        : { resourceVersion: `${version}` }),
    });
    const startedAt = clock.now();
    await this.#exchange(
      `${collectionPath(cache.resource)}?${query.toString()}`,
      signal,
      (request, response) => this.#read(request, response, version === undefined),
      version === undefined ? unsupportedStatuses : [],
    );
    const lasted = clock.now() - startedAt;
    if (lasted < seconds * 1_000 - earlyEnd)
      throw new FillNeeded(`the server ended the watch after ${Math.round(lasted / 1_000)} of ${seconds} seconds`);
  }

  /** Sends a request and reads its response. */
  async #exchange<T>(
    path: string,
    signal: AbortSignal,
    read: (request: ClientRequest, response: IncomingMessage) => Promise<T>,
    unsupported: readonly number[] = [],
  ): Promise<T> {
    const { upstream, userAgent, clock, silence = maxSilence } = this.options;
    const headers = { accept: 'application/json', 'user-agent': userAgent };
    const request = await upstream.create({ method: 'GET', path, headers });
    // A request that is destroyed before it has a connection fails after all who await it.
    request.on('error', () => undefined);
    const abort = (): void => void request.destroy(new Error('stopped'));
    const stopTimer = clock.after(silence, () => request.destroy(new Error(`no response within ${silence} ms`)));
    signal.addEventListener('abort', abort, { once: true });
    try {
      // The signal may have been aborted while the credential was read.
      if (signal.aborted) throw new Error('stopped');
      const response = await responseOf(request);
      stopTimer();
      checkWatchStatus(response.statusCode ?? 0, unsupported);
      return await read(request, response);
    } finally {
      stopTimer();
      signal.removeEventListener('abort', abort);
      request.destroy();
    }
  }

  /** Applies all lines of a response; with `fills`, objects come first. */
  #read(request: ClientRequest, response: IncomingMessage, fills: boolean): Promise<void> {
    const { clock, silence = maxSilence, cache } = this.options;
    let initial = fills ? new Map<string, CachedObject>() : undefined;
    return readResponseLines(request, response, {
      clock,
      silence,
      onLine: (line) => void (initial = this.#apply(readEventLine(line, cache.resource), initial)),
    });
  }

  /** Applies a line; returns the initial objects as long as they are incomplete. */
  #apply(event: EventLine, initial: Map<string, CachedObject> | undefined): Map<string, CachedObject> | undefined {
    const { cache, clock } = this.options;
    if (event.type === 'ERROR') {
      if (event.code === 410) throw new FillNeeded(event.message);
      throw new Error(event.message);
    }
    if (initial) {
      if (event.type !== 'BOOKMARK') collect(event, initial);
      else if (event.endsInitialEvents) {
        this.#fill(initial.values(), event.version);
        return undefined;
      }
      return initial;
    }
    const version = event.type === 'BOOKMARK' ? event.version : event.object.version;
    if (version < (cache.version ?? 0)) throw new FillNeeded('the server returned to an earlier version');
    if (event.type === 'BOOKMARK') cache.advance(version);
    else cache.apply(event.type, event.object, event.frame);
    cache.noteContact(clock.now());
    return undefined;
  }
}

function collect({ type, object }: ChangeLine, initial: Map<string, CachedObject>): void {
  if (type === 'DELETED') initial.delete(object.key);
  else initial.set(object.key, object);
}
