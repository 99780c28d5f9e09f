import {
  array,
  assert,
  constantFrom,
  dictionary,
  integer,
  letrec,
  nat,
  oneof,
  property,
  string,
  type Arbitrary,
} from 'fast-check';
import { formatPath, valueAt, withoutMember, type FieldPath } from '../../lib/api';
import { setAtPath, resolveFieldPath, parseFieldPath } from '../../lib/artifact/field-path';

const key = (): Arbitrary<string> =>
  oneof(constantFrom('app', 'spec', 'a-b', 'x.y/z', '__proto__', '0', 'name'), string());
const { document } = letrec((tie) => ({
  document: dictionary(key(), tie('value'), { maxKeys: 4 }),
  value: oneof({ depthSize: 'small' }, integer(), string(), tie('document'), array(tie('value'), { maxLength: 3 })),
})) as { document: Arbitrary<unknown> };

/** Returns the paths of all scalars below a value. */
function scalarPaths(value: unknown, path: FieldPath = []): FieldPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((entry, index) => scalarPaths(entry, [...path, index]));
  return Object.entries(value).flatMap(([name, member]) => scalarPaths(member, [...path, name]));
}

test('a path printed in a message parses to the same path', () => {
  const step = oneof(key(), nat(999_999));
  assert(
    property(key(), array(step, { maxLength: 6 }), (first, rest) => {
      const path = [first, ...rest];
      expect(parseFieldPath(formatPath(path))).toEqual(path);
    }),
  );
  expect(parseFieldPath('spec.template.spec.containers[app-1].env["a]b"].value')).toEqual([
    'spec',
    'template',
    'spec',
    'containers',
    'app-1',
    'env',
    'a]b',
    'value',
  ]);
});

test.each([
  '',
  '.spec',
  'spec.',
  'spec..a',
  'spec[',
  'spec[]',
  'spec[a',
  'spec["a]',
  'spec a',
  'spec[1.5]',
  'spec["\\x"]',
])('%j is not a path', (text) => expect(parseFieldPath(text)).toBeUndefined());

test('a substitution changes only its own path', () => {
  assert(
    property(document, nat(), (whole, choice) => {
      const all = scalarPaths(whole);
      const path = all[choice % Math.max(1, all.length)];
      if (!path || path.length === 0) return;
      const before = JSON.stringify(whole);
      expect(resolveFieldPath(whole, path)).toEqual({ path });
      const after = setAtPath(whole, path, 'filled');
      expect(valueAt(after, path)).toBe('filled');
      if (path.every((step) => typeof step === 'string'))
        expect(withoutMember(after, path)).toEqual(withoutMember(whole, path));
      expect(scalarPaths(after).filter((other) => valueAt(after, other) !== valueAt(whole, other))).toEqual(
        valueAt(whole, path) === 'filled' ? [] : [path],
      );
      expect(JSON.stringify(whole)).toBe(before);
    }),
  );
});

test('list entries are found by name or index, and must exist', () => {
  const containers = [{ name: 'proxy' }, { name: 'app', image: 'old' }];
  const at = (text: string) => resolveFieldPath({ spec: { containers, args: ['a', 'b'] } }, parseFieldPath(text) ?? []);
  expect(at('spec.containers[app].image')).toEqual({ path: ['spec', 'containers', 1, 'image'] });
  expect(at('spec.containers[0].image')).toEqual({ path: ['spec', 'containers', 0, 'image'] });
  expect(at('spec.args[1]')).toEqual({ path: ['spec', 'args', 1] });
  expect(at('spec.containers[web].image')).toMatchObject({ reason: 'does not exist: "web" not found' });
  expect(at('spec.args[2]')).toMatchObject({ reason: 'does not exist: 2 not found' });
  expect(at('spec.args[0].x')).toMatchObject({ reason: 'does not exist: "x" not found' });
  expect(at('spec.containers')).toMatchObject({ reason: 'is a map or a list' });
});

test('missing maps on the path are created', () => {
  const path = parseFieldPath('metadata.annotations["example.com/commit"]') ?? [];
  expect(resolveFieldPath({ metadata: { name: 'cart' } }, path)).toEqual({ path });
  expect(setAtPath({ metadata: { name: 'cart' } }, path, 'c')).toEqual({
    metadata: { name: 'cart', annotations: { 'example.com/commit': 'c' } },
  });
});
