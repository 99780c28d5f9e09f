import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { clusterSchema } from '../../../stacks/plan/cluster-config';
import { personalFacts, platformFactsSchema } from '../../../stacks/plan/platform/platform-facts';

const page = readFileSync(join(__dirname, '../../../docs/cluster.md'), 'utf8');

/** As much of a JSON schema as a table tells. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

type Row = readonly [key: string, standard: string, meaning: string];

/** Rows of the table between two marks of the page, its head apart. */
const written = (mark: string): Row[] =>
  (page.split(`<!-- ${mark}:begin -->`)[1] ?? '')
    .split(`<!-- ${mark}:end -->`)[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, key = '', standard = '', meaning = '']): Row => [key, standard, meaning]) ?? [];

function standardOf({ default: standard, properties }: Schema, required: boolean): string {
  if (required) return 'must be given';
  if (standard === undefined || properties) return '';
  return `\`${typeof standard === 'string' && standard !== '' ? standard : JSON.stringify(standard)}\``;
}

const meaningOf = ({ description = '', enum: values }: Schema): string =>
  [description, values && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`].filter(Boolean).join(' ');

/** The key itself, then what is below it; a group of keys has no default, since each of them has its own. */
function rowsOf(path: string, schema: Schema, required: boolean): Row[] {
  const { properties, items, additionalProperties } = schema;
  const entries = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const below = [
    ...Object.entries(properties ?? {}).flatMap(([name, one]) =>
      rowsOf(`${path}.${name}`, one, schema.required?.includes(name) === true),
    ),
    ...(items?.properties ? rowsOf(`${path}[]`, items, true).slice(1) : []),
    ...(entries?.properties ? rowsOf(`${path}.NAME`, entries, true).slice(1) : []),
  ];
  return [[`\`${path}\``, standardOf(schema, required), meaningOf(schema)], ...below];
}

const rowsOfAll = (schema: z.ZodObject, keys: readonly string[]): Row[] => {
  const whole = z.toJSONSchema(schema, { io: 'input' }) as Schema;
  return keys.flatMap((key) => rowsOf(key, whole.properties?.[key] ?? {}, whole.required?.includes(key) === true));
};

test('the page names every key of the description of a cluster, with its default and meaning', () => {
  expect(written('cluster-keys')).toEqual(rowsOfAll(clusterSchema, Object.keys(clusterSchema.shape)));
});

test('the page names every key that is said of a platform', () => {
  expect(written('platform-keys')).toEqual(rowsOfAll(platformFactsSchema, personalFacts));
});

test('every key says what it means', () => {
  const rows = [...written('cluster-keys'), ...written('platform-keys')];
  expect(rows.filter(([, , meaning]) => meaning === '')).toEqual([]);
});
