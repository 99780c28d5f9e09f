import * as z from 'zod';
import { schemaProblems, textForm, type Problem } from '../../api';

const number = (): z.ZodNumber => z.number().min(0).max(1e13);

const historySchema = z.strictObject({
  samples: z
    .array(
      z.strictObject({
        day: z.string().check(textForm(/^\d{4}-\d{2}-\d{2}$/, 'is not a date', 'write a date, such as "2026-05-01"')),
        nodes: number(),
        pods: number(),
        requestsPerSecond: number().describe('API requests, at the peak of the day.'),
        etcdBytes: number().describe('Bytes in use in the main etcd, at the peak of the day.'),
      }),
    )
    .min(3)
    .max(1500),
});

/** Input of a usage history: daily peaks of a cluster. */
export type HistoryInput = z.input<typeof historySchema>;

/** Daily peaks, with days as numbers. */
export interface ClusterUsage {
  readonly day: number;
  readonly nodes: number;
  readonly pods: number;
  readonly requestsPerSecond: number;
  readonly etcdBytes: number;
}

const millisecondsPerDay = 86_400_000;

/** Returns the day number of a date, counted from 1970. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / millisecondsPerDay;

/** Returns the date of a day; undefined outside the range of dates. */
export function dateOf(day: number): string | undefined {
  const date = new Date(Math.floor(day) * millisecondsPerDay);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? undefined : date.toISOString().slice(0, 10);
}

/** Parses a usage history; never throws. */
export function safeParseHistory(input: unknown): {
  readonly usage?: readonly ClusterUsage[];
  readonly problems: readonly Problem[];
} {
  const parsed = historySchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(historySchema, input, parsed.error.issues, []) };
  const usage = parsed.data.samples.map((sample) => ({ ...sample, day: dayOf(sample.day) }));
  const problems = usage.flatMap(({ day }, index): Problem[] => {
    const path = ['samples', index, 'day'];
    const value = parsed.data.samples[index]?.day;
    if (Number.isNaN(day))
      return [{ code: 'bad-format', path, value, reason: 'is not a calendar date', remedy: 'correct it' }];
    return usage.findIndex((other) => other.day === day) === index
      ? []
      : [
          {
            code: 'duplicate',
            path,
            value,
            reason: 'is listed twice',
            remedy: 'keep one sample per day: the peak',
          },
        ];
  });
  return problems.length > 0 ? { problems } : { usage: usage.sort((a, b) => a.day - b.day), problems };
}
