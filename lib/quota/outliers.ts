/** A value of one day. */
export interface DayValue {
  readonly day: number;
  readonly value: number;
}

/** Days of history needed for outliers: four whole weeks. */
export const minDays = 28;

/** Days at the end of a history that are never outliers: growth begins there. */
const recent = 14;

/** Maximum consecutive days of an outlier; longer peaks are regular. */
const longestRow = 2;

/**
 * Returns the outliers of a history: one or two consecutive days above twice the 95th percentile, none in the last two
 * weeks, and at most one day in fifty in total (at least one). Peaks that are more frequent, longer or recent are not
 * outliers; a history shorter than four weeks has none.
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

/** Returns the 95th percentile: the nearest rank. */
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
