import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { clusterSchema } from '../../../stacks/plan/config/cluster-config';
import { operatorFields, platformStackSchema } from '../../../stacks/plan/platform/config/platform-stack-config';

const path = join(__dirname, '../../../docs/cluster.md');
const page = readFileSync(path, 'utf8');

/** Fields of a JSON schema that the table shows. */
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

/** Returns the rows of the table between two marks of the page, without its header. */
const written = (mark: string): Row[] =>
  (page.split(`<!-- ${mark}:begin -->`)[1] ?? '')
    .split(`<!-- ${mark}:end -->`)[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, key = '', standard = '', meaning = '']): Row => [key, standard, meaning]) ?? [];

function standardOf({ default: standard, properties }: Schema, required: boolean): string {
  if (required) return 'required';
  if (standard === undefined || properties) return '';
  return `\`${typeof standard === 'string' && standard !== '' ? standard : JSON.stringify(standard)}\``;
}

const meaningOf = ({ description = '', enum: values }: Schema): string =>
  [description, values && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`].filter(Boolean).join(' ');

/** Returns the row of the key, followed by those below it; a group has no default of its own. */
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

/**
 * Compares the table between two marks with the schema; with UPDATE_GOLDEN it is rewritten, and the test still fails.
 */
function expectTable(mark: string, rows: readonly Row[]): void {
  const table = written(mark);
  if (process.env['UPDATE_GOLDEN'] && JSON.stringify(table) !== JSON.stringify(rows)) {
    const [begin, end] = [`<!-- ${mark}:begin -->`, `<!-- ${mark}:end -->`];
    const text = [['key', 'default', 'meaning'], ['---', '---', '---'], ...rows].map((row) => `| ${row.join(' | ')} |`);
    const [before = '', after = ''] = readFileSync(path, 'utf8').split(new RegExp(`${begin}[^]*${end}`));
    writeFileSync(path, `${before}${begin}\n\n${text.join('\n')}\n\n${end}${after}`);
  }
  expect(table).toEqual(rows);
}

test('docs/cluster.md lists every key of the cluster configuration with its default and meaning', () => {
  expectTable('cluster-keys', rowsOfAll(clusterSchema, Object.keys(clusterSchema.shape)));
});

test('docs/cluster.md lists every key of the platform configuration', () => {
  expectTable('platform-keys', rowsOfAll(platformStackSchema, operatorFields));
});

test('every key has a description', () => {
  const rows = [...written('cluster-keys'), ...written('platform-keys')];
  expect(rows.filter(([, , meaning]) => meaning === '')).toEqual([]);
});
