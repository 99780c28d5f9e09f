import { dateOf, dayOf } from '../../lib/capacity';
import { safeParseUsage, type Usage, type UsageInput } from '../../lib/quota';

/** First day of the simulated year. */
export const firstDay = dayOf('2025-10-01');
/** Returns the date of a day of that year. */
export const date = (day: number): string => dateOf(firstDay + day) ?? '';

/** Returns a seeded generator of numbers from 0 to 1. */
export function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Peaks = UsageInput['usage'][0]['days'][0]['peaks'];

/** Returns a history of one project, day by day; a day without peaks is a gap. */
export const usageOf = (project: string, days: number, of: (day: number) => Peaks | undefined): UsageInput => ({
  usage: [
    {
      project,
      days: Array.from({ length: days }, (_, day) => ({ day: date(day), peaks: of(day) })).filter(
        (one): one is { day: string; peaks: Peaks } => one.peaks !== undefined,
      ),
    },
  ],
});

/** Returns a valid history, parsed. */
export function read(input: UsageInput): Usage {
  const { usage, problems } = safeParseUsage(input);
  expect(problems).toEqual([]);
  return usage ?? new Map();
}

/** Usage that grows over the year and drops on weekends: `most` on day 330, a weekday, and less on every other day. */
export function weekdays(most: number, seed = 1): (day: number) => number {
  const random = noise(seed);
  const values = Array.from({ length: 400 }, (_, day) => {
    if (day === 330) return most;
    const isWeekend = [3, 4].includes(day % 7); // the first day is a Wednesday
    const growth = 0.6 + (0.35 * day) / 365;
    return Math.floor(most * growth * (isWeekend ? 0.4 : 0.9 + 0.1 * random()));
  });
  return (day) => values[day] ?? 0;
}
