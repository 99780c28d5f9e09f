import { type AuditRecord } from './audit-record';
import { type SketchEntry, TopSketch } from './top-sketch';

/** Totals of a set of requests. */
export interface AuditSums {
  seconds: number;
  /** Responses with a status of 400 or above. */
  errors: number;
  wholeLists: number;
  /** Lists with logged responses, and their objects and bytes. */
  measured: number;
  objects: number;
  bytes: number;
}

/** Row of a report: a user, an action, or both. */
export interface AuditRow extends AuditSums {
  readonly name: readonly string[];
  /** Upper bound of requests; too high by at most `error`. */
  readonly requests: number;
  readonly error: number;
}

/** Statistics of API requests. */
export interface AuditReport {
  readonly requests: number;
  /** Lines without an event. */
  readonly unreadable: number;
  /** Time of the first and the last response in milliseconds since 1970; 0 without responses. */
  readonly from: number;
  readonly to: number;
  readonly total: AuditSums;
  readonly lists: number;
  /** Maximum error of a row's requests. */
  readonly bound: number;
  readonly users: readonly AuditRow[];
  readonly actions: readonly AuditRow[];
  readonly pairs: readonly AuditRow[];
  /** Top clients of whole lists. */
  readonly wholeLists: readonly AuditRow[];
}

const zeroSums = (): AuditSums => ({ seconds: 0, errors: 0, wholeLists: 0, measured: 0, objects: 0, bytes: 0 });
const separator = '\u0000';
/** Maximum characters of a name; names from certificates have no limit. */
const maxNameLength = 300;

/** Rows of each kind; counts are too high by at most `requests / capacity`. */
const capacity = 2000;

/** Counts requests in bounded memory. */
export class AuditCounts {
  private readonly users = new TopSketch(capacity, zeroSums);
  private readonly actions = new TopSketch(capacity, zeroSums);
  private readonly pairs = new TopSketch(2 * capacity, zeroSums);
  private readonly wholeLists = new TopSketch(capacity, zeroSums);
  private readonly total = zeroSums();
  private lists = 0;
  private unreadable = 0;
  private from = 0;
  private to = 0;

  /** Counts a request; returns the entry of its user and action. */
  add(record: AuditRecord): SketchEntry<AuditSums> {
    const user = record.user.slice(0, maxNameLength);
    const action = `${record.verb}${separator}${record.resource.slice(0, maxNameLength)}`;
    const pair = this.pairs.add(`${user}${separator}${action}`);
    const all = [this.total, this.users.add(user).more, this.actions.add(action).more, pair.more];
    if (record.isWholeList) all.push(this.wholeLists.add(pair.key).more);
    for (const sums of all) addTo(sums, record);
    if (record.verb === 'list') this.lists += 1;
    if (record.time > 0) {
      this.from = this.from === 0 ? record.time : Math.min(this.from, record.time);
      this.to = Math.max(this.to, record.time);
    }
    return pair;
  }

  /** Counts a line without an event. */
  addUnreadable(): void {
    this.unreadable += 1;
  }

  /** Number of counted requests and unreadable lines. */
  get counted(): { readonly requests: number; readonly unreadable: number } {
    return { requests: this.users.total, unreadable: this.unreadable };
  }

  /** Returns the largest `limit` rows of each kind. */
  report(limit: number): AuditReport {
    const { users, actions, pairs, wholeLists, unreadable, from, to, lists } = this;
    return {
      requests: users.total,
      unreadable,
      from,
      to,
      lists,
      total: { ...this.total },
      bound: Math.max(users.bound, actions.bound, pairs.bound, wholeLists.bound),
      users: users.top(limit).map(rowOf),
      actions: actions.top(limit).map(rowOf),
      pairs: pairs.top(limit).map(rowOf),
      wholeLists: wholeLists.top(limit).map(rowOf),
    };
  }
}

function addTo(sums: AuditSums, { seconds, code, isWholeList, listed }: AuditRecord): void {
  sums.seconds += seconds;
  if (code >= 400) sums.errors += 1;
  if (isWholeList) sums.wholeLists += 1;
  if (!listed) return;
  sums.measured += 1;
  sums.objects += listed.objects;
  sums.bytes += listed.bytes;
}

const rowOf = ({ key, count, error, more }: SketchEntry<AuditSums>): AuditRow => ({
  name: namesOf(key),
  requests: count,
  error,
  ...more,
});

/** Splits a key into its parts: user, verb and resource, in this order, as far as the key has them. */
export const namesOf = (key: string): readonly string[] => key.split(separator);
