import * as z from 'zod';
import { schemaProblems, textForm } from '../../lib/api';
import { crdOf } from '../../lib/api/crd/crd';
import { duration, keyedList, label, mapOf, quantity } from '../../lib/api/schema/field';
import { withFacts } from '../../lib/api/schema/field-facts';

const problemsOf = (schema: z.ZodType, input: unknown) => {
  const parsed = schema.safeParse(input, { reportInput: false });
  return parsed.success ? [] : schemaProblems(schema, input, parsed.error.issues, ['spec']);
};

const day = () => z.string().check(textForm(/^\d{4}-\d{2}-\d{2}$/, 'is not a day | date', 'write YYYY-MM-DD | a date'));

const notALabel = {
  code: 'bad-format',
  reason: 'is not a lower-case DNS label',
  remedy: 'write a lower-case DNS label, such as "cart"',
};
const path = ['spec', 'field'];

test.each<[title: string, field: z.ZodType, value: unknown, problem: object]>([
  ['a string with an invalid format', label(), 'A_B', { ...notALabel, path, value: 'A_B' }],
  [
    'a format description with a pipe',
    day(),
    'monday',
    { code: 'bad-format', path, value: 'monday', reason: 'is not a day | date', remedy: 'write YYYY-MM-DD | a date' },
  ],
  [
    'a key with an invalid format',
    mapOf(label(), z.string(), 3),
    { A_B: 'x' },
    { ...notALabel, path: [...path, 'A_B'], value: 'A_B' },
  ],
  [
    'a quantity',
    quantity(),
    'much',
    {
      code: 'bad-format',
      path,
      value: 'much',
      reason: 'is not a quantity',
      remedy: 'write a quantity, such as "500m" or "1Gi"',
    },
  ],
  [
    'a duration of the wrong type',
    duration(),
    true,
    {
      code: 'wrong-type',
      path,
      value: true,
      reason: 'is not a duration',
      remedy: 'write a duration, such as "90s", "1h30m" or "7d"',
    },
  ],
  [
    'a string that matches none of several formats',
    z.union([day(), label()]),
    'A_B',
    {
      code: 'wrong-type',
      path,
      value: 'A_B',
      reason: 'has an unsupported type',
      remedy: 'write a day | date or a lower-case DNS label',
    },
  ],
  [
    'a format that zod checks',
    z.iso.datetime(),
    'monday',
    { code: 'bad-format', path, value: 'monday', reason: 'Invalid ISO datetime', remedy: 'correct it' },
  ],
  [
    'a duplicate entry',
    keyedList(z.strictObject({ name: label() }), ['name'], 3),
    [{ name: 'a' }, { name: 'a' }],
    {
      code: 'duplicate',
      path: [...path, 1, 'name'],
      value: 'a',
      reason: 'is used by another entry',
      remedy: 'use unique names',
    },
  ],
  [
    'a custom issue without data',
    z.string().refine(() => false, 'is not so'),
    'x',
    { code: 'bad-format', path, value: 'x', reason: 'is not so', remedy: 'correct it' },
  ],
])('%s is a structured problem', (_, field, value, problem) => {
  expect(problemsOf(z.strictObject({ field }), { field: value })).toEqual([problem]);
});

test('reports all failures of a string', () => {
  const codes = problemsOf(z.strictObject({ field: label() }), { field: 'A'.repeat(64) }).map(({ code }) => code);
  expect(codes).toEqual(['out-of-range', 'bad-format']);
});

test('does not show the value of a hidden field', () => {
  const schema = z.strictObject({ field: withFacts(label(), { hidden: true }) });
  expect(problemsOf(schema, { field: 'A_B' })).toEqual([{ ...notALabel, path }]);
});

test('the pattern of a string format is visible in CRDs and in JSON Schema', () => {
  expect(z.toJSONSchema(day())).toMatchObject({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
  expect(JSON.stringify(crdOf('PinterestService'))).toContain(
    'is not a label key; write a label key, such as \\"example.com/cost-center\\"',
  );
});
