import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crdOf, pinionKinds, workloadKinds, type PinionKind } from '../../lib/api';
import { defaultProfile } from '../../lib/expand/profile/default-profile';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

const page = readFileSync(join(__dirname, '../../docs/field-coverage.md'), 'utf8');
const sections = page.split(/^## /m).slice(1);
const rows = sections.flatMap((section) => {
  const [title = '', ...lines] = section.split('\n');
  const kinds = title === 'Common' ? Object.keys(workloadKinds) : [title];
  return lines
    .filter((line) => line.startsWith('|') && !/^\|\s*(Field|---)/.test(line))
    .map((line) => ({ title, kinds, cells: line.split('|').map((cell) => cell.trim()) }));
});

/** A path of a spec, with its kind if that is not the kind of the section. */
const pathForm = /^(?:([A-Z]\w+) )?(spec(?:\.[\w<>[\]]+)+)$/;
const paths = rows.flatMap(({ kinds, cells }) =>
  [...cells.join('|').matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => {
    const [, other, path = ''] = pathForm.exec(code) ?? [];
    if (path === '') return [];
    return (other === undefined ? kinds : [other]).map((kind): [string, string] => [kind, path]);
  }),
);

function specOf(kind: PinionKind): Schema {
  const { versions } = (crdOf(kind) as unknown as { spec: { versions: { schema: { openAPIV3Schema: Schema } }[] } })
    .spec;
  return versions[0]?.schema.openAPIV3Schema ?? {};
}

function has(schema: Schema | undefined, steps: readonly string[]): boolean {
  if (schema === undefined) return false;
  const [step, ...rest] = steps;
  if (step === undefined) return true;
  if (step === '[]') return has(schema.items, rest);
  return has(/^<\w+>$/.test(step) ? schema.additionalProperties : schema.properties?.[step], rest);
}

test('the page has a section for shared fields and for each kind', () => {
  expect(sections.map((section) => section.split('\n')[0])).toEqual(
    expect.arrayContaining(['Common', 'Injected env', ...Object.keys(workloadKinds)]),
  );
  expect(paths.length).toBeGreaterThan(100);
});

test.each([...new Map(paths.map((entry) => [entry.join(' '), entry])).values()])('%s has %s', (kind, path) => {
  expect(Object.keys(pinionKinds)).toContain(kind);
  expect(has(specOf(kind as PinionKind), path.replaceAll('[]', '.[]').split('.'))).toBe(true);
});

test('every variable that the page lists is in the default profile', () => {
  const names = new Set(defaultProfile.spec.env?.map(({ name }) => name));
  const documented = rows
    .filter(({ title }) => title === 'Injected env')
    .flatMap(({ cells }) => [...(cells[2] ?? '').matchAll(/PINION_\w+/g)].map(([name]) => name));
  expect(documented.filter((name) => !names.has(name))).toEqual([]);
  expect(documented.length).toBeGreaterThan(10);
});

test('every row has a location, or a reason why there is none', () => {
  for (const { cells } of rows) expect([cells[1], cells[2] !== '' || cells[3] !== '']).toEqual([cells[1], true]);
});
