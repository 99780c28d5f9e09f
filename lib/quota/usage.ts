import { largerAmounts, type ResourceList } from '../api';

/** Peak usage of a project on one day. */
export interface DayUsage {
  /** Day in UTC, counted from 1970. */
  readonly day: number;
  /** Quota resources: the sum of its objects' requests. */
  readonly peaks: ResourceList;
  /** Container consumption: `cpu` and `memory`. Empty if not measured. */
  readonly consumed: ResourceList;
}

/** Daily peaks of projects by name, oldest day first. */
export type Usage = ReadonlyMap<string, readonly DayUsage[]>;

/** Merges two records of one day: the larger of each amount. */
const joinDays = (a: DayUsage, b: DayUsage): DayUsage => ({
  day: a.day,
  peaks: largerAmounts(a.peaks, b.peaks),
  consumed: largerAmounts(a.consumed, b.consumed),
});

/** Merges records of several sources, sorted by day. */
export function joinedDays(days: readonly DayUsage[]): readonly DayUsage[] {
  const byDay = new Map<number, DayUsage>();
  for (const one of days) {
    const known = byDay.get(one.day);
    byDay.set(one.day, known ? joinDays(known, one) : one);
  }
  return [...byDay.values()].sort((a, b) => a.day - b.day);
}

/** Merges several histories. */
export function joinUsage(...histories: readonly Usage[]): Usage {
  const joined = new Map<string, readonly DayUsage[]>();
  for (const history of histories)
    for (const [project, days] of history) joined.set(project, joinedDays([...(joined.get(project) ?? []), ...days]));
  return joined;
}
