import { largerAmounts, type ResourceList } from '../api';

/** What a project used on one day, at its peaks. */
export interface DayUsage {
  /** Day in UTC, counted from 1970. */
  readonly day: number;
  /** What quotas count, by the resource names of quotas: what its objects asked for together. */
  readonly peaks: ResourceList;
  /** What its containers really consumed: `cpu` and `memory`. Empty where nobody measured it. */
  readonly consumed: ResourceList;
}

/** Daily peaks of projects by name, oldest day first. */
export type Usage = ReadonlyMap<string, readonly DayUsage[]>;

/** Two days of one date as one: of each amount the larger. */
const joinDays = (a: DayUsage, b: DayUsage): DayUsage => ({
  day: a.day,
  peaks: largerAmounts(a.peaks, b.peaks),
  consumed: largerAmounts(a.consumed, b.consumed),
});

/** Days of several readings in the order of their dates; days of one date become one. */
export function joinedDays(days: readonly DayUsage[]): readonly DayUsage[] {
  const byDay = new Map<number, DayUsage>();
  for (const one of days) {
    const known = byDay.get(one.day);
    byDay.set(one.day, known ? joinDays(known, one) : one);
  }
  return [...byDay.values()].sort((a, b) => a.day - b.day);
}

/** Several histories as one. */
export function joinUsage(...histories: readonly Usage[]): Usage {
  const joined = new Map<string, readonly DayUsage[]>();
  for (const history of histories)
    for (const [project, days] of history) joined.set(project, joinedDays([...(joined.get(project) ?? []), ...days]));
  return joined;
}
