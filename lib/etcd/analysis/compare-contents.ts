import { type AnalyzedDatabase } from './analyze';
import { type Sum, type WriterSum } from './etcd-contents';
import { maxRows } from './sum-builder';

/** Difference of a row between two files, in bytes of all revisions. */
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
  /** Whether the second file ends at an earlier revision: the files are in the wrong order, or an older backup was restored. */
  readonly isBackwards: boolean;
  /**
   * Whether keys that were not written in between have the same revision in both files. If not, the files are from different
   * clusters, or the cluster was restored in between. Absent if a file is corrupt.
   */
  readonly isSameHistory?: boolean;
  /** Seconds between the files, from timestamps in objects; absent without timestamps. */
  readonly seconds?: number;
  /** Growth of live bytes per day; absent if the time is unknown. */
  readonly growthPerDay?: number;
  readonly database: { readonly before: number; readonly after: number };
  readonly live: { readonly before: number; readonly after: number };
  readonly history: { readonly before: number; readonly after: number };
  /** Numbers of created, deleted and written keys. */
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

/** Compares two files of a cluster, the earlier one first. The largest changes come first. */
export function compareContents(before: AnalyzedDatabase, after: AnalyzedDatabase): ContentsDifference {
  const [oldContents, newContents] = [before.contents, after.contents];
  const seconds = after.scan.totals.latest - before.scan.totals.latest;
  const isComplete = oldContents.isComplete && newContents.isComplete;
  const isTimeKnown = isComplete && before.scan.totals.latest > 0 && seconds > 0;
  // The last revision of a corrupt file is unknown: it may be later than the readable ones.
  const isBackwards = newContents.damage.coversAll && newContents.revision.current < oldContents.revision.current;
  const growth = newContents.total.live - oldContents.total.live;
  const rows = (name: 'resource' | 'namespace' | 'project' | 'kind' | 'owner' | 'writer'): RowChange[] =>
    changesOf(oldContents.by[name], newContents.by[name]);
  return {
    isComplete,
    revision: { before: oldContents.revision.current, after: newContents.revision.current },
    isBackwards,
    ...(isComplete && { isSameHistory: isBackwards ? hasSameHistory(after, before) : hasSameHistory(before, after) }),
    ...(isTimeKnown && { seconds, growthPerDay: (growth * 86_400) / seconds }),
    database: { before: oldContents.bytes.database, after: newContents.bytes.database },
    live: { before: oldContents.total.live, after: newContents.total.live },
    history: { before: oldContents.total.history, after: newContents.total.history },
    ...compareKeys(before, after, {
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
function hasSameHistory(earlier: AnalyzedDatabase, later: AnalyzedDatabase): boolean {
  const [older, newer] = [earlier.scan.columns, later.scan.columns];
  for (let key = 0; key < newer.size; key++) {
    const latest = newer.latest[key] as number;
    // Compaction may have deleted a tombstone from one of the files.
    if (newer.liveBytes[key] === 0 || latest > earlier.contents.revision.current) continue;
    const bytes = newer.keys.bytes(key);
    const known = older.keys.find(bytes, 0, bytes.length);
    if (known < 0 || older.latest[known] !== latest) return false;
  }
  return true;
}

function changesOf(before: readonly (Sum | WriterSum)[], after: readonly (Sum | WriterSum)[]): RowChange[] {
  const byName = (rows: readonly (Sum | WriterSum)[]) =>
    new Map(rows.map((row) => [/^\d+ more$/.test(row.name) ? 'others' : row.name, row]));
  const [older, newer] = [byName(before), byName(after)];
  const names = new Set([...older.keys(), ...newer.keys()]);
  return sorted(
    [...names].map((name) => {
      const [one, other] = [older.get(name), newer.get(name)];
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

function compareKeys(
  before: AnalyzedDatabase,
  after: AnalyzedDatabase,
  groups: Omit<ContentsDifference['by'], 'object'>,
): Pick<ContentsDifference, 'keys' | 'by'> {
  const [older, newer] = [before.scan.columns, after.scan.columns];
  const keys = { created: 0, deleted: 0, written: 0 };
  let changes: RowChange[] = [];
  const addChange = (name: () => string, bytes: [number, number], live: [number, number]): void => {
    if (live[0] === 0 && live[1] > 0) keys.created++;
    if (live[0] > 0 && live[1] === 0) keys.deleted++;
    if (bytes[0] === bytes[1]) return;
    changes.push(changeOf(name(), bytes, [Math.min(1, live[0]), Math.min(1, live[1])]));
    if (changes.length >= 4 * maxRows) changes = sorted(changes).slice(0, maxRows);
  };
  for (let key = 0; key < newer.size; key++) {
    const bytes = newer.keys.bytes(key);
    const known = older.keys.find(bytes, 0, bytes.length);
    const previous = (column: Float64Array | Uint32Array): number => (known < 0 ? 0 : (column[known] as number));
    if (known >= 0 && previous(older.latest) < (newer.latest[key] as number)) keys.written++;
    const live = newer.liveBytes[key] as number;
    addChange(
      () => newer.keys.text(key),
      [previous(older.allBytes), newer.allBytes[key] as number],
      [previous(older.liveBytes), live],
    );
  }
  for (let key = 0; key < older.size; key++) {
    const bytes = older.keys.bytes(key);
    if (newer.keys.find(bytes, 0, bytes.length) >= 0) continue;
    addChange(() => older.keys.text(key), [older.allBytes[key] as number, 0], [older.liveBytes[key] as number, 0]);
  }
  return { keys, by: { ...groups, object: sorted(changes).slice(0, maxRows) } };
}
