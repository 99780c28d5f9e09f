import { execFileSync } from 'node:child_process';
import { definitionOf, specOf, widget } from '../definitions/build-definition';
import { pinion, testFolder, writeFiles } from './terminal';

const json = (value: unknown): string => JSON.stringify(value);
const before = definitionOf(specOf({ size: { type: 'string' }, legacy: { type: 'string' } }));
const safe = definitionOf(specOf({ size: { type: 'string' }, legacy: { type: 'string' }, color: { type: 'string' } }));
const withDefault = definitionOf(specOf({ size: { type: 'string', default: 'small' }, legacy: { type: 'string' } }));
const withoutField = definitionOf(specOf({ size: { type: 'string' } }));
const tightened = definitionOf(specOf({ size: { type: 'string', maxLength: 3 }, legacy: { type: 'string' } }));

beforeEach(() =>
  writeFiles({
    'old.json': json(before),
    'safe.json': json(safe),
    'default.json': json(withDefault),
    'removed.json': json(withoutField),
    'tightened.json': json(tightened),
    'objects.json': json({
      apiVersion: 'v1',
      kind: 'List',
      items: [widget({ size: 'large', legacy: 'a' }), widget({}, 'two')],
    }),
    'small.json': json(widget({ size: 'xs' })),
    'config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
  }),
);

test.each([
  ['safe.json', 0, 'verdict: safe'],
  ['default.json', 6, 'verdict: changes the meaning'],
  ['removed.json', 1, 'verdict: breaks stored objects'],
  ['tightened.json', 1, 'verdict: breaks later writes'],
])('compares old.json with %s: exit code %i', async (file, code, verdict) => {
  const result = await pinion(['crds', 'check', 'old.json', file]);
  expect([result.code, result.err]).toEqual([code, '']);
  expect(result.out).toContain(`old.json (old) → ${file} (new)\n`);
  expect(result.out).toContain(verdict);
});

test('names the path, the reason, the remedy and the objects', async () => {
  const { out, code } = await pinion([
    'crds',
    'check',
    'old.json',
    'removed.json',
    '--objects',
    'objects.json,config.yaml',
  ]);
  expect(code).toBe(1);
  expect(out).toContain('breaks-objects: v1 spec.legacy: is removed');
  expect(out).toContain('remedy: keep the field');
  expect(out).toContain('objects: Widget default/one\n');
  expect(out).toContain('2 objects tried, 1 documents of other kinds skipped');
});

test('a removal that is acknowledged does not count, and stays listed', async () => {
  const args = ['crds', 'check', 'old.json', 'removed.json', '--objects', 'objects.json'];
  const { out, code } = await pinion([...args, '--allow-pruning', 'spec.legacy']);
  expect(code).toBe(0);
  expect(out).toContain('breaks-objects, acknowledged: v1 spec.legacy');
  expect(out).not.toContain('remedy:');
  expect((await pinion([...args, '--allow-pruning', 'spec.legacy', '-o', 'markdown'])).out).not.toContain(
    'keep the field',
  );
});

test('an acknowledged path counts for one definition, and has to be that of a removed field', async () => {
  const args = ['crds', 'check', 'old.json', 'removed.json', '--allow-pruning'];
  expect((await pinion([...args, 'widgets.example.com:spec.legacy'])).code).toBe(0);
  for (const path of ['spec.leg', 'spec.size', 'gadgets.example.com:spec.legacy']) {
    const { code, err } = await pinion([...args, path]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`--allow-pruning ${path}: no definition removes this field`),
    ]);
  }
});

test('a limit that no stored object violates is a warning', async () => {
  const check = (objects: string) => pinion(['crds', 'check', 'old.json', 'tightened.json', '--objects', objects]);
  const { out, code } = await check('small.json');
  expect([code, out.includes('none of 1 stored objects is affected')]).toEqual([6, true]);
  const broken = await check('objects.json');
  expect([broken.code, broken.out.includes('objects: Widget default/one\n')]).toEqual([1, true]);
});

test('prints one JSON document, and Markdown', async () => {
  const { out } = await pinion(['crds', 'check', 'old.json', 'removed.json', '-o', 'json']);
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'breaks-objects',
    findings: [{ definition: 'widgets.example.com', version: 'v1', path: 'spec.legacy', change: 'field-removed' }],
  });
  const markdown = await pinion(['crds', 'check', 'old.json', 'removed.json', '-o', 'markdown']);
  expect(markdown.out).toContain('| breaks stored objects | <code>widgets.example.com v1 spec.legacy</code> |');
});

test('compares a git revision with the work tree', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: testFolder(), stdio: 'pipe' });
  git('init', '-q');
  git('add', 'old.json');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'one');
  writeFiles({ 'old.json': json(withoutField) });
  const { out, code } = await pinion(['crds', 'check', '--from', 'HEAD', 'old.json']);
  expect([code, out.includes('revision HEAD (old) → the work tree (new)')]).toEqual([1, true]);
  expect((await pinion(['crds', 'check', '--from', 'HEAD', '--to', 'HEAD', 'old.json'])).code).toBe(0);
});

test.each([
  [['crds', 'check'], 2, 'check compares two versions'],
  [['crds', 'check', 'config.yaml'], 2, 'config.yaml has no CustomResourceDefinition'],
  [['crds', 'check', 'missing.yaml'], 3, 'missing.yaml does not exist'],
  [['crds', 'check', '--from', 'HEAD'], 2, '--from requires PATH'],
])('%j: exit code %i', async (argv, code, message) => {
  const result = await pinion(argv);
  expect([result.code, result.err.includes(message)]).toEqual([code, true]);
});

test('its own definitions are equal to themselves', async () => {
  writeFiles({ 'own.yaml': (await pinion(['crds'])).out });
  const { out, code } = await pinion(['crds', 'check', 'own.yaml']);
  expect([code, out.includes('11 definitions')]).toEqual([0, true]);
  // One argument is the old version.
  expect(out).toMatch(/^own\.yaml \(old\) → this version of pinion \(new\)\n/);
  expect((await pinion(['crds', 'check', '--help'])).out).toContain('crds check [options] OLD [NEW]\n');
});
