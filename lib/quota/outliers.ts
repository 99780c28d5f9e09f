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
const maxConsecutiveDays = 2;

/**
 * Returns the outliers of a history: one or two consecutive days above twice the 95th percentile, none in the last two
 * weeks, and at most one day in fifty in total (at least one). Peaks that are more frequent, longer or recent are not
 * outliers; a history shorter than four weeks has none.
 */
export function outliersOf(values: readonly DayValue[]): readonly DayValue[] {
  if (values.length < minDays) return [];
  const typicalPeak = percentile95(values);
  const last = Math.max(...values.map(({ day }) => day));
  if (typicalPeak === 0) return [];
  const high = values.filter(({ value }) => value > 2 * typicalPeak).sort((a, b) => a.day - b.day);
  const maxOutliers = Math.max(1, Math.floor(values.length / 50));
  const found = groupConsecutiveDays(high)
    .filter((run) => run.length <= maxConsecutiveDays && run.every(({ day }) => day <= last - recent))
    .flat();
  return found.length <= maxOutliers ? found : [];
}

/** Returns the 95th percentile: the nearest rank. */
export function percentile95(values: readonly DayValue[]): number {
  const sorted = values.map(({ value }) => value).sort((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
}

function groupConsecutiveDays(values: readonly DayValue[]): DayValue[][] {
  const runs: DayValue[][] = [];
  for (const one of values) {
    const run = runs.at(-1);
    if (run && one.day - (run.at(-1)?.day ?? 0) <= 1) run.push(one);
    else runs.push([one]);
  }
  return runs;
}
