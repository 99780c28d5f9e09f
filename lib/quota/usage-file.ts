import * as z from 'zod';
import {
  type ResourceList,
  compareQuantities,
  type FieldPath,
  formatQuantity,
  isQuotaResource,
  parseQuantity,
  type Problem,
  type Quantity,
  schemaProblems,
  textForm,
} from '../api';
import { dateOf, dayOf } from '../capacity';
import { type DayUsage, type Usage } from './usage';

const amount = () => z.union([z.string().max(64), z.number()]);
const zero = parseQuantity('0') as Quantity;

const usageSchema = z.strictObject({
  usage: z
    .array(
      z.strictObject({
        project: z
          .string()
          .max(63)
          .check(textForm(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'is not a project', 'write its name, such as "shop"')),
        days: z
          .array(
            z.strictObject({
              day: z
                .string()
                .check(textForm(/^\d{4}-\d{2}-\d{2}$/, 'is not a day', 'write a day, such as "2026-05-01"')),
              peaks: z.record(z.string(), amount()),
              consumed: z.strictObject({ cpu: amount().optional(), memory: amount().optional() }).optional(),
            }),
          )
          .max(1500),
      }),
    )
    .max(20_000),
});

/** Daily peaks as a person, the sampler or another tool writes them. */
export type UsageInput = z.input<typeof usageSchema>;

/** A history of usage, or what is wrong with it. */
export interface ExaminedUsage {
  readonly usage?: Usage;
  readonly problems: readonly Problem[];
}

/** Reads a history of usage; never throws for what it holds. Days of any order are taken, each once for a project. */
export function examineUsage(input: unknown): ExaminedUsage {
  const parsed = usageSchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(usageSchema, input, parsed.error.issues, []) };
  const problems: Problem[] = [];
  const usage = new Map<string, readonly DayUsage[]>();
  parsed.data.usage.forEach(({ project, days }, index) => {
    const path = ['usage', index];
    if (usage.has(project)) problems.push(twice([...path, 'project'], project, 'join the days of a project'));
    const known = new Set<number>();
    const read = days.map((one, at): DayUsage => {
      const here = [...path, 'days', at];
      const day = dayOf(one.day);
      if (Number.isNaN(day) || dateOf(day) !== one.day) problems.push(noDay([...here, 'day'], one.day));
      else if (known.has(day))
        problems.push(twice([...here, 'day'], one.day, 'give one entry, the peaks, for each day'));
      known.add(day);
      for (const name of Object.keys(one.peaks))
        if (!isQuotaResource(name)) problems.push(notCounted([...here, 'peaks', name], name));
      return {
        day,
        peaks: amountsAt(one.peaks, [...here, 'peaks'], problems),
        consumed: amountsAt(one.consumed ?? {}, [...here, 'consumed'], problems),
      };
    });
    usage.set(
      project,
      read.sort((a, b) => a.day - b.day),
    );
  });
  return problems.length > 0 ? { problems } : { usage, problems };
}

function amountsAt(
  stated: Readonly<Record<string, string | number | undefined>>,
  path: FieldPath,
  problems: Problem[],
): ResourceList {
  const amounts: Record<string, Quantity> = {};
  for (const [name, value] of Object.entries(stated)) {
    if (value === undefined) continue;
    const quantity = parseQuantity(value);
    if (quantity && compareQuantities(quantity, zero) >= 0) amounts[name] = quantity;
    else
      problems.push({
        code: 'bad-format',
        path: [...path, name],
        value,
        reason: quantity ? 'is less than nothing' : 'is not a quantity',
        remedy: 'write a quantity, such as "500m" or "1Gi"',
      });
  }
  return amounts;
}

const noDay = (path: FieldPath, value: string): Problem => ({
  code: 'bad-format',
  path,
  value,
  reason: 'is no day of the calendar',
  remedy: 'correct it',
});
const twice = (path: FieldPath, value: string, remedy: string): Problem => ({
  code: 'duplicate',
  path,
  value,
  reason: 'is given twice',
  remedy,
});
const notCounted = (path: FieldPath, value: string): Problem => ({
  code: 'bad-format',
  path,
  value,
  reason: 'is no resource that quotas of Projects count',
  remedy: 'use a name of ResourceQuota, such as pods, requests.cpu or count/jobs.batch',
});

/** A history in the form that `examineUsage` reads. */
export function usageInput(usage: Usage): UsageInput {
  const texts = (amounts: ResourceList): Record<string, string> =>
    Object.fromEntries(Object.entries(amounts).map(([name, quantity]) => [name, formatQuantity(quantity)]));
  return {
    usage: [...usage].map(([project, days]) => ({
      project,
      days: days.map(({ day, peaks, consumed }) => ({
        day: dateOf(day) ?? '',
        peaks: texts(peaks),
        ...(Object.keys(consumed).length > 0 && { consumed: texts(consumed) }),
      })),
    })),
  };
}
