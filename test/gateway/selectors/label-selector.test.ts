import fc from 'fast-check';
import { type Labels, parseLabelSelector } from '../../../lib/gateway/selectors/label-selector';

/** Requirement of a label selector, independent of its text. */
interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

const keys = ['app', 'tier', 'in', 'notin', 'example.com/app', 'A_b.c-d'];
const values = ['', 'web', 'a.b_c-d', '5', '12', '007'];
const key = fc.constantFrom(...keys);
const value = fc.constantFrom(...values);
const space = fc.constantFrom('', ' ', '  ', '\t');
const gap = fc.constantFrom(' ', '\t', '  ');
const number = fc.integer({ min: 0, max: 20 }).map(String);
const labels = fc.dictionary(key, value).map((object): Labels => ({ ...object }));

const spelled = (requirement: Requirement, parts: readonly string[]): { requirement: Requirement; text: string } => ({
  requirement,
  text: parts.join(''),
});
const existence = fc
  .tuple(key, fc.boolean(), space, space)
  .map(([name, isAbsent, before, after]) =>
    spelled({ key: name, operator: isAbsent ? '!' : 'exists', values: [] }, [before, isAbsent ? '!' : '', after, name]),
  );
const equality = fc
  .tuple(key, fc.constantFrom('=', '==', '!='), value, space, space)
  .map(([name, operator, wanted, before, after]) =>
    spelled({ key: name, operator, values: [wanted] }, [name, before, operator, after, wanted]),
  );
const order = fc
  .tuple(key, fc.constantFrom('<', '>'), number, space)
  .map(([name, operator, bound, before]) =>
    spelled({ key: name, operator, values: [bound] }, [name, before, operator, bound]),
  );
const set = fc
  .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1, maxLength: 3 }), gap, space, space)
  .map(([name, operator, wanted, before, after, between]) =>
    spelled({ key: name, operator, values: wanted }, [
      name,
      before,
      operator,
      after,
      '(',
      wanted.join(`,${between}`),
      ')',
    ]),
  );
const requirement = fc.oneof(existence, equality, order, set);

/** Whether labels meet a requirement, by the definitions of the Kubernetes documentation. */
function meets({ key: name, operator, values: wanted }: Requirement, object: Labels): boolean {
  const has = Object.keys(object).includes(name);
  const actual = object[name] ?? '';
  const isOneOf = has && wanted.some((text) => text === actual);
  const isNumber = has && /^\d+$/.test(actual);
  switch (operator) {
    case 'exists':
      return has;
    case '!':
      return !has;
    case '>':
      return isNumber && BigInt(actual) > BigInt(wanted[0] ?? '');
    case '<':
      return isNumber && BigInt(actual) < BigInt(wanted[0] ?? '');
    default:
      return ['=', '==', 'in'].includes(operator) ? isOneOf : !isOneOf;
  }
}

test('a selector selects what meets each of its requirements', () => {
  fc.assert(
    fc.property(fc.array(requirement, { minLength: 1, maxLength: 4 }), labels, (parts, object) => {
      const selector = parseLabelSelector(parts.map(({ text }) => text).join(','));
      expect(selector?.(object)).toBe(parts.every((part) => meets(part.requirement, object)));
    }),
  );
});

test('a text is understood or left to the API server, but never fails', () => {
  const characters = fc.constantFrom(...'ab/.-_=!<>(), \t\\"é'.split(''), 'in', 'notin');
  fc.assert(
    fc.property(fc.array(characters, { maxLength: 24 }), labels, (text, object) => {
      expect(['boolean', 'undefined']).toContain(typeof parseLabelSelector(text.join(''))?.(object));
    }),
  );
});

test.each([
  ...['a=b=c', 'a===b', '=b', '!', '!a=b', '!!a', 'a!', 'a in', 'a in b', 'a in (b', 'a in b)', 'a in ((b))'],
  ...[
    'a in (b c)',
    'ain (b)',
    'in (b)',
    'a,',
    ',a',
    'a,,b',
    'a b',
    'a=b c',
    'a<',
    'a>x',
    'a>1.5',
    'a=-b',
    'a=b-',
    'a="b"',
  ],
  ...['-a', 'a-', 'a/b/c', '/a', 'a/', 'A.com/a', 'é', 'a=é', `a=${'b'.repeat(64)}`, 'a'.repeat(64)],
  ...[`${'a'.repeat(254)}/b`, 'a\\,b', "a=b'", 'a;b', 'a=b;c'],
])('%j is left to the API server, which refuses it', (text) => {
  expect(parseLabelSelector(text)).toBeUndefined();
});

test.each([
  ['', {}, true],
  ['  ', { a: 'b' }, true],
  ['a=', { a: '' }, true],
  ['a=', {}, false],
  ['a in ()', { a: '' }, true],
  ['a in (,b)', { a: '' }, true],
  ['a in (b,)', { a: '' }, true],
  ['a notin (b)', {}, true],
  ['a!=b', {}, true],
  ['!toString', {}, true],
  ['constructor', {}, false],
  ['a>5', { a: 'x' }, false],
  ['a>5', {}, false],
  [`a=${'b'.repeat(63)}`, { a: 'b'.repeat(63) }, true],
])('%j with the labels %j: %p', (text, object, does) => {
  expect(parseLabelSelector(text)?.(object)).toBe(does);
});

test.each(['a>-5', 'a<-5', 'a..b/c', 'a.-b/c', '\u00a0a', 'a=\u00a0b'])(
  '%j, which the API server refuses, is left to it',
  (text) => {
    expect(parseLabelSelector(text)).toBeUndefined();
  },
);

test('a number that does not fit 64 bits is no number, and one that does is exact', () => {
  expect(parseLabelSelector('a>5')?.({ a: '99999999999999999999' })).toBe(false);
  expect(parseLabelSelector('a>5')?.({ a: '9223372036854775807' })).toBe(true);
});

test('a long text is read in time proportional to its length', () => {
  // Quadratic time would take a quarter of an hour.
  expect(parseLabelSelector(`${' '.repeat(1_000_000)}=`)).toBeUndefined();
});

test.each([
  ['32 requirements', Array.from({ length: 32 }, (_, index) => `!k${index}`).join(','), true],
  ['33 requirements', Array.from({ length: 33 }, (_, index) => `!k${index}`).join(','), false],
  ['32 values', `a notin (${Array.from({ length: 32 }, (_, index) => `v${index}`).join(',')})`, true],
  ['33 values', `a notin (${Array.from({ length: 33 }, (_, index) => `v${index}`).join(',')})`, false],
  ['1,000 characters', `${' '.repeat(998)}!a`, true],
  ['1,001 characters', `${' '.repeat(999)}!a`, false],
])('a selector of %s is matched here: %#', (_what, text, isMatched) => {
  expect(parseLabelSelector(text)?.({})).toBe(isMatched ? true : undefined);
});
