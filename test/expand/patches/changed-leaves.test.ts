import { changedLeaves } from '../../../lib/expand/patches/changed-leaves';

test.each<[title: string, before: unknown, after: unknown, changed: readonly string[]]>([
  ['nothing', { a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 2 }] } }, []],
  ['a value', { a: { b: 1, c: 2 } }, { a: { b: 3, c: 2 } }, ['a.b']],
  ['an added field', { a: {} }, { a: { b: 1 } }, ['a.b']],
  ['a removed field', { a: { b: 1, c: 2 } }, { a: { c: 2 } }, ['a.b']],
  ['a removed map', { a: { b: { c: 1 } } }, { a: {} }, ['a.b.c']],
  ['an inserted entry', [1, 2], [0, 1, 2], ['0', '1', '2']],
  ['a removed entry', [1, 2], [2], ['0', '1']],
  ['a scalar that becomes a map', { a: 1 }, { a: { b: 1 } }, ['a', 'a.b']],
  ['a map that becomes null', { a: { b: 1 } }, { a: null }, ['a', 'a.b']],
  ['a map that becomes a list', { a: { 0: 1 } }, { a: [1] }, ['a']],
  ['an empty map that becomes an empty list', { a: {} }, { a: [] }, ['a']],
  ['null instead of nothing', {}, { a: null }, ['a']],
])('%s', (_, before, after, changed) => {
  expect(changedLeaves(before, after).map((path) => path.join('.'))).toEqual(changed);
});

test('a key of the prototype is a field like any other', () => {
  const after: unknown = JSON.parse('{"a":{"__proto__":{"b":1},"constructor":2}}');
  expect(changedLeaves({ a: {} }, after).map((path) => path.join('.'))).toEqual(['a.__proto__.b', 'a.constructor']);
});
