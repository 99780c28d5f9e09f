/** What an event says, apart from the object that it is about. */
export interface EventFacts {
  readonly type: 'Normal' | 'Warning';
  /** One word for programs. */
  readonly reason: string;
  readonly message: string;
}

/** An event that is in the cluster: a later equal one is counted there. */
export interface CountedEvent {
  readonly name: string;
  /** When the first of them happened, in milliseconds since 1970. */
  readonly first: number;
  count: number;
}

/** What to do about an event. */
export type Verdict =
  | {
      readonly do: 'create';
      readonly message: string;
      /** Notes under which name it was created. */
      readonly created: (event: CountedEvent) => void;
    }
  | { readonly do: 'count'; readonly message: string; readonly event: CountedEvent }
  | { readonly do: 'drop' };

/** Numbers of client-go's EventCorrelator: events of an object at once, then one each 300 s. */
const spam = { burst: 25, refill: 300_000 };
/** Similar events with so many different messages within so many milliseconds become one, as in client-go. */
const similar = { messages: 10, interval: 600_000 };
/** Objects whose events are remembered, as in client-go. */
const maxObjects = 4_096;
/** Types and reasons that are remembered of one object. */
const maxGroups = 64;

interface Group {
  last: number;
  /** Different messages since the group began. */
  readonly messages: Set<string>;
  /** Events in the cluster by message; the combined one under the empty text. */
  readonly events: Map<string, CountedEvent>;
}

interface ObjectMemory {
  tokens: number;
  filled: number;
  readonly groups: Map<string, Group>;
}

/**
 * Decides what becomes of an event, as client-go does: an equal one is counted, too many similar ones are combined, and an
 * object that says too much is not heard for a while. It keeps at most 4096 objects, and nothing of one that is forgotten.
 */
export class EventCorrelator {
  readonly #objects = new Map<string, ObjectMemory>();

  /** Objects that something is kept of. */
  get size(): number {
    return this.#objects.size;
  }

  /** What to do about an event of an object at a moment (milliseconds since 1970). */
  judge(uid: string, facts: EventFacts, now: number): Verdict {
    const memory = this.#memoryOf(uid, now);
    const group = groupOf(memory, facts, now);
    group.messages.add(facts.message);
    const isCombined = group.messages.size >= similar.messages;
    // Enough to know that there are that many: the texts themselves would pile up.
    if (isCombined) group.messages.delete(group.messages.values().next().value ?? '');
    const message = isCombined ? `(combined from similar events): ${facts.message}` : facts.message;
    const key = isCombined ? '' : facts.message;
    const known = group.events.get(key);
    if (known) known.count += 1; // counted also where it is not sent: the next one says how many there were
    if (!takeToken(memory, now)) return { do: 'drop' };
    if (known) return { do: 'count', message, event: known };
    return { do: 'create', message, created: (event) => group.events.set(key, event) };
  }

  /** Keeps nothing of an object any more. */
  forget(uid: string): void {
    this.#objects.delete(uid);
  }

  #memoryOf(uid: string, now: number): ObjectMemory {
    const memory = this.#objects.get(uid) ?? { tokens: spam.burst, filled: now, groups: new Map() };
    // A Map keeps the order of insertion: the first is the one that was quiet for longest.
    this.#objects.delete(uid);
    this.#objects.set(uid, memory);
    if (this.#objects.size > maxObjects) this.#objects.delete(this.#objects.keys().next().value ?? '');
    return memory;
  }
}

function groupOf(memory: ObjectMemory, { type, reason }: EventFacts, now: number): Group {
  const key = `${type}/${reason}`;
  let group = memory.groups.get(key);
  if (!group) group = { last: now, messages: new Set(), events: new Map() };
  else if (now - group.last > similar.interval) {
    group.messages.clear();
    // Of what was said one by one, only what is said again soon is worth keeping.
    for (const message of group.events.keys()) if (group.events.size > similar.messages) group.events.delete(message);
  }
  group.last = now;
  memory.groups.delete(key);
  memory.groups.set(key, group);
  if (memory.groups.size > maxGroups) memory.groups.delete(memory.groups.keys().next().value ?? '');
  return group;
}

function takeToken(memory: ObjectMemory, now: number): boolean {
  memory.tokens = Math.min(spam.burst, memory.tokens + Math.max(0, now - memory.filled) / spam.refill);
  memory.filled = now;
  if (memory.tokens < 1) return false;
  memory.tokens -= 1;
  return true;
}
