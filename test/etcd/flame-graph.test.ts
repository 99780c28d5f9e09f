import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import {
  analyze,
  compareContents,
  flameHtml,
  flameSvg,
  buildFrames,
  buildDiffFrames,
  speedscope,
  type Frame,
  type AnalyzedDatabase,
} from '../../lib/etcd';
import { inMemory, sampleFile, type SampleRecord } from './sample-file';

async function read(records: readonly SampleRecord[]): Promise<AnalyzedDatabase> {
  const found = await analyze(inMemory(sampleFile(records)));
  if (!('contents' in found)) throw new Error('the file is not a database');
  return found;
}
const value = (bytes: number): Uint8Array => Buffer.alloc(bytes, 120);
const before: readonly SampleRecord[] = [
  { key: '/registry/configmaps/shop/a', revision: 2, value: value(4000) },
  { key: '/registry/configmaps/shop/gone', revision: 3, value: value(3000) },
  { key: '/registry/nodes/<n>&"</script>', revision: 4, value: value(2000) },
];
const after: readonly SampleRecord[] = [
  ...before,
  { key: '/registry/configmaps/shop/a', revision: 5, value: value(5000), version: 2 },
  { key: '/registry/configmaps/shop/gone', revision: 6 },
  { key: '/registry/configmaps/bank/new', revision: 7, value: value(100) },
];
const leaves = (frame: Frame): number =>
  frame.children.length === 0 ? frame.live + frame.history : frame.children.reduce((sum, one) => sum + leaves(one), 0);

test('frames nest from all keys to resource, namespace and object, and cover every byte', async () => {
  const found = await read(after);
  const root = buildFrames(found);
  expect(leaves(root)).toBe(found.contents.bytes.records);
  expect(root.children.map(({ name }) => name)).toEqual(['configmaps', 'nodes']);
  expect(root.children[0]?.children[0]).toMatchObject({ name: 'shop' });
  expect(root.children[0]?.children[0]?.children[0]).toMatchObject({ name: 'a' });
});

test('SVG and page escape keys, and the page allows only its own script', async () => {
  const root = buildFrames(await read(after));
  const svg = flameSvg(root, 'a <file>');
  expect(svg).toContain('a &lt;file&gt;');
  expect(svg).not.toMatch(/<n>|<\/script>/);
  const html = flameHtml(root, 'a <file>');
  const [script = '', ...others] = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text);
  expect(others).toEqual([]);
  expect(() => new Script(script)).not.toThrow();
  expect(html).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  expect(html).not.toMatch(/https?:|<link|<img|unsafe-/);
  const data = /<script type="application\/json" id="frames">(.*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(JSON.parse(data)).toMatchObject({ isCompared: false, root: { n: 'all keys' } });
});

test('the speedscope export has profiles of all revisions, live bytes and history, each with a correct sum', async () => {
  const found = await read(after);
  const { profiles, shared } = speedscope(buildFrames(found), 'x');
  const { live, history } = found.contents.total;
  expect(profiles.map(({ endValue }) => endValue)).toEqual([live + history, live, history]);
  for (const { samples, weights, endValue } of profiles) {
    expect(samples).toHaveLength(weights.length);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(endValue);
    for (const stack of samples) for (const frame of stack) expect(shared.frames[frame]).toBeDefined();
  }
});

test('the diff of two files counts created, deleted and written keys', async () => {
  const [one, other] = [await read(before), await read(after)];
  const difference = compareContents(one, other);
  expect(difference.keys).toEqual({ created: 1, deleted: 1, written: 2 });
  expect(difference.revision).toEqual({ before: 4, after: 7 });
  const total = (rows: readonly { readonly change: number }[]): number =>
    rows.reduce((sum, { change }) => sum + change, 0);
  const growth = other.contents.bytes.records - one.contents.bytes.records;
  for (const rows of [difference.by.resource, difference.by.namespace, difference.by.object])
    expect(total(rows)).toBe(growth);
  expect(difference.by.object[0]).toMatchObject({
    name: '/registry/configmaps/shop/a',
    objectsBefore: 1,
    objectsAfter: 1,
  });
  expect(compareContents(other, other).by.object).toEqual([]);
  const root = buildDiffFrames(one, other);
  expect(root.before).toBe(one.contents.bytes.records);
  expect(flameHtml(root, 'x')).toContain('red has grown');
});
