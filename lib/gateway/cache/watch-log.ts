import { type CacheEvent } from './watch-event';

/** Bounds of the log of one resource. */
export interface WatchLogLimits {
  readonly events: number;
  readonly bytes: number;
}

/** Recent events of one resource, oldest first, from which a client that reconnects resumes. */
export class WatchLog {
  #events: CacheEvent[] = [];
  /** Index of the oldest event: the array is shortened only now and then. */
  #first = 0;
  #bytes = 0;
  #start = 0;

  constructor(private readonly limits: WatchLogLimits) {}

  /** Version after which all events are known. */
  get start(): number {
    return this.#start;
  }

  /** Number of events. */
  get size(): number {
    return this.#events.length - this.#first;
  }

  /** Bytes of their lines. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Forgets all events: a list at `version` took their place. */
  restart(version: number): void {
    this.#events = [];
    this.#first = this.#bytes = 0;
    this.#start = version;
  }

  /** Appends an event, and forgets the oldest ones beyond the bounds. */
  append(event: CacheEvent): void {
    this.#events.push(event);
    this.#bytes += event.frame.length;
    while (this.size > this.limits.events || (this.#bytes > this.limits.bytes && this.size > 1)) this.#forget();
    if (this.#first > 1_000 && this.#first * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Returns the events after a version; undefined if older ones than are known would be among them. */
  after(version: number): readonly CacheEvent[] | undefined {
    if (version < this.#start) return undefined;
    let [low, high] = [this.#first, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle] as CacheEvent).version > version) high = middle;
      else low = middle + 1;
    }
    return this.#events.slice(low);
  }

  #forget(): void {
    const oldest = this.#events[this.#first] as CacheEvent;
    this.#bytes -= oldest.frame.length;
    this.#start = oldest.version;
    this.#first += 1;
  }
}
