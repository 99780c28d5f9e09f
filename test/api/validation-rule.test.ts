import { celError, evaluateCel } from '../../lib/api/rules/cel';
import { apiVersion, safeParseManifest } from '../../lib/api';
import { type Problem } from '../../lib/api/problem';
import { checkRule, type ValidationRule } from '../../lib/api/rules/validation-rule';

const rule = (cel: string, more: Partial<ValidationRule> = {}): ValidationRule => ({
  name: 'r',
  cel,
  reason: 'is wrong',
  remedy: 'correct it',
  ...more,
});

function violationsOf(given: ValidationRule, self: unknown, variables?: Readonly<Record<string, unknown>>): Problem[] {
  const problems: Problem[] = [];
  checkRule(given, self, ['spec'], (problem) => problems.push(problem), variables);
  return problems;
}

test("a violated rule is reported as a problem with the rule's name, code and path", () => {
  const given = rule('self.min <= self.max', { fieldPath: ['min'], code: 'out-of-range' });
  expect(violationsOf(given, { min: 3, max: 2 })).toEqual([
    { code: 'out-of-range', path: ['spec', 'min'], value: 3, reason: 'is wrong', remedy: 'correct it', rule: 'r' },
  ]);
  expect(violationsOf(given, { min: 2, max: 3 })).toEqual([]);
});

test('a rule is skipped if one of its fields is absent', () => {
  const given = rule('!has(self.a) || !has(self.b) || nonsense(self.a)');
  expect(violationsOf(given, { a: 1 })).toEqual([]);
  expect(violationsOf(given, { b: 1, a: undefined })).toEqual([]);
});

test('a guard before a conditional does not guard the whole rule', () => {
  expect(violationsOf(rule('!has(self.a) || self.a ? false : true'), {})).toHaveLength(1);
});

test('transition rules (oldSelf) are skipped', () => {
  expect(violationsOf(rule('self.a == oldSelf.a'), { a: 1 })).toEqual([]);
});

test('a rule accepts values from another realm, such as those of structuredClone in a Jest test', () => {
  const self: unknown = structuredClone({ names: ['a', 'b'], more: [['c']] });
  expect(violationsOf(rule("self.names.all(name, name != 'b')"), self)).toHaveLength(1);
  expect(violationsOf(rule("self.more.all(list, 'c' in list)"), self)).toEqual([]);
  expect(evaluateCel('self.names.size() + self.more[0].size()', { self })).toBe(3);
});

test('a rule can refer to more than self', () => {
  const given = rule("self.tier in params.tiers && namespaceObject.metadata.name != 'x'");
  const more = { params: { tiers: ['gold'] }, namespaceObject: { metadata: { name: 'a' } } };
  expect(violationsOf(given, { tier: 'gold' }, more)).toEqual([]);
  expect(violationsOf(given, { tier: 'lead' }, more)).toHaveLength(1);
});

test.each<[string, unknown, unknown]>([
  ['self.list.size() == 2', { list: [1, 2] }, true],
  ['self.n * 2 == 6', { n: 3 }, true],
  ['self.n + 1', { n: 3 }, 4],
  ['self.f > 1.2', { f: 1.5 }, true],
  ["self.m.all(k, self.m[k] < 3) && 'a' in self.m", { m: { a: 1, b: 2 } }, true],
  ["quantity('1.5Gi').compareTo(quantity('1536Mi')) == 0", {}, true],
  ["quantity(string(self.q)).isGreaterThan(quantity('500m'))", { q: 1 }, true],
  ["isQuantity('1Gb')", {}, false],
  ["quantity('1Gi').sub(quantity('1Gi')).sign() == 0", {}, true],
  [
    'self.list.sum() == 6 && self.list.min() == 1 && self.list.max() == 3 && self.list.isSorted()',
    { list: [1, 2, 3] },
    true,
  ],
  ["self.t.matches('^a+$')", { t: 'aaa' }, true],
  ["self.t.find('[0-9]+') == '12'", { t: 'ab12cd3' }, true],
  ["self.t.findAll('[0-9]+').size() == 2", { t: 'ab12cd3' }, true],
  ['[has(self.a), has(self.b)].exists_one(x, x)', { a: 1 }, true],
  ['self.?a.orValue(5) == 5', {}, true],
  ['self == 5', 5, true],
])('%s evaluates as in the API server', (cel, self, expected) => {
  expect(evaluateCel(cel, { self })).toBe(expected);
});

test('rejects a string that is not CEL', () => {
  expect(celError('self.a ==')).toMatch(/./);
  expect(celError('self.a == 1')).toBeUndefined();
});

test('a rule that declares its fields is evaluated despite an invalid field that it does not read', () => {
  const violations = (spec: object) =>
    safeParseManifest({
      apiVersion,
      kind: 'PinterestService',
      metadata: { name: 'cart', namespace: 'shop' },
      spec: { template: { spec: { containers: [{ name: 'app', image: 'cart:1' }] } }, ...spec },
    }).problems.map(({ rule, path, value }) => [rule, path.join('.'), value] as const);
  const env = { DB_PASSWORD: 'hunter2' };
  expect(violations({ replicas: -1, config: { env } })).toEqual([
    [undefined, 'spec.replicas', -1],
    ['literal-secret', 'spec.config.env.DB_PASSWORD', undefined],
  ]);
  expect(violations({ config: { env: { ...env, 'A B': '' } } }).map(([rule]) => rule)).toEqual([
    undefined,
    'literal-secret',
  ]);
});

test('a missing field and an invalid container do not hide the rules of other fields', () => {
  const { problems } = safeParseManifest({
    apiVersion,
    kind: 'PinterestTrainingJob',
    metadata: { name: 'lm', namespace: 'shop' },
    spec: {
      framework: 'pytorch',
      config: { env: { API_TOKEN: 'hunter2-hunter2' }, files: { '/etc/lm/a': '' } },
      secrets: { files: { '/etc/lm': { name: 'lm' } } },
      access: { from: [{}] },
      template: {
        spec: {
          containers: [
            { name: 'app' },
            { name: 'helper', image: 'helper:1', resources: { limits: { memory: '128m' } } },
          ],
        },
      },
    },
  });
  expect(problems.map(({ path, rule }) => [path.join('.'), rule])).toEqual([
    ['spec.roles', undefined],
    ['spec.template.spec.containers.0.image', undefined],
    ['spec.config.files./etc/lm/a', 'file-in-secret'],
    ['spec.config.env.API_TOKEN', 'literal-secret'],
    ['spec.template.spec.containers.1.resources.limits.memory', 'memory-unit'],
    ['spec.access.from.0', 'access-peer'],
  ]);
});

test('an invalid list entry hides no rule of its neighbors, and keeps their positions', () => {
  const { problems } = safeParseManifest({
    apiVersion,
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: {
      access: { from: [{ project: 7 }, {}] },
      template: { spec: { containers: [{ name: 'app', image: 'cart:1' }] } },
    },
  });
  expect(problems.map(({ path, rule }) => [path.join('.'), rule])).toEqual([
    ['spec.access.from.0.project', undefined],
    ['spec.access.from.1', 'access-peer'],
  ]);
});

test.each([
  ['containers', [null, 7]],
  ['containers', 'app'],
  ['volumes', [null]],
])('%s of %j are a problem of their own, and no rule fails on them', (field, value) => {
  const pod = { containers: [{ name: 'app', image: 'cart:1' }], [field]: value };
  const { problems } = safeParseManifest({
    apiVersion,
    kind: 'PinterestTrainingJob',
    metadata: { name: 'lm', namespace: 'shop' },
    spec: {
      framework: 'pytorch',
      roles: { worker: { template: { spec: pod } }, master: null },
      sidecars: { logs: null },
      config: null,
      template: { spec: pod },
    },
  });
  expect(problems.map(({ path }) => path.slice(0, 5).join('.'))).toEqual(
    expect.arrayContaining(
      ['spec.config', `spec.template.spec.${field}`].map((path) => expect.stringContaining(path) as string),
    ),
  );
});
