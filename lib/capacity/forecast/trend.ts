/** A straight line through a history, and how far it may be off. */
export interface Trend {
  /** Growth each day: the median of the growth between any two samples (Theil and Sen). */
  readonly perDay: number;
  /** Bounds that hold the true growth in 19 of 20 histories of this kind. */
  readonly lower: number;
  readonly upper: number;
  /** The line at some day. */
  at(day: number): number;
  /** The day on which the line passes a value; undefined where it never does. */
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
 * The trend of a history of at least three samples on different days.
 *
 * The median of all slopes, because one bad sample, or a storm, moves it little; bounds by Sen from the variance of
 * Kendall's count. The line goes through the medians, and bounds turn about the last day, where the present is known.
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
