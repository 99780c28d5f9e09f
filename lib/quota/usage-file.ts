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
          .check(textForm(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'is not a project name', 'write a name, such as "shop"')),
        days: z
          .array(
            z.strictObject({
              day: z
                .string()
                .check(textForm(/^\d{4}-\d{2}-\d{2}$/, 'is not a date', 'write a date, such as "2026-05-01"')),
              peaks: z.record(z.string(), amount()),
              consumed: z.strictObject({ cpu: amount().optional(), memory: amount().optional() }).optional(),
            }),
          )
          .max(1500),
      }),
    )
    .max(20_000),
});

/** Input of daily peaks. */
export type UsageInput = z.input<typeof usageSchema>;

/** Result of parsing a usage history. */
export interface UsageResult {
  readonly usage?: Usage;
  readonly problems: readonly Problem[];
}

/** Parses a usage history; never throws. Days may be in any order, each once per project. */
export function safeParseUsage(input: unknown): UsageResult {
  const parsed = usageSchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(usageSchema, input, parsed.error.issues, []) };
  const problems: Problem[] = [];
  const usage = new Map<string, readonly DayUsage[]>();
  parsed.data.usage.forEach(({ project, days }, index) => {
    const path = ['usage', index];
    if (usage.has(project))
      problems.push(duplicate([...path, 'project'], project, 'merge the days of the project into one entry'));
    const known = new Set<number>();
    const read = days.map((one, at): DayUsage => {
      const here = [...path, 'days', at];
      const day = dayOf(one.day);
      if (Number.isNaN(day) || dateOf(day) !== one.day) problems.push(invalidDate([...here, 'day'], one.day));
      else if (known.has(day))
        problems.push(duplicate([...here, 'day'], one.day, 'keep one entry per day, with the peaks'));
      known.add(day);
      for (const name of Object.keys(one.peaks))
        if (!isQuotaResource(name)) problems.push(unsupportedResource([...here, 'peaks', name], name));
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
        reason: quantity ? 'is negative' : 'is not a quantity',
        remedy: 'write a quantity, such as "500m" or "1Gi"',
      });
  }
  return amounts;
}

const invalidDate = (path: FieldPath, value: string): Problem => ({
  code: 'bad-format',
  path,
  value,
  reason: 'is not a valid date',
  remedy: 'correct it',
});
const duplicate = (path: FieldPath, value: string, remedy: string): Problem => ({
  code: 'duplicate',
  path,
  value,
  reason: 'is listed twice',
  remedy,
});
const unsupportedResource = (path: FieldPath, value: string): Problem => ({
  code: 'bad-format',
  path,
  value,
  reason: 'is not a resource that a Project quota supports',
  remedy: 'use a name of ResourceQuota, such as pods, requests.cpu or count/jobs.batch',
});

/** Formats a history as input of `safeParseUsage`. */
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
