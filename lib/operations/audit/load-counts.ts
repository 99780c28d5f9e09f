import { type AuditRecord } from './audit-record';
import { type Kept, TopSketch } from './top-sketch';

/** What is summed of requests beside their number. */
export interface LoadSums {
  seconds: number;
  /** Answers with a status of 400 and above. */
  errors: number;
  wholeLists: number;
  /** Lists whose answers are in the log, and what was in them. */
  measured: number;
  objects: number;
  bytes: number;
}

/** One row: who, what, or who does what. */
export interface LoadRow extends LoadSums {
  readonly name: readonly string[];
  /** Requests, at most; fewer by `error` at most. */
  readonly requests: number;
  readonly error: number;
}

/** Who does what to an API server. */
export interface LoadReport {
  readonly requests: number;
  /** Lines that were no event. */
  readonly unreadable: number;
  /** Milliseconds since 1970 of the first and the last answer; 0 where there was none. */
  readonly from: number;
  readonly to: number;
  readonly total: LoadSums;
  readonly lists: number;
  /** By how much requests of a row may be too many, at most. */
  readonly bound: number;
  readonly users: readonly LoadRow[];
  readonly actions: readonly LoadRow[];
  readonly pairs: readonly LoadRow[];
  /** Who asks for whole lists most. */
  readonly wholeLists: readonly LoadRow[];
}

const nothing = (): LoadSums => ({ seconds: 0, errors: 0, wholeLists: 0, measured: 0, objects: 0, bytes: 0 });
const separator = '\u0000';
/** Characters of a name: those of Kubernetes have 253 at most, those of certificates any number. */
const longest = 300;

/** Rows that are kept of each kind; a user beyond may be named wrongly by `requests / capacity` at most. */
const capacity = 2000;

/** Counts requests in bounded memory. */
export class LoadCounts {
  private readonly users = new TopSketch(capacity, nothing);
  private readonly actions = new TopSketch(capacity, nothing);
  private readonly pairs = new TopSketch(2 * capacity, nothing);
  private readonly whole = new TopSketch(capacity, nothing);
  private readonly total = nothing();
  private lists = 0;
  private unreadable = 0;
  private from = 0;
  private to = 0;

  /** Counts a request; gives back the row of who does what. */
  add(record: AuditRecord): Kept<LoadSums> {
    const user = record.user.slice(0, longest);
    const action = `${record.verb}${separator}${record.resource.slice(0, longest)}`;
    const pair = this.pairs.add(`${user}${separator}${action}`);
    const all = [this.total, this.users.add(user).more, this.actions.add(action).more, pair.more];
    if (record.isWholeList) all.push(this.whole.add(pair.key).more);
    for (const sums of all) addTo(sums, record);
    if (record.verb === 'list') this.lists += 1;
    if (record.time > 0) {
      this.from = this.from === 0 ? record.time : Math.min(this.from, record.time);
      this.to = Math.max(this.to, record.time);
    }
    return pair;
  }

  /** Counts a line that was no event. */
  addUnreadable(): void {
    this.unreadable += 1;
  }

  /** Requests that were counted, and lines that were none. */
  get counted(): { readonly requests: number; readonly unreadable: number } {
    return { requests: this.users.total, unreadable: this.unreadable };
  }

  /** The rows that matter most. */
  report(most: number): LoadReport {
    const { users, actions, pairs, whole, unreadable, from, to, lists } = this;
    return {
      requests: users.total,
      unreadable,
      from,
      to,
      lists,
      total: { ...this.total },
      bound: Math.max(users.bound, actions.bound, pairs.bound, whole.bound),
      users: users.top(most).map(rowOf),
      actions: actions.top(most).map(rowOf),
      pairs: pairs.top(most).map(rowOf),
      wholeLists: whole.top(most).map(rowOf),
    };
  }
}

function addTo(sums: LoadSums, { seconds, code, isWholeList, listed }: AuditRecord): void {
  sums.seconds += seconds;
  if (code >= 400) sums.errors += 1;
  if (isWholeList) sums.wholeLists += 1;
  if (!listed) return;
  sums.measured += 1;
  sums.objects += listed.objects;
  sums.bytes += listed.bytes;
}

const rowOf = ({ key, count, error, more }: Kept<LoadSums>): LoadRow => ({
  name: namesOf(key),
  requests: count,
  error,
  ...more,
});

/** User, verb and resource of a row, as far as it has them. */
export const namesOf = (key: string): readonly string[] => key.split(separator);
