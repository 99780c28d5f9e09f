import fc from 'fast-check';
import { load, loadAll } from 'js-yaml';
import { readDocuments, writeDocuments, writeYaml } from '../../lib/yaml';
import table from './kubectl-scalar.cases.json';

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { 'app.kubernetes.io/name': 'web' }, annotations: {} },
  spec: {
    replicas: 3,
    paused: false,
    strategy: undefined,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web', version: '1.10' } },
      spec: {
        containers: [
          {
            name: 'app',
            image: 'registry.example.com/app:1.4.2',
            command: ['sh', '-c', 'set -e\nexec app --port "$PORT"\n'],
            args: [],
            ports: [{ containerPort: 8080, name: 'http' }],
            env: [
              { name: 'PORT', value: '8080' },
              { name: 'DEBUG', value: 'yes' },
              { name: 'EMPTY', value: '' },
              { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
            ],
            resources: { requests: { cpu: '100m', memory: '128Mi' } },
          },
        ],
        volumes: [{ name: 'config', configMap: { name: 'web-config', defaultMode: 420 } }],
      },
    },
  },
};

test('a Deployment reads as kubectl prints it', () => {
  expect(writeYaml(deployment)).toMatchSnapshot();
});

test('a ConfigMap shows its files as blocks', () => {
  const script = '#!/bin/sh\nset -e\n\nif [ -n "$A" ]; then\n  run: it # not a comment\nfi\n';
  const data = {
    'run.sh': script,
    'no-end': 'a\nb',
    'two-ends': 'a\n\n',
    'odd.txt': ' starts with a space\nb',
    json: '{"a":"it\'s"}',
    on: 'off',
  };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'files', finalizers: ['x'] }, data };
  expect(writeYaml(object)).toMatchSnapshot();
  expect(load(writeYaml(object))).toEqual(object);
});

const awkward = [
  ...table.map((row) => row.text),
  ...[
    '',
    ' ',
    '  a',
    'a ',
    '\t',
    'a\tb',
    '\n',
    '\n\n',
    ' \n',
    'a\n',
    '\na',
    'a\n\n\n',
    '\ta\nb',
    'a\n\tb',
    'a\n \nb',
    'a\r\nb',
  ],
  ...[
    'a: b',
    'a:',
    ':',
    '#',
    'a #b',
    'a#b',
    '- a',
    '-',
    '?',
    '? a',
    '---',
    '...',
    '--- a',
    '"',
    "'",
    '\\',
    '%a',
    '@a',
    '`a',
  ],
  ...[
    '[a]',
    '{a}',
    ',a',
    '&a',
    '*a',
    '!a',
    '|',
    '>',
    '|-\n  a',
    '<<',
    '=',
    '~',
    '__proto__',
    'a\u0000b',
    '\u0007',
    '\u007f',
    '\u0085',
    'a\u0085b',
  ],
  ...[
    '\u00a0a',
    '\u2028',
    'a\u2029b',
    '\ufeffa',
    '\ufffe',
    '\uffff',
    '\ud800',
    'a\udc00b',
    '\ud83d\ude00',
    'é',
    '日本語',
    'a\u2028\nb',
  ],
  'x'.repeat(1100),
];

test.each([[(text: string): unknown => text], [(text: string): unknown => ({ a: [text, { b: text }], c: text })]])(
  'reads every awkward string back unchanged (%#)',
  (place) => {
    const wrong = awkward.filter((text) => {
      const value = place(text);
      return JSON.stringify(load(writeYaml(value))) !== JSON.stringify(value);
    });
    expect(wrong).toEqual([]);
  },
);

test('reads every awkward string back as a key', () => {
  const wrong = awkward.filter((text) => {
    const value = Object.fromEntries([['a', [Object.fromEntries([[text, 1]])]]]);
    return JSON.stringify(load(writeYaml(value))) !== JSON.stringify(value);
  });
  expect(wrong).toEqual([]);
});

test('a string stays unquoted if every reader reads it back', () => {
  const plain = [
    'a',
    'a:b',
    'a#b',
    '1.4.2',
    '100m',
    '10Gi',
    '-a',
    '--flag=x',
    '127.0.0.1',
    '~/x',
    'é',
    'a "b"',
    'yEs',
    'a@',
  ];
  expect(plain.filter((text) => writeYaml(text) !== `${text}\n`)).toEqual([]);
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...awkward),
  fc.string({ unit: fc.constantFrom(...'\n \t-:#?abc01_.e"\'\\|>[]{}&*!%@`,\r\u0085\u2028') }),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

test('js-yaml reads any value back equal', () => {
  fc.assert(
    fc.property(tree, (value) => expect(load(writeYaml(value))).toEqual(value)),
    { numRuns: 500 },
  );
});

test('our reader reads any mapping without lone surrogates back equal, without a warning', () => {
  fc.assert(
    fc.property(tree, (value) => {
      const document = { spec: value };
      fc.pre(!/\p{Surrogate}/u.test(JSON.stringify(document)) && !/\\ud[89a-f]/.test(JSON.stringify(document)));
      fc.pre(!/\d{16}|e[-+]/.test(JSON.stringify(document)));
      // U+FFFF is not a character; the reader marks keys with it and rejects a key that consists of it alone.
      fc.pre(!JSON.stringify(document).includes('\uffff'));
      const { documents, problems } = readDocuments(writeYaml(document), 'f.yaml');
      expect(problems).toEqual([]);
      expect(documents[0]?.value).toEqual(document);
    }),
    { numRuns: 500 },
  );
});

test('documents are separated by --- and written in whole chunks', () => {
  const objects = Array.from({ length: 3000 }, (_, index) => ({ ...deployment, index, note: 'a\n\n' }));
  const pieces = [...writeDocuments(objects)];
  expect(pieces.length).toBeGreaterThan(10);
  expect(loadAll(pieces.join(''))).toEqual(JSON.parse(JSON.stringify(objects)));
  for (const piece of pieces.slice(1)) expect(piece.startsWith('---\n')).toBe(true);
  expect([...writeDocuments([])]).toEqual([]);
});

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member) deepFreeze(member as object);
  return Object.freeze(value);
}

test('frozen parts give the same string at every position', () => {
  const make = (): object => ({ name: 'sidecar', env: [{ name: 'A', value: 'x\ny' }], none: {}, empty: [] });
  const [frozen, loose] = [deepFreeze(make()), make()];
  const place = (part: object): unknown => [part, { part, list: [part, [part]], deep: { deep: { part } } }];
  expect(writeYaml(place(frozen))).toBe(writeYaml(place(loose)));
  expect(writeYaml(place(frozen))).toBe(writeYaml(place(loose)));
});

test('documents that are frozen as a whole give the same string each time', () => {
  const [frozen, loose] = [deepFreeze(structuredClone(deployment)), deployment];
  for (let time = 0; time < 3; time++) expect(writeYaml(frozen)).toBe(writeYaml(loose));
  expect(() => writeYaml({ a: Object.freeze([Object.freeze({ b: 1n })]) })).toThrow(TypeError);
  expect(writeYaml({ a: deepFreeze([{ b: 1 }]) })).toBe('a:\n- b: 1\n');
});

test('shallowly frozen values may still change', () => {
  const inner = { a: 1 };
  const outer = Object.freeze({ inner });
  expect(writeYaml({ outer })).toBe('outer:\n  inner:\n    a: 1\n');
  inner.a = 2;
  expect(writeYaml({ outer })).toBe('outer:\n  inner:\n    a: 2\n');
});

const cycle: unknown[] = [];
cycle.push(cycle);
test.each([
  ['NaN', NaN],
  ['Infinity', [Infinity]],
  ['a bigint', { a: 1n }],
  ['a function', { a: () => 1 }],
  ['a symbol', [Symbol('x')]],
  ['a Date', { a: new Date(0) }],
  ['a Map', new Map()],
  ['undefined in a list', [undefined]],
  ['undefined', undefined],
  ['a cycle', cycle],
])('%s is rejected', (_name, value) => {
  expect(() => writeYaml(value)).toThrow(TypeError);
});
