import fc from 'fast-check';
import { explainProblem, isError } from '../../lib/api/problem';
import { readDocuments } from '../../lib/yaml';

const values = (input: string | Uint8Array): unknown[] => readDocuments(input, 'f.yaml').documents.map((d) => d.value);
/** The problems as `line:column code reason`. */
const problems = (input: string | Uint8Array): string[] =>
  readDocuments(input, 'f.yaml').problems.map(
    ({ source, code, reason }) => `${source?.line}:${source?.column} ${code} ${reason}`,
  );

test.each<[string, string | Uint8Array, string]>([
  [
    'bytes that are not UTF-8',
    Buffer.from([0x61, 0x3a, 0x20, 0x0a, 0x62, 0xff]),
    '2:2 parse-error byte 5 is not UTF-8',
  ],
  [
    'bytes that are not UTF-8, far into the file',
    Buffer.concat([Buffer.from('a: é\n'.repeat(60_000)), Buffer.from([0x78, 0xe2, 0x82])]),
    '60001:2 parse-error byte 360001 is not UTF-8',
  ],
  ['UTF-16', Buffer.from('\ufeffa: b', 'utf16le'), '1:1 parse-error the file is UTF-16'],
  ['a NUL', 'a: b\u0000', '1:5 parse-error the character U+0000 is not allowed in YAML'],
  ['a control character in a comment', 'a: b # \u0007', '1:8 parse-error the character U+0007 is not allowed in YAML'],
  ['a late byte order mark', 'a: b\n---\n\ufeffa: b', '3:1 parse-error the character U+FEFF is not allowed in YAML'],
  ['more than 16 MiB', 'a'.repeat(16 * 1024 * 1024 + 1), '1:1 parse-error it is larger than 16777216 bytes'],
  [
    'more than 200,000 documents',
    'a: 1\n---\n'.repeat(200_001),
    '400000:1 parse-error it contains more than 200000 documents',
  ],
  [
    'lists nested 100,000 deep',
    `a: ${'['.repeat(1e5)}${']'.repeat(1e5)}`,
    '1:103 parse-error it is nested deeper than 100 levels',
  ],
  [
    'a list that contains itself',
    'a: &a [*a]',
    '1:1 parse-error with its aliases expanded, it is nested deeper than 100 levels',
  ],
  [
    'a duplicate key',
    'a:\n  b: 1\n  c: 2\n  b: 3',
    '4:3 duplicate the key b occurs twice in one mapping, first in line 2',
  ],
  [
    'a duplicate key of a list entry',
    'l:\n- a: 1\n  b:\n    a: 2\n  # a: 3\n  a: 4',
    '6:3 duplicate the key a occurs twice in one mapping, first in line 2',
  ],
  ['a duplicate key in JSON', '{"a":1,\n "a":2}', '2:2 duplicate the key "a" occurs twice in one mapping'],
  ['two keys that become equal', 'true: 1\non: 2', '2:1 duplicate the key occurs twice in one mapping'],
  ['a null key', 'a:\n  ~: 1', '2:3 bad-format a key must be a string'],
  ['a function tag', 'a:\n  b: !!js/function "x"', '2:3 bad-format custom tags are not supported'],
  ['a local tag', 'a: !foo bar', '1:1 bad-format custom tags are not supported'],
  ['a tag on a mapping', 'a: !foo {b: 1}', '1:1 bad-format custom tags are not supported'],
  ['binary', 'a: [!!binary aGk=]', '1:5 bad-format custom tags are not supported'],
  [
    'an integer beyond 2^53',
    'a: 9007199254740993',
    '1:1 out-of-range the integer is beyond 2^53 and would lose digits',
  ],
  ['a huge float', 'a:\n- 1e400', '2:3 out-of-range the number is too large for a 64-bit float'],
  ['a tiny float', 'a: 1e-400', '1:1 out-of-range the number is too small for a 64-bit float'],
  ['an infinite number', 'a: .inf', '1:1 bad-format JSON has no such number'],
  ['a lone surrogate', '{"a": "\\ud83d"}', '1:2 bad-format it contains an unpaired surrogate'],
  ['a scalar', 'hello', '1:1 wrong-type a document must be a mapping'],
  ['a list', '# x\n- a\n- b', '2:1 wrong-type a document must be a mapping'],
  ['an unknown alias', 'a: *x', '1:4 parse-error unidentified alias "x"'],
  ['a merge of a scalar', 'a: &a 1\nb: {<<: *a}', '2:11 wrong-type "<<" merges mappings only'],
  ['a tab as indentation', 'a:\n\tb: 1', '2:1 parse-error the indentation contains a tab'],
  ['text after JSON', '{"a":1} hello', '1:9 parse-error there is text after the end of the document'],
])('%s: one problem with its location', (_name, input, expected) => {
  const read = readDocuments(input, 'f.yaml');
  expect(problems(input)).toEqual([expected]);
  expect(read.documents.length).toBeLessThanOrEqual(1);
  expect(explainProblem(read.problems[0] as never)).toMatch(/^f\.yaml:\d+:\d+: error /);
});

test('rejects an alias bomb and copies ordinary aliases', () => {
  let bomb = 'a0: &a0 x\n';
  for (let level = 1; level < 20; level++) bomb += `a${level}: &a${level} [${`*a${level - 1}, `.repeat(10)}]\n`;
  expect(problems(bomb)).toEqual(['1:1 parse-error the aliases expand to more than a million nodes']);
  const wide = `a: &a "${'x'.repeat(100_000)}"\nb: [${'*a, '.repeat(1000)}]`;
  expect(problems(wide)).toEqual(['1:1 parse-error the aliases expand to more than 16 million characters']);
  const [value] = values('a: &a {x: [1]}\nb: *a\nc: {<<: *a, z: 2}') as [Record<'a' | 'b' | 'c', { x: unknown }>];
  expect(value).toEqual({ a: { x: [1] }, b: { x: [1] }, c: { x: [1], z: 2 } });
  expect(value.a.x).not.toBe(value.b.x);
  expect(value.a.x).not.toBe(value.c.x);
});

test('an alias does not repeat a problem indefinitely', () => {
  const text = `a: &a [${'yes, '.repeat(900)}]\nb: [${'*a, '.repeat(900)}]`;
  expect(problems(text).length).toBe(1000);
  expect(values(text).length).toBe(1);
});

test('small alias bombs in many documents share one budget', () => {
  const small = `a: &a [${'1,'.repeat(1000)}]\nb: [${'*a,'.repeat(100)}]\n`;
  const { documents, problems: found } = readDocuments(Array(50).fill(small).join('---\n'), 'f.yaml');
  expect(documents.length).toBeLessThan(15);
  expect(documents.length + found.length).toBe(50);
});

test('keys named like prototype properties are ordinary keys', () => {
  const text = '__proto__: {x: 1}\nconstructor: {prototype: {z: 1}}\na: &a {__proto__: 1}\nb: {<<: *a}\n';
  const [value] = values(text) as [Record<string, object>];
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'a', 'b']);
  expect(Object.keys(value.b as object)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test.each<[string, string, boolean]>([
  ['a control structure', 'a: b\n{{- with .Values.c }}\nd: e\n', true],
  ['a key that occurs in both branches', 'a: b\n{{ if .Values.c }}\na: c\n{{ end }}\n', true],
  ['a value', 'a: {{ .Values.b }}-c\n', true],
  ['an entry of a list', 'a:\n  - {{ include "b" . }}-c\n', true],
  ['a template in a text', "a: 'on {{ $labels.instance }}'\n\tb: c\n", false],
  ['a template in the middle of a text', 'a: on {{ $labels.instance }}\n\tb: c\n', false],
])('of a chart, or not: %s', (_, text, isChart) => {
  const [problem] = readDocuments(text, 'f.yaml').problems;
  expect(problem?.remedy.includes('helm template')).toBe(isChart);
});

test('a broken document hides no other', () => {
  const text = 'a: [1\n---\nb: yes\n---\nc: "x\n---\nd: {e: 1, e: 2}\n---\nf: 1\n';
  expect(values(text)).toEqual([{ b: true }, { f: 1 }]);
  const lines = readDocuments(text, 'f.yaml').problems.filter(isError);
  expect(lines.map((problem) => problem.source?.line)).toEqual([2, 6, 7]);
});

test('skips empty documents, and parses markers, directives, comments, byte order mark and CRLF', () => {
  expect(values('')).toEqual([]);
  expect(values('---\n---\n# x\n---\nnull\n---\n~\n...\n')).toEqual([]);
  expect(values('%YAML 1.1\n---\na: 1\n...\n%YAML 1.2\n# x\n---\nb: 2\n--- {c: 3}\n--- # d\nd: ---\n')).toEqual([
    { a: 1 },
    { b: 2 },
    { c: 3 },
    { d: '---' },
  ]);
  expect(values(Buffer.from('\ufeffa: |\r\n  x\r\n  y\r\n---\r\nb: 1\r\n'))).toEqual([{ a: 'x\ny\n' }, { b: 1 }]);
});

test('reads JSON, including one document per line', () => {
  expect(values('{"a": 1, "b": "\\u00e9\\ud83d\\ude00\\/",\t"c":\t[1,-2.5e3,true,null]}')).toEqual([
    { a: 1, b: 'é😀/', c: [1, -2500, true, null] },
  ]);
  const rows = readDocuments('{"a":"}\\"{"}{"b":2}\n\n {"c":\n{"d":1}}\n', 'f.json');
  expect(rows.documents.map((document) => document.value)).toEqual([{ a: '}"{' }, { b: 2 }, { c: { d: 1 } }]);
  expect(rows.documents[1]?.locate(['b'])).toEqual({ file: 'f.json', line: 1, column: 14 });
  expect(rows.documents[2]?.locate(['c', 'd'])).toEqual({ file: 'f.json', line: 4, column: 2 });
});

test('splits lists into items with their own locations', () => {
  const text = 'apiVersion: v1\nkind: List\nitems:\n- kind: A\n  x: 1\n- kind: BList\n  items:\n  - kind: B\n-\n- 3\n';
  const { documents } = readDocuments(text, 'f.yaml');
  expect(documents.map(({ value, index }) => [value, index])).toEqual([
    [{ kind: 'A', x: 1 }, 0],
    [{ kind: 'B' }, 0],
  ]);
  expect(documents.map((document) => document.locate(['kind']).line)).toEqual([4, 8]);
  expect(problems(text)).toEqual([
    '3:1 wrong-type a document must be a mapping',
    '10:3 wrong-type a document must be a mapping',
  ]);
});

const places = `# first
---
kind: A # kind
spec:
    "quoted key" : 1
    flow: {b: [1, 2,
      {c: d}], e, f: 2}
    list:
    -
    - x
    - - y
      - z: 1
        "on": 2
    - &anchor {p: 1}
    - *anchor
    text: |
      a: b
    0x10: hex
    on: off
    ? explicit
    : value
    empty:
    last: [ ]
`;

test.each<[string, (string | number)[], number, number]>([
  ['the document', [], 3, 1],
  ['a key', ['kind'], 3, 1],
  ['a quoted key', ['spec', 'quoted key'], 5, 5],
  ['a key in a flow mapping', ['spec', 'flow', 'b'], 6, 12],
  ['an item in a flow list', ['spec', 'flow', 'b', 1], 6, 19],
  ['a key on a later line of a flow list', ['spec', 'flow', 'b', 2, 'c'], 7, 8],
  ['a flow key without a value', ['spec', 'flow', 'e'], 7, 16],
  ['the value after it', ['spec', 'flow', 'f'], 7, 19],
  ['an item', ['spec', 'list', 1], 10, 7],
  ['an item of a list in a list', ['spec', 'list', 2, 0], 11, 9],
  ['a key in such an item', ['spec', 'list', 2, 1, 'on'], 13, 9],
  ['an item with an anchor', ['spec', 'list', 3, 'p'], 14, 16],
  ['a value of an alias: the alias', ['spec', 'list', 4, 'p'], 15, 7],
  ['an empty item: its list', ['spec', 'list', 0], 8, 5],
  ['a block of text', ['spec', 'text'], 16, 5],
  ['a key that is a number', ['spec', '16'], 18, 5],
  ['a key that is a boolean', ['spec', 'true'], 19, 5],
  ['an explicit key', ['spec', 'explicit'], 20, 7],
  ['a key without a value', ['spec', 'empty'], 22, 5],
  ['a missing field: its parent', ['spec', 'last', 0, 'x'], 23, 5],
  ['a missing path: the document', ['status', 'x'], 3, 1],
])('the location of %s', (_name, path, line, column) => {
  const [document] = readDocuments(places, 'f.yaml').documents;
  expect(document?.locate(path)).toEqual({ file: 'f.yaml', line, column });
});

const snippet = fc.constantFrom(
  ...[
    'a',
    'b: ',
    ': ',
    '- ',
    '\n',
    '\n  ',
    '\n    ',
    '[',
    ']',
    '{',
    '}',
    ', ',
    '"',
    "'",
    '\\',
    '&a ',
    '*a',
    '!x ',
    '!!str ',
  ],
  ...[
    '|',
    '>',
    '---\n',
    '...\n',
    '# ',
    '%',
    '? ',
    '<<: ',
    '\t',
    '1',
    '0x',
    'yes',
    '~',
    '\u0000',
    'é',
    '\ud800',
    '\r\n',
    '\ufeff',
    '__proto__: ',
  ],
);

test('no text makes the reader throw, and every location lies in the file', () => {
  fc.assert(
    fc.property(fc.array(snippet, { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      const lines = text.split(/\r\n?|\n/).length;
      const { documents, problems: found } = readDocuments(text, 'f.yaml');
      for (const document of documents) {
        const at = document.locate(Object.keys(document.value as object).slice(0, 1));
        expect(at.line).toBeLessThanOrEqual(lines);
      }
      for (const { source } of found) expect(source?.line).toBeLessThanOrEqual(lines + 1);
    }),
    { numRuns: 3000 },
  );
});

test('no bytes make the reader throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => readDocuments(bytes, 'f.yaml') !== undefined));
});

test.each<[string, string]>([
  ['blank lines before a marker', `${'\n'.repeat(1e6)}---\na: 1\n`],
  ['digits', `a: ${'1'}${'0'.repeat(2e6)}e5`],
  ['hexadecimal digits', `a: 0x${'f'.repeat(2e6)}`],
  ['one long JSON string per line', `{"a":"${'x'.repeat(3e6)}"}{"b":1}`],
  ['open braces', '{'.repeat(3e6)],
  ['dashes', '- '.repeat(2e6)],
  ['directives', '%\n'.repeat(1e6)],
  ['100,000 documents', 'kind: A\nname: x\n---\n'.repeat(1e5)],
  ['100,000 broken documents', 'kind: A: x\n---\n'.repeat(1e5)],
])(
  '%s: read or rejected in linear time',
  (_name, text) => {
    const { documents, problems: found } = readDocuments(text, 'f.yaml');
    expect(documents.length + found.length).toBeGreaterThan(0);
  },
  // Quadratic time would take hours.
  120_000,
);

test('finds the locations of 100,000 items', () => {
  const { documents } = readDocuments(`kind: List\nitems:\n${'- kind: A\n  x: 1\n'.repeat(1e5)}`, 'f.yaml');
  expect(documents.every((document, at) => document.locate(['x']).line === 4 + 2 * at)).toBe(true);
});
