/** A straight line through a history, with its uncertainty. */
export interface Trend {
  /** Growth per day: the median of the growth between any two samples (Theil-Sen). */
  readonly perDay: number;
  /** 95% confidence bounds of the growth. */
  readonly lower: number;
  readonly upper: number;
  /** Returns the value of the line on a day. */
  at(day: number): number;
  /** Returns the day on which the line reaches a value; undefined if never. */
  reaches(value: number, perDay: number): number | undefined;
}

/** One value of a history, on a day. */
export interface Sample {
  readonly day: number;
  readonly value: number;
}

const median = (sorted: readonly number[]): number => {
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

/**
 * Computes the trend of a history of at least three samples on different days.
 *
 * It uses the median of all slopes because an outlier or a storm hardly affects it, and Sen's bounds from the variance
 * of Kendall's statistic. The line goes through the medians; the bounds pivot on the last day, whose value is known.
 */
export function trendOf(samples: readonly Sample[]): Trend {
  const slopes: number[] = [];
  samples.forEach((one, index) => {
    for (const other of samples.slice(index + 1))
      if (other.day !== one.day) slopes.push((other.value - one.value) / (other.day - one.day));
  });
  slopes.sort((a, b) => a - b);
  const perDay = median(slopes);
  const count = samples.length;
  const spread = 1.96 * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const bound = (rank: number): number => slopes[Math.min(slopes.length - 1, Math.max(0, rank))] ?? perDay;
  const last = Math.max(...samples.map(({ day }) => day));
  const level = median(samples.map(({ day, value }) => value + perDay * (last - day)).sort((a, b) => a - b));
  return {
    perDay,
    lower: Math.min(perDay, bound(Math.floor((slopes.length - spread) / 2))),
    upper: Math.max(perDay, bound(Math.ceil((slopes.length + spread) / 2))),
    at: (day) => level + perDay * (day - last),
    reaches: (value, slope) => (level >= value ? last : slope > 0 ? last + (value - level) / slope : undefined),
  };
}
