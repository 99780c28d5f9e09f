import { assert, jsonValue, nat, property, shuffledSubarray } from 'fast-check';
import { canonicalJson, readCanonicalJson } from '../../lib/artifact/canonical-json';

test('the example of RFC 8785 has its canonical text', () => {
  const value = {
    // oxlint-disable-next-line no-loss-of-precision
    numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '€$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
  };
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('keys are sorted by UTF-16 code units', () => {
  const value = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
  expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
});

test('the same value in different orders has one canonical text, which parses to that value', () => {
  assert(
    property(jsonValue({ noUnicodeString: false }), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(value))).toBe(text);
      expect(readCanonicalJson(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
});

test('a string with anything extra is not canonical', () => {
  const text = canonicalJson({ a: [1, 'b', { c: null }], d: 'e f' });
  assert(
    property(nat(text.length), shuffledSubarray([' ', '\n', '\t', '\ufeff'], { minLength: 1 }), (at, [extra = '']) => {
      const other = `${text.slice(0, at)}${extra}${text.slice(at)}`;
      expect(
        readCanonicalJson(Buffer.from(other)) === undefined || other.includes(`e${extra}`) || isWithin(other),
      ).toBe(true);
    }),
  );
  for (const other of ['{"a":1,"a":1}', '{"b":1,"a":2}', '1.0', '"\\u0061"', '-0', '{"a":1}x', ''])
    expect(readCanonicalJson(Buffer.from(other))).toBeUndefined();
  expect(readCanonicalJson(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined();
});

/** Returns whether the inserted character is inside a string of the text, where it is valid. */
const isWithin = (other: string): boolean => /"[^",:[\]{}]*[ \ufeff][^",:[\]{}]*"/.test(other);

test.each([
  ['a number without a value', Number.NaN],
  ['a lone surrogate', '\ud800'],
  ['a lone surrogate as a key', { '\udc00': 1 }],
  ['a big integer', 1n],
  ['a function', () => undefined],
])('%s has no canonical text', (_, value) => {
  expect(() => canonicalJson([value])).toThrow(TypeError);
});

test('an undefined member is omitted', () => {
  expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
});

/** Returns the same value with the members of every map reversed. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
