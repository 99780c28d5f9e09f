import { type Sum } from './etcd-contents';
import { type KeyColumns } from './key-columns';

/** Sums keys into one row. */
export class SumBuilder {
  objects = 0;
  live = 0;
  all = 0;
  revisions = 0;
  tombstones = 0;
  largest = 0;
  managedFields = 0;
  lastApplied = 0;
  status = 0;
  writes = 0;

  add(columns: KeyColumns, key: number): void {
    const live = columns.liveBytes[key] as number;
    if (live > 0) this.objects++;
    if (live > this.largest) this.largest = live;
    this.live += live;
    this.all += columns.allBytes[key] as number;
    this.revisions += columns.revisions[key] as number;
    this.tombstones += columns.tombstones[key] as number;
    this.managedFields += columns.managedFields[key] as number;
    this.lastApplied += columns.lastApplied[key] as number;
    this.status += columns.status[key] as number;
    this.writes += columns.writes[key] as number;
  }

  /** Adds another row to this one. */
  addRow(row: SumBuilder): void {
    this.objects += row.objects;
    this.live += row.live;
    this.all += row.all;
    this.revisions += row.revisions;
    this.tombstones += row.tombstones;
    this.largest = Math.max(this.largest, row.largest);
    this.managedFields += row.managedFields;
    this.lastApplied += row.lastApplied;
    this.status += row.status;
    this.writes += row.writes;
  }

  sum(name: string, seconds: number | undefined): Sum {
    const { objects, live, all, revisions, tombstones, largest, managedFields, lastApplied, status, writes } = this;
    return {
      name,
      objects,
      live,
      history: all - live,
      revisions,
      tombstones,
      average: objects === 0 ? 0 : Math.round(live / objects),
      largest,
      managedFields,
      lastApplied,
      status,
      writes,
      ...(seconds !== undefined && { writesPerSecond: writes / seconds }),
    };
  }
}

/** Maximum rows of a group. */
export const maxRows = 1000;

/** Returns the rows of one property, the largest first; all rows beyond the maximum are summed in one row. */
export function rowsOf(groups: ReadonlyMap<string, SumBuilder>, seconds: number | undefined): Sum[] {
  const sorted = [...groups].sort(([a, one], [b, other]) => other.all - one.all || (a < b ? -1 : 1));
  const rows = sorted.slice(0, maxRows).map(([name, row]) => row.sum(name, seconds));
  const remaining = sorted.slice(maxRows);
  if (remaining.length === 0) return rows;
  const rest = new SumBuilder();
  for (const [, row] of remaining) rest.addRow(row);
  return [...rows, rest.sum(`${remaining.length} more`, seconds)];
}
