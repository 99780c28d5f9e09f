import { ApiError, isApiError } from '../transport/api-error';
import { type Clock } from '../../process';
import { type CountedEvent, EventCorrelator, type EventContent } from './event-correlator';
import { type KubeClient } from '../client/kube-client';
import { type LiveObject, type SentObject } from '../objects/live-object';
import { resourceOf } from '../objects/resource';
import { sleep } from '../client/sleep';

/** Options of an event recorder. */
export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Name of the program, which kubectl shows as the source. */
  readonly component: string;
  /** Name of the process, such as its pod. @default - the component */
  readonly instance?: string;
  /** Called when an event cannot be sent, or is dropped because the queue is full. @default - none */
  readonly onError?: (error: unknown) => void;
}

/** Object of an event. */
export type EventObject = Pick<LiveObject, 'apiVersion' | 'kind'> & {
  readonly metadata: Pick<LiveObject['metadata'], 'name' | 'namespace' | 'uid' | 'resourceVersion'>;
};

interface QueuedEvent {
  readonly object: EventObject;
  readonly content: EventContent;
  readonly at: number;
}

/** Maximum queued events, as in client-go. */
const maxQueued = 1_000;
/** Attempts to send an event while the server is unreachable, and the milliseconds between them, as in client-go. */
const retries = { attempts: 12, interval: 10_000 };
/** Maximum bytes of a message. */
const maxMessage = 1_024;
/** Maximum characters of an object name. */
const maxName = 253;

/** Records core v1 Events in the background, one request at a time; failures never reach the caller. */
export class EventRecorder {
  readonly #correlator = new EventCorrelator();
  readonly #queue: QueuedEvent[] = [];
  /** Objects to forget once their events are sent. */
  readonly #deleted = new Set<string>();
  readonly #ending = new AbortController();
  #sending: Promise<void> | undefined;
  #sent = 0;
  #stopped = false;

  constructor(private readonly options: EventRecorderOptions) {}

  /** Number of objects with a history and of queued events. */
  get size(): number {
    return this.#correlator.size + this.#queue.length;
  }

  /** Records an event; a message longer than 1024 bytes is truncated. */
  event(object: EventObject, content: EventContent): void {
    if (this.#stopped) return;
    if (this.#queue.length >= maxQueued) {
      this.#report(new Error(`event dropped: ${maxQueued} events are queued`));
      return;
    }
    const { apiVersion, kind, metadata } = object;
    const { name, namespace, uid, resourceVersion } = metadata;
    // Only the identity of the object, because the rest may be large and queued for long.
    const named = { name, uid, resourceVersion, ...(namespace !== undefined && { namespace }) };
    const truncated = { ...content, message: truncateBytes(content.message, maxMessage) };
    this.#queue.push({
      object: { apiVersion, kind, metadata: named },
      content: truncated,
      at: this.options.clock.now(),
    });
    this.#sending ??= this.#sendAll();
  }

  /** Removes the history of a deleted object, once its last events are sent. */
  forget(uid: string): void {
    if (this.#sending) this.#deleted.add(uid);
    else this.#correlator.forget(uid);
  }

  /** Sends the queued events, then stops; drops the rest after `timeout` milliseconds. */
  async stop(timeout = 5_000): Promise<void> {
    this.#stopped = true;
    const cancel = this.options.clock.after(timeout, () => {
      this.#queue.length = 0;
      this.#ending.abort();
    });
    await this.#sending;
    cancel();
  }

  async #sendAll(): Promise<void> {
    // Let the caller continue first, so that recording costs it nothing.
    await Promise.resolve();
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      try {
        await this.#send(next);
      } catch (error) {
        this.#report(error);
      }
    }
    for (const uid of this.#deleted) this.#correlator.forget(uid);
    this.#deleted.clear();
    this.#sending = undefined;
  }

  async #send({ object, content, at }: QueuedEvent): Promise<void> {
    const { client } = this.options;
    const { signal } = this.#ending;
    const decision = this.#correlator.correlate(object.metadata.uid, content, at);
    if (decision.action === 'drop') return;
    const message = truncateBytes(decision.message, maxMessage);
    if (decision.action === 'create') {
      const event = { name: this.#nameFor(object, at), first: at, count: 1 };
      await this.#create(this.#body(object, { ...content, message }, event, at));
      decision.created(event);
      return;
    }
    const { event } = decision;
    const key = { name: event.name, namespace: namespaceOf(object) };
    const patch = { count: event.count, lastTimestamp: formatTime(at), message };
    try {
      await this.#retryUnreachable(() => client.patch(resourceOf('Event'), key, patch, { signal }));
    } catch (error) {
      // The server deletes events after an hour; the new one keeps the count.
      if (!isApiError(error, 404)) throw error;
      await this.#create(this.#body(object, { ...content, message }, event, at));
    }
  }

  async #create(event: SentObject): Promise<void> {
    const { client } = this.options;
    let attempt = 0;
    await this.#retryUnreachable(async () => {
      attempt += 1;
      try {
        await client.create(event, { signal: this.#ending.signal });
      } catch (error) {
        // The previous attempt succeeded and only its response was lost.
        if (attempt === 1 || !isApiError(error, 409)) throw error;
      }
    });
  }

  /** Retries while the server is unreachable, as in client-go; any other error is final. */
  async #retryUnreachable(send: () => Promise<unknown>): Promise<void> {
    const { clock } = this.options;
    for (let attempt = 1; ; attempt++) {
      try {
        await send();
        return;
      } catch (error) {
        const isUnreachable = error instanceof ApiError && error.reason === 'Unreachable';
        if (!isUnreachable || attempt >= retries.attempts) throw error;
        await sleep(clock, retries.interval * (0.5 + clock.random() / 2), this.#ending.signal);
      }
    }
  }

  #body(
    object: EventObject,
    { type, reason, message }: EventContent,
    { name, first, count }: CountedEvent,
    at: number,
  ) {
    const { component, instance = component } = this.options;
    const { apiVersion, kind, metadata } = object;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: namespaceOf(object) },
      involvedObject: { apiVersion, kind, ...metadata },
      type,
      reason,
      message,
      source: { component },
      reportingComponent: component,
      reportingInstance: instance,
      firstTimestamp: formatTime(first),
      lastTimestamp: formatTime(at),
      count,
    };
  }

  /** Returns an event name as in client-go: the object's name and the time in hexadecimal nanoseconds, random below the millisecond. */
  #nameFor({ metadata }: EventObject, at: number): string {
    this.#sent += 1;
    const subMillisecond = Math.floor(this.options.clock.random() * 1e6) ^ (this.#sent & 0xfff);
    const suffix = (BigInt(Math.floor(at)) * 1_000_000n + BigInt(subMillisecond)).toString(16);
    // No label of a name may end with a dash.
    const prefix = metadata.name.slice(0, maxName - suffix.length - 1).replace(/[^a-z0-9]+$/, '');
    return `${prefix}.${suffix}`;
  }

  #report(error: unknown): void {
    try {
      this.options.onError?.(error);
    } catch {
      // A failing error handler must not stop the recorder.
    }
  }
}

/** Returns the namespace of an event: `default` for cluster-scoped objects, as kubectl expects. */
const namespaceOf = ({ metadata }: EventObject): string => metadata.namespace ?? 'default';

/** Formats a time as RFC 3339 in whole seconds, as Kubernetes does. */
const formatTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** Truncates a string to a number of UTF-8 bytes, between characters. */
function truncateBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // Bytes of the form 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}
