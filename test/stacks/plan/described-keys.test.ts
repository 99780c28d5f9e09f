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

type Row = readonly [key: string, defaultValue: string, meaning: string];

/** Returns the rows of the table between two markers of the page, without its header. */
const tableRows = (marker: string): Row[] =>
  (page.split(`<!-- ${marker}:begin -->`)[1] ?? '')
    .split(`<!-- ${marker}:end -->`)[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, key = '', defaultValue = '', meaning = '']): Row => [key, defaultValue, meaning]) ?? [];

function defaultOf({ default: defaultValue, properties }: Schema, required: boolean): string {
  if (required) return 'required';
  if (defaultValue === undefined || properties) return '';
  return `\`${typeof defaultValue === 'string' && defaultValue !== '' ? defaultValue : JSON.stringify(defaultValue)}\``;
}

const meaningOf = ({ description = '', enum: values }: Schema): string =>
  [description, values && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`].filter(Boolean).join(' ');

/** Returns the row of the key, followed by those of its fields; an object has no default of its own. */
function rowsOf(path: string, schema: Schema, required: boolean): Row[] {
  const { properties, items, additionalProperties } = schema;
  const entries = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const children = [
    ...Object.entries(properties ?? {}).flatMap(([name, one]) =>
      rowsOf(`${path}.${name}`, one, schema.required?.includes(name) === true),
    ),
    ...(items?.properties ? rowsOf(`${path}[]`, items, true).slice(1) : []),
    ...(entries?.properties ? rowsOf(`${path}.NAME`, entries, true).slice(1) : []),
  ];
  return [[`\`${path}\``, defaultOf(schema, required), meaningOf(schema)], ...children];
}

const rowsOfAll = (schema: z.ZodObject, keys: readonly string[]): Row[] => {
  const jsonSchema = z.toJSONSchema(schema, { io: 'input' }) as Schema;
  return keys.flatMap((key) =>
    rowsOf(key, jsonSchema.properties?.[key] ?? {}, jsonSchema.required?.includes(key) === true),
  );
};

/**
 * Compares the table between two markers with the schema; with UPDATE_GOLDEN it is rewritten, and the test still fails.
 */
function expectTable(marker: string, rows: readonly Row[]): void {
  const table = tableRows(marker);
  if (process.env['UPDATE_GOLDEN'] && JSON.stringify(table) !== JSON.stringify(rows)) {
    const [begin, end] = [`<!-- ${marker}:begin -->`, `<!-- ${marker}:end -->`];
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
  const rows = [...tableRows('cluster-keys'), ...tableRows('platform-keys')];
  expect(rows.filter(([, , meaning]) => meaning === '')).toEqual([]);
});
