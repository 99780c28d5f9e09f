import { type AnalyzedDatabase } from './analyze';
import { type Sum, type WriterSum } from './etcd-contents';
import { maxRows } from './sum-builder';

/** Difference of one row between two files. Bytes are those of all revisions. */
export interface RowChange {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly change: number;
  readonly objectsBefore: number;
  readonly objectsAfter: number;
}

/** Difference between two files. */
export interface ContentsDifference {
  /** Whether both files are free of corruption; otherwise the difference covers only readable pages. */
  readonly isComplete: boolean;
  readonly revision: { readonly before: number; readonly after: number };
  /** Whether the second file ends at an earlier revision: the files are in the wrong order, or writes were lost. */
  readonly isBackwards: boolean;
  /**
   * Whether the files share a history: keys that were not written between have the same revision in both. If not, they are
   * of different clusters, or the cluster was restored; a file does not name its cluster. Absent if a file is corrupt.
   */
  readonly isOneHistory?: boolean;
  /** Seconds between the files, by timestamps in objects; absent without timestamps. */
  readonly seconds?: number;
  /** Growth of live bytes per day; absent if the time is unknown. */
  readonly growthPerDay?: number;
  readonly database: { readonly before: number; readonly after: number };
  readonly live: { readonly before: number; readonly after: number };
  readonly history: { readonly before: number; readonly after: number };
  /** Number of created, deleted and written keys. */
  readonly keys: { readonly created: number; readonly deleted: number; readonly written: number };
  readonly by: {
    readonly resource: readonly RowChange[];
    readonly namespace: readonly RowChange[];
    readonly project: readonly RowChange[];
    readonly kind: readonly RowChange[];
    readonly owner: readonly RowChange[];
    readonly writer: readonly RowChange[];
    readonly object: readonly RowChange[];
  };
}

/** Compares two files of one cluster, the earlier one first; the largest changes come first. */
export function compareContents(before: AnalyzedDatabase, after: AnalyzedDatabase): ContentsDifference {
  const [one, other] = [before.contents, after.contents];
  const seconds = after.pass.totals.latest - before.pass.totals.latest;
  const isComplete = one.isComplete && other.isComplete;
  const isTimed = isComplete && before.pass.totals.latest > 0 && seconds > 0;
  // The last revision of a corrupt file is unknown: it may be later than the readable ones.
  const isBackwards = other.damage.coversAll && other.revision.current < one.revision.current;
  const grown = other.total.live - one.total.live;
  const rows = (name: 'resource' | 'namespace' | 'project' | 'kind' | 'owner' | 'writer'): RowChange[] =>
    changesOf(one.by[name], other.by[name]);
  return {
    isComplete,
    revision: { before: one.revision.current, after: other.revision.current },
    isBackwards,
    ...(isComplete && { isOneHistory: isBackwards ? follows(after, before) : follows(before, after) }),
    ...(isTimed && { seconds, growthPerDay: (grown * 86_400) / seconds }),
    database: { before: one.bytes.database, after: other.bytes.database },
    live: { before: one.total.live, after: other.total.live },
    history: { before: one.total.history, after: other.total.history },
    ...objectsOf(before, after, {
      resource: rows('resource'),
      namespace: rows('namespace'),
      project: rows('project'),
      kind: rows('kind'),
      owner: rows('owner'),
      writer: rows('writer'),
    }),
  };
}

/** Returns whether every key that was not written since the earlier file has the same revision in it. */
function follows(earlier: AnalyzedDatabase, later: AnalyzedDatabase): boolean {
  const [old, young] = [earlier.pass.columns, later.pass.columns];
  for (let key = 0; key < young.size; key++) {
    const latest = young.latest[key] as number;
    // Compaction may have dropped a tombstone from one of them.
    if (young.liveBytes[key] === 0 || latest > earlier.contents.revision.current) continue;
    const bytes = young.keys.bytes(key);
    const known = old.keys.find(bytes, 0, bytes.length);
    if (known < 0 || old.latest[known] !== latest) return false;
  }
  return true;
}

function changesOf(before: readonly (Sum | WriterSum)[], after: readonly (Sum | WriterSum)[]): RowChange[] {
  const named = (rows: readonly (Sum | WriterSum)[]) =>
    new Map(rows.map((row) => [/^\d+ more$/.test(row.name) ? 'all others' : row.name, row]));
  const [old, young] = [named(before), named(after)];
  const names = new Set([...old.keys(), ...young.keys()]);
  return sorted(
    [...names].map((name) => {
      const [one, other] = [old.get(name), young.get(name)];
      const bytes = (row: Sum | WriterSum | undefined): number => (row ? row.live + row.history : 0);
      return changeOf(name, [bytes(one), bytes(other)], [one?.objects ?? 0, other?.objects ?? 0]);
    }),
  );
}

function changeOf(name: string, [before, after]: [number, number], objects: [number, number]): RowChange {
  return { name, before, after, change: after - before, objectsBefore: objects[0], objectsAfter: objects[1] };
}

const sorted = (changes: RowChange[]): RowChange[] =>
  changes
    .filter(({ change, objectsBefore, objectsAfter }) => change !== 0 || objectsBefore !== objectsAfter)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.name < b.name ? -1 : 1));

function objectsOf(
  before: AnalyzedDatabase,
  after: AnalyzedDatabase,
  groups: Omit<ContentsDifference['by'], 'object'>,
): Pick<ContentsDifference, 'keys' | 'by'> {
  const [old, young] = [before.pass.columns, after.pass.columns];
  const keys = { created: 0, deleted: 0, written: 0 };
  let changes: RowChange[] = [];
  const take = (name: () => string, bytes: [number, number], live: [number, number]): void => {
    if (live[0] === 0 && live[1] > 0) keys.created++;
    if (live[0] > 0 && live[1] === 0) keys.deleted++;
    if (bytes[0] === bytes[1]) return;
    changes.push(changeOf(name(), bytes, [Math.min(1, live[0]), Math.min(1, live[1])]));
    if (changes.length >= 4 * maxRows) changes = sorted(changes).slice(0, maxRows);
  };
  for (let key = 0; key < young.size; key++) {
    const bytes = young.keys.bytes(key);
    const known = old.keys.find(bytes, 0, bytes.length);
    const was = (column: Float64Array | Uint32Array): number => (known < 0 ? 0 : (column[known] as number));
    if (known >= 0 && was(old.latest) < (young.latest[key] as number)) keys.written++;
    const live = young.liveBytes[key] as number;
    take(() => young.keys.text(key), [was(old.allBytes), young.allBytes[key] as number], [was(old.liveBytes), live]);
  }
  for (let key = 0; key < old.size; key++) {
    const bytes = old.keys.bytes(key);
    if (young.keys.find(bytes, 0, bytes.length) >= 0) continue;
    take(() => old.keys.text(key), [old.allBytes[key] as number, 0], [old.liveBytes[key] as number, 0]);
  }
  return { keys, by: { ...groups, object: sorted(changes).slice(0, maxRows) } };
}
