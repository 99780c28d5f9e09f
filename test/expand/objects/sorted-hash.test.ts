import { freeze, shortHash, sortedHash } from '../../../lib/expand';

test('the order of keys does not matter, and that of lists does', () => {
  expect(sortedHash({ a: 1, b: [{ c: 2, d: null }] })).toBe(sortedHash({ b: [{ d: null, c: 2 }], a: 1 }));
  expect(sortedHash([1, 2])).not.toBe(sortedHash([2, 1]));
});

test('the hash is of the JSON with sorted keys, without members that are undefined', () => {
  const value = { b: 'é "quoted"', a: [undefined, true, 1.5, {}, []], c: undefined };
  expect(sortedHash(value)).toBe(shortHash(JSON.stringify({ a: value.a, b: value.b })));
});

test('frozen values that are shared have the same hash as others', () => {
  const part = () => ({ z: [{ y: 1, x: 2 }] });
  const shared = freeze(part());
  expect([sortedHash({ a: shared }), sortedHash({ a: shared, b: 1 }), sortedHash(shared)]).toEqual([
    sortedHash({ a: part() }),
    sortedHash({ a: part(), b: 1 }),
    sortedHash(part()),
  ]);
});

test('keys that are numbers come first, by their value, as in hashes of former versions', () => {
  const ports = { '443': 'https', '80': 'http', '08': 'a', name: 'b', '-1': 'c' };
  expect(sortedHash({ ports })).toBe('22de46caaf');
});
