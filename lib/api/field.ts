import * as z from 'zod';
import { durationPattern, formatDuration, parseDuration } from './duration';
import { type FieldPath, type Problem } from './problem';
import { parseQuantity, formatQuantity, longestQuantityText, quantityPattern } from './quantity';
import { type Rule } from './rule';

/** What a schema carries beside its shape; read when problems, CRDs and docs are derived from it. */
export interface FieldFacts {
  /** Rules across the fields of this object. */
  readonly rules?: readonly Rule[];
  /** CRD schema of a leaf, which zod cannot see into. */
  readonly crd?: () => Record<string, unknown>;
  /** How docs name the type of a leaf, and TypeScript's name for it. */
  readonly typeName?: string;
  /** Values may hold secrets and are never shown. */
  readonly hidden?: boolean;
  /** List of objects keyed by these fields; entries with equal keys are a problem. */
  readonly listKeys?: readonly string[];
  /** Most entries of a map. */
  readonly maxEntries?: number;
}

/** Facts by schema; a schema that `describe` or `optional` makes from another keeps them. */
export const fieldFacts = z.registry<FieldFacts>();

/** Attaches rules across fields to an object schema. */
export function withRules<T extends z.ZodType>(schema: T, rules: readonly Rule[]): T {
  return withFacts(schema, { rules });
}

/** Attaches facts to a schema, keeping those that it has. */
export function withFacts<T extends z.ZodType>(schema: T, facts: FieldFacts): T {
  fieldFacts.add(schema, { ...fieldFacts.get(schema), ...facts });
  return schema;
}

/** A problem within a leaf, its path relative to the leaf. */
export type LeafReport = (problem: Problem) => void;

/** A value that is checked by a function of ours instead of by zod: native Kubernetes types, quantities, durations. */
export function leaf<T>(
  typeName: string,
  crd: () => Record<string, unknown>,
  check: (value: unknown, report: LeafReport) => void,
): z.ZodCustom<T, T> {
  const schema = z.custom<T>().check((context) => {
    check(context.value, (problem) => {
      context.issues.push({
        code: 'custom',
        input: context.value,
        path: [...problem.path],
        message: problem.reason,
        params: { problem },
      });
    });
  });
  return withFacts(schema, { crd, typeName }) as z.ZodCustom<T, T>;
}

/** Text of a stated form, with an example of it. */
export function text(form: { pattern: RegExp; what: string; example: string; max: number }): z.ZodString {
  return z
    .string()
    .max(form.max)
    .regex(form.pattern, { error: `is not ${form.what}|write ${form.what}, such as "${form.example}"` });
}

/** Free text on one or more lines. */
export const sentence = (max = 1024): z.ZodString => z.string().min(1).max(max);

/** DNS label: what names most things in Kubernetes. */
export const label = (example = 'cart'): z.ZodString =>
  text({ pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, what: 'a lower-case DNS label', example, max: 63 });

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

/** Label value of Kubernetes. */
export const labelValue = (): z.ZodString =>
  text({ pattern: /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/, what: 'a label value', example: 'v1.4.2', max: 63 });

/** Label or annotation key of Kubernetes. */
export const labelKey = (): z.ZodString =>
  text({
    pattern: /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
    what: 'a label key',
    example: 'example.com/cost-center',
    max: 317,
  });

/** Whole number within bounds. */
export const whole = (minimum: number, maximum: number): z.ZodNumber => z.int().min(minimum).max(maximum);

/** TCP or UDP port. */
export const port = (): z.ZodNumber => whole(1, 65535);

const quantityForm = new RegExp(quantityPattern);

/** Quantity of Kubernetes, `100m` or `1Gi`; completed to its canonical text. */
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
    'a quantity|write a quantity, such as "500m" or "1Gi"',
  ) as z.ZodType<string, string | number>;

/** Duration, `90s`, `1h30m` or `7d`; completed to its canonical text. */
export const duration = (): z.ZodType<string, string> =>
  normalized(
    'Duration',
    ['string'],
    durationPattern,
    (value) => {
      const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
      return parsed && formatDuration(parsed);
    },
    'a duration|write a duration, such as "90s", "1h30m" or "7d"',
  ) as z.ZodType<string, string>;

function normalized(
  typeName: string,
  types: readonly string[],
  pattern: string,
  normalize: (value: unknown) => string | undefined,
  words: string,
): z.ZodType {
  const [what = '', remedy = ''] = words.split('|');
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
    report({ code, path: [], value, reason: value === undefined ? 'is missing' : `is not ${what}`, remedy });
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

/** List of objects of which no two have the same key fields. */
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
          const problem = duplicate([index, keys[0] ?? ''], found[0], 'an entry of this name');
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

/** The problem that two entries share what must be unique. */
export const duplicate = (path: FieldPath, value: unknown, what: string): Problem => ({
  code: 'duplicate',
  path,
  value,
  reason: `${what} exists already`,
  remedy: 'give each entry a name of its own',
});
