import * as z from 'zod';
import { durationPattern, formatDuration, parseDuration } from '../values/duration';
import { leaf, withFacts } from './field-facts';
import { type FieldPath, type Problem } from '../problem';
import { textForm, type FormFailure } from './text-form';
import { parseQuantity, formatQuantity, longestQuantityText, quantityPattern } from '../values/quantity';

/** Returns the schema of a string that matches a pattern. */
export function text(form: { pattern: RegExp; what: string; example: string; max: number }): z.ZodString {
  return z
    .string()
    .max(form.max)
    .check(textForm(form.pattern, `is not ${form.what}`, `write ${form.what}, such as "${form.example}"`));
}

/** Free text on one or more lines. */
export const sentence = (max = 1024): z.ZodString => z.string().min(1).max(max);

/** DNS label, the format of most names in Kubernetes. */
export const label = (example = 'cart'): z.ZodString =>
  text({ pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, what: 'a lower-case DNS label', example, max: 63 });

/** Name of a Service, which does not start with a digit. */
export const serviceName = (example = 'cart'): z.ZodString =>
  text({ pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/, what: 'the name of a Service', example, max: 63 });

/** Host name. */
export const host = (): z.ZodString =>
  text({
    pattern: /^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    what: 'a lower-case host name',
    example: 'shop.example.com',
    max: 253,
  });

/** Object name: DNS labels joined by dots. */
export const objectName = (example = 'cart-db'): z.ZodString =>
  text({
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    what: 'an object name',
    example,
    max: 253,
  });

/** Absolute path within a container or on a host. */
export const absolutePath = (example = '/etc/app/app.yaml'): z.ZodString =>
  text({ pattern: /^\/[^:]*$/, what: 'an absolute path without a colon', example, max: 1024 });

/** URL of http or https. */
export const url = (): z.ZodString =>
  text({
    pattern: /^https?:\/\/[^\s]+$/,
    what: 'an http or https URL',
    example: 'https://wiki.example.com/cart',
    max: 2048,
  });

/** Name of an environment variable. */
export const variableName = (): z.ZodString =>
  text({ pattern: /^[A-Za-z_][A-Za-z0-9_.-]*$/, what: 'the name of a variable', example: 'LOG_LEVEL', max: 256 });

/** Kubernetes label value. */
export const labelValue = (): z.ZodString =>
  text({ pattern: /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/, what: 'a label value', example: 'v1.4.2', max: 63 });

/** Kubernetes label or annotation key. */
export const labelKey = (): z.ZodString =>
  text({
    pattern:
      /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
    what: 'a label key',
    example: 'example.com/cost-center',
    max: 317,
  });

/** Whole number within bounds. */
export const integer = (minimum: number, maximum: number): z.ZodNumber =>
  z.int().min(minimum).max(maximum).overwrite(withoutSign);

/** Normalizes -0, which Kubernetes does not have. */
const withoutSign = (value: number): number => value + 0;

/** TCP or UDP port. */
export const port = (): z.ZodNumber => integer(1, 65535);

const quantityForm = new RegExp(quantityPattern);

/** Kubernetes quantity such as `100m` or `1Gi`, normalized to its canonical text. */
export const quantity = (): z.ZodType<string, string | number> =>
  normalized(
    'Quantity',
    ['string', 'integer'],
    quantityPattern,
    (value) => {
      const written = typeof value === 'string' ? quantityForm.test(value) : Number.isInteger(value);
      const parsed = written ? parseQuantity(value as string | number) : undefined;
      return parsed && formatQuantity(parsed);
    },
    { reason: 'is not a quantity', remedy: 'write a quantity, such as "500m" or "1Gi"' },
  ) as z.ZodType<string, string | number>;

/** Duration such as `90s`, `1h30m` or `7d`, normalized to its canonical text. */
export const duration = (): z.ZodType<string, string> =>
  normalized(
    'Duration',
    ['string'],
    durationPattern,
    (value) => {
      const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
      return parsed && formatDuration(parsed);
    },
    { reason: 'is not a duration', remedy: 'write a duration, such as "90s", "1h30m" or "7d"' },
  ) as z.ZodType<string, string>;

function normalized(
  typeName: string,
  types: readonly string[],
  pattern: string,
  normalize: (value: unknown) => string | undefined,
  { reason, remedy }: FormFailure,
): z.ZodType {
  const crd = (): Record<string, unknown> =>
    types.length === 1
      ? { type: types[0], maxLength: 32, pattern }
      : { 'x-kubernetes-int-or-string': true, maxLength: longestQuantityText, pattern };
  const checked = leaf<string | number>(typeName, crd, (value, report) => {
    if (normalize(value) !== undefined) return;
    const code =
      value === undefined
        ? 'required'
        : types.includes(typeof value) || typeof value === 'number'
          ? 'bad-format'
          : 'wrong-type';
    report({ code, path: [], value, reason: value === undefined ? 'is missing' : reason, remedy });
  });
  return checked.overwrite((value) => normalize(value) ?? value);
}

/** Map with bounded count and checked keys. */
export function mapOf<T extends z.ZodType>(key: z.ZodString, value: T, max: number): z.ZodRecord<z.ZodString, T> {
  const schema = z.record(key, value).check((context) => {
    const count = Object.keys(context.value).length;
    if (count > max) {
      context.issues.push({ code: 'too_big', origin: 'object', maximum: max, inclusive: true, input: context.value });
    }
  });
  return withFacts(schema, { maxEntries: max });
}

/** List with a bounded count. */
export const listOf = <T extends z.ZodType>(item: T, max: number, min = 0): z.ZodArray<T> =>
  z.array(item).min(min).max(max);

/** List of objects with unique key fields. */
export function keyedList<T extends z.ZodType>(item: T, keys: readonly string[], max: number): z.ZodArray<T> {
  const schema = z
    .array(item)
    .max(max)
    .check((context) => {
      const seen = new Set<string>();
      context.value.forEach((entry, index) => {
        const found = keys.map((key) => (entry as Record<string, unknown>)[key]);
        const identity = JSON.stringify(found);
        if (seen.has(identity)) {
          const problem = duplicate([index, keys[0] ?? ''], found[0], 'another entry');
          context.issues.push({
            code: 'custom',
            input: found[0],
            path: [...problem.path],
            message: problem.reason,
            params: { problem },
          });
        }
        seen.add(identity);
      });
    });
  return withFacts(schema, { listKeys: keys });
}

/** Returns the problem of a duplicate entry. */
export const duplicate = (path: FieldPath, value: unknown, what: string): Problem => ({
  code: 'duplicate',
  path,
  value,
  reason: `is used by ${what}`,
  remedy: 'use unique names',
});
