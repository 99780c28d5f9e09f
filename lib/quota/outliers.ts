/** A value of one day. */
export interface DayValue {
  readonly day: number;
  readonly value: number;
}

/** A history with at least this many days shows what is usual: four whole weeks. */
export const minDays = 28;

/** Days at the end of a history that are never taken for outliers: growth begins there. */
const recent = 14;

/** Longest row of days that may be an outlier; what lasts longer is how the project works. */
const longestRow = 2;

/**
 * Days that look like outliers: one or two days in a row above twice what is usual, none of them of the last two weeks, and
 * together no more than one day in fifty (one at least). Usual is what 19 of 20 days stay below. What comes more often, lasts
 * longer or is recent is no outlier; a history shorter than four weeks has none.
 */
export function outliersOf(values: readonly DayValue[]): readonly DayValue[] {
  if (values.length < minDays) return [];
  const usual = medianOf(values);
  const last = Math.max(...values.map(({ day }) => day));
  if (usual === 0) return [];
  const high = values.filter(({ value }) => value > 2 * usual).sort((a, b) => a.day - b.day);
  const most = Math.max(1, Math.floor(values.length / 50));
  const found = rowsOf(high)
    .filter((row) => row.length <= longestRow && row.every(({ day }) => day <= last - recent))
    .flat();
  return found.length <= most ? found : [];
}

/** What 19 of 20 days stay below or reach: the nearest rank. */
export function medianOf(values: readonly DayValue[]): number {
  const sorted = values.map(({ value }) => value).sort((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
}

function rowsOf(values: readonly DayValue[]): DayValue[][] {
  const rows: DayValue[][] = [];
  for (const one of values) {
    const row = rows.at(-1);
    if (row && one.day - (row.at(-1)?.day ?? 0) <= 1) row.push(one);
    else rows.push([one]);
  }
  return rows;
}
