/** Content of an event, without its object. */
export interface EventContent {
  readonly type: 'Normal' | 'Warning';
  /** UpperCamelCase reason. */
  readonly reason: string;
  readonly message: string;
}

/** Event in the cluster; each equal event increases its count. */
export interface CountedEvent {
  readonly name: string;
  /** Time of the first occurrence, in milliseconds since 1970. */
  readonly first: number;
  count: number;
}

/** Decision on an event. */
export type CorrelateResult =
  | {
      readonly action: 'create';
      readonly message: string;
      /** Records the created event. */
      readonly created: (event: CountedEvent) => void;
    }
  | { readonly action: 'count'; readonly message: string; readonly event: CountedEvent }
  | { readonly action: 'drop' };

/** Spam filter of client-go's EventCorrelator: a burst of events per object, then one every 300 s. */
const spam = { burst: 25, refill: 300_000 };
/** Number of distinct messages within an interval in milliseconds after which similar events are combined, as in client-go. */
const similar = { messages: 10, interval: 600_000 };
/** Maximum objects with an event history, as in client-go. */
const maxObjects = 4_096;
/** Maximum groups (type and reason) per object. */
const maxGroups = 64;

interface Group {
  last: number;
  /** Distinct messages since the group started. */
  readonly messages: Set<string>;
  /** Events in the cluster by message; the combined one has the empty string as key. */
  readonly events: Map<string, CountedEvent>;
}

interface ObjectHistory {
  tokens: number;
  refilledAt: number;
  readonly groups: Map<string, Group>;
}

/**
 * Counts equal events, combines similar ones, and drops events of an object beyond a rate, as client-go does. It keeps the
 * history of at most 4096 objects.
 */
export class EventCorrelator {
  readonly #objects = new Map<string, ObjectHistory>();

  /** Number of objects with a history. */
  get size(): number {
    return this.#objects.size;
  }

  /** Decides on an event of an object at a time (milliseconds since 1970). */
  correlate(uid: string, content: EventContent, now: number): CorrelateResult {
    const history = this.#historyOf(uid, now);
    const group = groupOf(history, content, now);
    group.messages.add(content.message);
    const isCombined = group.messages.size >= similar.messages;
    // Only the number of distinct messages matters; keeping all of them would grow without bound.
    if (isCombined) group.messages.delete(group.messages.values().next().value ?? '');
    const message = isCombined ? `(combined from similar events): ${content.message}` : content.message;
    const key = isCombined ? '' : content.message;
    const existing = group.events.get(key);
    if (existing) existing.count += 1; // counted even if it is dropped: the next one sends the total
    if (!takeToken(history, now)) return { action: 'drop' };
    if (existing) return { action: 'count', message, event: existing };
    return { action: 'create', message, created: (event) => group.events.set(key, event) };
  }

  /** Removes the history of an object. */
  forget(uid: string): void {
    this.#objects.delete(uid);
  }

  #historyOf(uid: string, now: number): ObjectHistory {
    const history = this.#objects.get(uid) ?? { tokens: spam.burst, refilledAt: now, groups: new Map() };
    // A Map keeps insertion order, so its first entry is the least recently used.
    this.#objects.delete(uid);
    this.#objects.set(uid, history);
    if (this.#objects.size > maxObjects) this.#objects.delete(this.#objects.keys().next().value ?? '');
    return history;
  }
}

function groupOf(history: ObjectHistory, { type, reason }: EventContent, now: number): Group {
  const key = `${type}/${reason}`;
  let group = history.groups.get(key);
  if (!group) group = { last: now, messages: new Set(), events: new Map() };
  else if (now - group.last > similar.interval) {
    group.messages.clear();
    // Keeps the most recent of the events that were not combined.
    for (const message of group.events.keys()) if (group.events.size > similar.messages) group.events.delete(message);
  }
  group.last = now;
  history.groups.delete(key);
  history.groups.set(key, group);
  if (history.groups.size > maxGroups) history.groups.delete(history.groups.keys().next().value ?? '');
  return group;
}

function takeToken(history: ObjectHistory, now: number): boolean {
  history.tokens = Math.min(spam.burst, history.tokens + Math.max(0, now - history.refilledAt) / spam.refill);
  history.refilledAt = now;
  if (history.tokens < 1) return false;
  history.tokens -= 1;
  return true;
}
