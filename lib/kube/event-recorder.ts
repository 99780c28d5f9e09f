import { ApiError, isApiError } from './api-error';
import { type Clock } from './clock';
import { type CountedEvent, EventCorrelator, type EventFacts } from './event-correlator';
import { type KubeClient } from './kube-client';
import { type LiveObject, type SentObject } from './live-object';
import { resourceOf } from './resource';
import { sleep } from './sleep';

/** Who records events, and how. */
export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Name of the program, shown by kubectl as the source. */
  readonly component: string;
  /** Which process of it, such as the name of its pod. @default - the component */
  readonly instance?: string;
  /** An event could not be sent, or had to be dropped because too many wait. @default - nothing happens */
  readonly onError?: (error: unknown) => void;
}

/** The object that an event is about. */
export type EventObject = Pick<LiveObject, 'apiVersion' | 'kind'> & {
  readonly metadata: Pick<LiveObject['metadata'], 'name' | 'namespace' | 'uid' | 'resourceVersion'>;
};

interface Waiting {
  readonly object: EventObject;
  readonly facts: EventFacts;
  readonly at: number;
}

/** Events that may wait to be sent, as in client-go. */
const maxWaiting = 1_000;
/** How often an event is sent that cannot be, and the wait between in milliseconds, as in client-go. */
const unreachable = { tries: 12, wait: 10_000 };
/** Bytes of a message. */
const maxMessage = 1_024;
/** Characters of a name, as Kubernetes bounds it. */
const maxName = 253;

/** Records core v1 Events in the background, one request at a time; no failure ever reaches the caller. */
export class EventRecorder {
  readonly #correlator = new EventCorrelator();
  readonly #waiting: Waiting[] = [];
  /** Objects to forget once nothing of theirs waits. */
  readonly #gone = new Set<string>();
  readonly #ending = new AbortController();
  #sending: Promise<void> | undefined;
  #sent = 0;
  #stopped = false;

  constructor(private readonly options: EventRecorderOptions) {}

  /** Objects that something is kept of, and events that wait. */
  get size(): number {
    return this.#correlator.size + this.#waiting.length;
  }

  /** Notes that something happened to an object; a message longer than 1024 bytes is cut. */
  record(object: EventObject, facts: EventFacts): void {
    if (this.#stopped) return;
    if (this.#waiting.length >= maxWaiting) {
      this.#report(new Error(`an event was dropped: ${maxWaiting} others wait`));
      return;
    }
    const { apiVersion, kind, metadata } = object;
    const { name, namespace, uid, resourceVersion } = metadata;
    // Only what names the object: the rest of it may be large, and may wait here for long.
    const named = { name, uid, resourceVersion, ...(namespace !== undefined && { namespace }) };
    const kept = { ...facts, message: cutBytes(facts.message, maxMessage) };
    this.#waiting.push({ object: { apiVersion, kind, metadata: named }, facts: kept, at: this.options.clock.now() });
    this.#sending ??= this.#sendAll();
  }

  /** Keeps nothing of an object that is gone, once its last events are sent. */
  forget(uid: string): void {
    if (this.#sending) this.#gone.add(uid);
    else this.#correlator.forget(uid);
  }

  /** Sends what waits, then ends; gives up what is left after some milliseconds. */
  async stop(patience = 5_000): Promise<void> {
    this.#stopped = true;
    const takeBack = this.options.clock.after(patience, () => {
      this.#waiting.length = 0;
      this.#ending.abort();
    });
    await this.#sending;
    takeBack();
  }

  async #sendAll(): Promise<void> {
    // The caller goes on first: recording costs it nothing.
    await Promise.resolve();
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      try {
        await this.#send(next);
      } catch (error) {
        this.#report(error);
      }
    }
    for (const uid of this.#gone) this.#correlator.forget(uid);
    this.#gone.clear();
    this.#sending = undefined;
  }

  async #send({ object, facts, at }: Waiting): Promise<void> {
    const { client } = this.options;
    const { signal } = this.#ending;
    const verdict = this.#correlator.judge(object.metadata.uid, facts, at);
    if (verdict.do === 'drop') return;
    const message = cutBytes(verdict.message, maxMessage);
    if (verdict.do === 'create') {
      const event = { name: this.#nameFor(object, at), first: at, count: 1 };
      await this.#create(this.#body(object, { ...facts, message }, event, at));
      verdict.created(event);
      return;
    }
    const { event } = verdict;
    const place = { name: event.name, namespace: namespaceOf(object) };
    const change = { count: event.count, lastTimestamp: seconds(at), message };
    try {
      await this.#patiently(() => client.patch(resourceOf('Event'), place, change, { signal }));
    } catch (error) {
      // The server deletes events after an hour: then it begins anew, with what was counted.
      if (!isApiError(error, 404)) throw error;
      await this.#create(this.#body(object, { ...facts, message }, event, at));
    }
  }

  async #create(event: SentObject): Promise<void> {
    const { client } = this.options;
    let tries = 0;
    await this.#patiently(async () => {
      tries += 1;
      try {
        await client.create(event, { signal: this.#ending.signal });
      } catch (error) {
        // The answer to the try before got lost, and not the event.
        if (tries === 1 || !isApiError(error, 409)) throw error;
      }
    });
  }

  /** Tries again while the server cannot be reached, as in client-go; a refusal is final. */
  async #patiently(send: () => Promise<unknown>): Promise<void> {
    const { clock } = this.options;
    for (let tries = 1; ; tries++) {
      try {
        await send();
        return;
      } catch (error) {
        const isUnreachable = error instanceof ApiError && error.reason === 'Unreachable';
        if (!isUnreachable || tries >= unreachable.tries) throw error;
        await sleep(clock, unreachable.wait * (0.5 + clock.random() / 2), this.#ending.signal);
      }
    }
  }

  #body(object: EventObject, { type, reason, message }: EventFacts, { name, first, count }: CountedEvent, at: number) {
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
      firstTimestamp: seconds(first),
      lastTimestamp: seconds(at),
      count,
    };
  }

  /** As client-go names them: the object's name and the time in hexadecimal nanoseconds, random below the millisecond. */
  #nameFor({ metadata }: EventObject, at: number): string {
    this.#sent += 1;
    const below = Math.floor(this.options.clock.random() * 1e6) ^ (this.#sent & 0xfff);
    const suffix = (BigInt(Math.floor(at)) * 1_000_000n + BigInt(below)).toString(16);
    // A name may not have a dot or dash before the next dot.
    const stem = metadata.name.slice(0, maxName - suffix.length - 1).replace(/[^a-z0-9]+$/, '');
    return `${stem}.${suffix}`;
  }

  #report(error: unknown): void {
    try {
      this.options.onError?.(error);
    } catch {
      // Events are told on the side: not even telling of their failure may stop them.
    }
  }
}

/** Events of objects without a namespace live in `default`, as kubectl expects. */
const namespaceOf = ({ metadata }: EventObject): string => metadata.namespace ?? 'default';

/** RFC 3339 in whole seconds, as Kubernetes writes it. */
const seconds = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** A text of at most so many bytes of UTF-8, cut between characters. */
function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most;
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}
