import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type EtcdContents } from '../../lib/etcd';
import { kubernetesValue, sampleFile, type SampleRecord } from '../etcd/sample-file';
import { writeFiles, testFolder, pinion } from './terminal';

const start = 1_790_000_000;
const value = (bytes: number): Uint8Array => Buffer.alloc(bytes, 120);
const file = sampleFile([
  { key: '/registry/configmaps/shop/a', revision: 2, value: value(4000) },
  { key: '/registry/configmaps/shop/a', revision: 3, value: value(3000) },
]);
const later = sampleFile([
  { key: '/registry/configmaps/shop/a', revision: 3, value: value(3000) },
  { key: '/registry/configmaps/bank/b', revision: 4, value: value(9000) },
]);

test('summarizes a database by revision, pages, values and groups', async () => {
  writeFiles({ db: file });
  const { code, out, err } = await pinion(['etcd', 'analyze', 'db', '--quota', '8Gi']);
  expect([code, err]).toEqual([0, '']);
  for (const line of [
    /^db: database of etcd 3.6.0$/m,
    /^ {2}revision 3, never compacted; 2 writes$/m,
    /^ {2}1 keys, 3 KiB live; 1 more revisions, 4 KiB held only by history/m,
    /^ {2}quota +8 GiB/m,
    /^RESOURCE +BYTES/m,
    /^ {2}configmaps +6.9 KiB +100.0 % +3 KiB +4 KiB +1 /m,
    /^ {2}shop +6.9 KiB/m,
  ])
    expect(out).toMatch(line);
});

test('writes the whole report as JSON and SVG to the given files', async () => {
  writeFiles({ db: file });
  const outputs = ['--json', 'a.json', '--html', 'a.html', '--svg', 'a.svg', '--speedscope', 'a.speedscope.json'];
  const { code, out } = await pinion(['etcd', 'analyze', 'db', '-o', 'json', ...outputs]);
  expect(code).toBe(0);
  expect(readFileSync(join(testFolder(), 'a.json'), 'utf8')).toBe(out);
  expect(JSON.parse(out)).toMatchObject({ isComplete: true, total: { objects: 1, revisions: 2 } });
  for (const name of ['a.html', 'a.svg', 'a.speedscope.json']) expect(existsSync(join(testFolder(), name))).toBe(true);
});

test('never overwrites a file that it reads', async () => {
  writeFiles({ before: file, after: later });
  symlinkSync(join(testFolder(), 'before'), join(testFolder(), 'link'));
  for (const [option, ...words] of [
    ['html', 'analyze', 'before'],
    ['json', 'analyze', 'link'],
    ['svg', 'diff', 'before', 'after'],
    ['speedscope', 'diff', 'after', './before'],
  ]) {
    const { code, err } = await pinion(['etcd', ...words, `--${option}`, 'before']);
    expect([code, err]).toEqual([2, expect.stringContaining(`--${option} before would overwrite an input file`)]);
  }
  expect(readFileSync(join(testFolder(), 'before')).equals(file)).toBe(true);
});

test('reports a corrupt file page by page, with everything that is readable', async () => {
  const damaged = Buffer.from(file);
  damaged[4096 + 40] = 9;
  writeFiles({ db: damaged, none: Buffer.alloc(9000, 'x') });
  const { code, out } = await pinion(['etcd', 'analyze', 'db']);
  expect(code).toBe(1);
  expect(out).toMatch(/^DAMAGED in 1 place; totals cover 1 of 1 leaf pages with revisions\n {2}page 1: the checksum/m);
  const none = await pinion(['etcd', 'analyze', 'none']);
  expect(none).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('none: not an etcd database\n  page 0: '),
  });
});

test('the diff of two files names the growing groups', async () => {
  writeFiles({ before: file, after: later });
  const { code, out } = await pinion(['etcd', 'diff', 'before', 'after', '--html', 'd.html']);
  expect(code).toBe(0);
  expect(out).toMatch(/^ {2}1 keys created, 0 deleted, 0 written$/m);
  expect(out).toMatch(/^ {2}bank +0 B +8.8 KiB +\+8.8 KiB +0 +1$/m);
  expect(out).toMatch(/^ {2}shop +6.9 KiB +3 KiB +-4 KiB +1 +1$/m);
  expect(readFileSync(join(testFolder(), 'd.html'), 'utf8')).toContain('before to after');
});

/** Writes two files of a cluster, taken an hour apart; an object grows or shrinks in between. */
function hourApart(first: number, last: number): void {
  const record = (revision: number, bytes: number): SampleRecord => ({
    key: '/registry/configmaps/shop/cart',
    revision,
    value: kubernetesValue({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'cart',
      managers: [{ manager: 'writer', time: start + revision * 3600 }],
      spec: 's'.repeat(bytes),
    }),
  });
  writeFiles({ before: sampleFile([record(2, first)]), after: sampleFile([record(2, first), record(3, last)]) });
}

test('live data grows or shrinks, and a decrease is not reported as growth', async () => {
  hourApart(9000, 100);
  expect((await pinion(['etcd', 'diff', 'before', 'after'])).out).toMatch(
    /, 3,600 s; live data shrinks by 208\.\d KiB a day$/m,
  );
  hourApart(100, 9000);
  expect((await pinion(['etcd', 'diff', 'before', 'after'])).out).toMatch(/; live data grows by 208\.\d KiB a day$/m);
  hourApart(100, 100);
  expect((await pinion(['etcd', 'diff', 'before', 'after'])).out).toMatch(/, 3,600 s; live data does not grow$/m);
});

test('rejects files in the wrong order with the corrected command and exit code', async () => {
  writeFiles({ before: file, after: later });
  const { code, out } = await pinion(['etcd', 'diff', 'after', 'before']);
  expect(code).toBe(1);
  expect(out).toMatch(
    /^WRONG ORDER: after ends at revision 4, and before at the earlier revision 3\. .*\n {2}pinion etcd diff before after$/m,
  );
  expect(out).not.toContain('UNRELATED FILES');
  const json = await pinion(['etcd', 'diff', 'after', 'before', '-o', 'json', '--json', 'd.json']);
  expect([json.code, JSON.parse(json.out)]).toEqual([
    1,
    expect.objectContaining({ isBackwards: true, isSameHistory: true }),
  ]);
  expect(readFileSync(join(testFolder(), 'd.json'), 'utf8')).toBe(json.out);
  const right = await pinion(['etcd', 'diff', 'before', 'after', '-o', 'json']);
  expect([right.code, JSON.parse(right.out)]).toEqual([
    0,
    expect.objectContaining({ isBackwards: false, isSameHistory: true }),
  ]);
});

test('reports files of different clusters, by unmodified keys that differ', async () => {
  const other = sampleFile([
    { key: '/registry/configmaps/shop/a', revision: 2, value: value(10) },
    { key: '/registry/configmaps/shop/c', revision: 9, value: value(10) },
  ]);
  writeFiles({ before: file, after: other });
  for (const files of [
    ['before', 'after'],
    ['after', 'before'],
  ]) {
    const { code, out } = await pinion(['etcd', 'diff', ...files]);
    expect([code, out]).toEqual([1, expect.stringMatching(/^UNRELATED FILES: .*different clusters/m)]);
  }
});

test('does not report the wrong order for a corrupt later file, because its last revision is unknown', async () => {
  const damaged = Buffer.from(later);
  damaged[2 * 4096] = 9;
  writeFiles({ before: file, after: damaged });
  const { code, out } = await pinion(['etcd', 'diff', 'before', 'after']);
  expect([code, out]).toEqual([1, expect.stringMatching(/^DAMAGED/m)]);
  expect(out).not.toMatch(/WRONG ORDER|UNRELATED/);
});

/** One frequently rewritten object among objects that are written once. */
const busy = Array.from({ length: 400 }, (_, index): SampleRecord => ({
  key: `/registry/configmaps/shop/${index % 4 === 0 ? `quiet-${index}` : 'cart'}`,
  revision: index + 2,
  value: kubernetesValue({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'cart',
    managers: [{ manager: index % 4 === 0 ? 'quiet' : 'rewriter', time: start + index * 60 }],
    spec: 's'.repeat(3000),
  }),
}));

test('reports what is unknown in a truncated file, without conclusions from the missing pages', async () => {
  const whole = sampleFile(busy, { isReversed: true });
  const half = Math.floor(whole.length / 4096 / 2) * 4096;
  // The root of the tree is at the end of a sample file, so truncation removes it.
  writeFiles({ whole, cut: whole.subarray(0, half), halved: withoutLeaves(whole) });
  const intact = await pinion(['etcd', 'analyze', 'whole']);
  expect(intact.out).toMatch(/^ {2}both +[\d.]+ MiB +returned to the file system$/m);
  expect(intact.out).toMatch(/more each day, .* days left$/m);
  const { code, out } = await pinion(['etcd', 'analyze', 'cut']);
  expect(code).toBe(1);
  expect(out).toMatch(/; no leaf page with revisions was found$/m);
  expect(out).toMatch(/^ {2}defragmentation +unknown +pages could not be read$/m);
  expect(out).toMatch(/^ {2}both +unknown +pages could not be read$/m);
  expect(out).toMatch(/growth and days left unknown: pages could not be read$/m);
  expect(out).toContain('\nNo content tables: no page with revisions could be read.\n');
  expect(out).not.toMatch(/^(VALUES|RESOURCE|OBJECT|LAST WRITER)/m);
  const some = await pinion(['etcd', 'analyze', 'halved']);
  expect(some.out).toMatch(/^ {2}revision at least \d+, never compacted; at least \d+ writes$/m);
  expect(some.out).toMatch(/; totals cover \d+ of \d+ known leaf pages with revisions$/m);
  expect(some.out).toMatch(/^ {2}compaction would free +at least [\d.]+ KiB +for reuse within the file$/m);
  expect(some.out).toMatch(/^RESOURCE +BYTES/m);
  expect(some.out).toContain('The rest of this report covers the readable pages.');
  const json = JSON.parse((await pinion(['etcd', 'analyze', 'halved', '-o', 'json'])).out) as EtcdContents;
  expect(json.damage.coversAll).toBe(false);
  expect(Object.keys(json.reclaimable)).toEqual(['compaction']);
  expect(Object.keys(json.quota)).toEqual(['bytes', 'used']);
});

/** Returns the file with the header of every fourth of its first pages, which are leaves, overwritten. */
function withoutLeaves(whole: Buffer): Buffer {
  const file = Buffer.from(whole);
  for (let page = 2; page < 60; page += 4) file.writeBigUInt64LE(0n, page * 4096);
  return file;
}

test('explains missing tables of an empty database and of one without writers', async () => {
  writeFiles({ empty: sampleFile([]), anonymous: file });
  const empty = await pinion(['etcd', 'analyze', 'empty']);
  expect([empty.code, empty.out]).toEqual([
    0,
    expect.stringContaining('\nNo content tables: the file contains no revisions.\n'),
  ]);
  const { out } = await pinion(['etcd', 'analyze', 'anonymous']);
  expect(out).toContain('\nNo table of last writers: no value has managedFields.\n');
  expect(out).not.toMatch(/^LAST WRITER/m);
});

test('advice on frequently rewritten objects names the writer and the object', async () => {
  writeFiles({ db: sampleFile(busy) });
  const { out } = await pinion(['etcd', 'analyze', 'db']);
  expect(out).toMatch(
    /^ {2}In namespace shop, configmaps use 100 % .* They are rewritten often \(400 revisions\); last writer: rewriter of ConfigMap\.$/m,
  );
  expect(out).toMatch(/^ {2}rewriter rewrites ConfigMap frequently: .*, mostly \/registry\/configmaps\/shop\/cart\.$/m);
  expect(out).toMatch(/^OBJECT .* LAST WRITER$/m);
  expect(out).toMatch(/^ {2}\/registry\/configmaps\/shop\/cart .* rewriter of ConfigMap$/m);
});

test('names the last of several writers, and reports unknown ones', async () => {
  const written = (index: number): Uint8Array =>
    kubernetesValue({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'cart',
      managers: [{ manager: `writer-${index % 5}`, time: start + index }],
      spec: 's'.repeat(3000),
    });
  const records = (valueOf: (index: number) => Uint8Array) =>
    Array.from({ length: 400 }, (_, index) => ({
      key: `/registry/configmaps/shop/cart-${index % 20}`,
      revision: index + 2,
      value: valueOf(index),
    }));
  writeFiles({ shared: sampleFile(records(written)), unknown: sampleFile(records(() => value(3000))) });
  const shared = await pinion(['etcd', 'analyze', 'shared']);
  expect(shared.out).toMatch(
    /^ {2}configmaps of shop are rewritten frequently: .*; last writer: writer-\d of ConfigMap\.$/m,
  );
  const unknown = await pinion(['etcd', 'analyze', 'unknown']);
  expect(unknown.out).toMatch(/frequently: .*; managedFields do not show the writer, see the audit log\.$/m);
});

test.each([
  [['etcd'], 'etcd requires a subcommand: analyze, diff, status, compact, defrag, disarm, recover or snapshot'],
  [
    ['etcd', 'show'],
    'unknown subcommand "show" of etcd; use analyze, diff, status, compact, defrag, disarm, recover or snapshot',
  ],
  [['etcd', 'analyze'], 'etcd analyze requires FILE: database file or snapshot'],
  [['etcd', 'diff', 'a'], 'etcd diff requires AFTER: later database file or snapshot'],
  [['etcd', 'analyze', 'a', '--top', '0'], '--top must be an integer from 1 to 1000, not "0"'],
  [['etcd', 'analyze', 'a', '--quota', 'much'], '--quota must be a size of at least 1Mi, such as 8Gi, not "much"'],
  [
    ['etcd', 'analyze', 'a', '--quota', '8'],
    '--quota must be a size of at least 1Mi, such as 8Gi, not "8"; did you mean 8Gi?',
  ],
  [['etcd', 'diff', 'a', 'a', '--quota', '2048'], '--quota must be a size of at least 1Mi, such as 8Gi, not "2048"\n'],
  [['etcd', 'analyze', 'a', '--quota', '900Ki'], '--quota must be a size of at least 1Mi, such as 8Gi, not "900Ki"\n'],
])('a usage error suggests a correction: %j', async (argv, message) => {
  writeFiles({ a: file });
  expect(await pinion(argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});

test('reports a missing file', async () => {
  expect(await pinion(['etcd', 'analyze', 'gone'])).toMatchObject({ code: 3, err: 'pinion: gone does not exist\n' });
});
