import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleFile } from '../etcd/sample-file';
import { given, here, pinion } from './terminal';

const value = (bytes: number): Uint8Array => Buffer.alloc(bytes, 120);
const file = sampleFile([
  { key: '/registry/configmaps/shop/a', revision: 2, value: value(4000) },
  { key: '/registry/configmaps/shop/a', revision: 3, value: value(3000) },
]);
const later = sampleFile([
  { key: '/registry/configmaps/shop/a', revision: 3, value: value(3000) },
  { key: '/registry/configmaps/bank/b', revision: 4, value: value(9000) },
]);

test('a database is told by revision, pages, values and groups', async () => {
  given({ db: file });
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

test('all of it is written as JSON, and as pictures, where a file is named', async () => {
  given({ db: file });
  const asked = ['--json', 'a.json', '--html', 'a.html', '--svg', 'a.svg', '--speedscope', 'a.speedscope.json'];
  const { code, out } = await pinion(['etcd', 'analyze', 'db', '-o', 'json', ...asked]);
  expect(code).toBe(0);
  expect(readFileSync(join(here(), 'a.json'), 'utf8')).toBe(out);
  expect(JSON.parse(out)).toMatchObject({ isComplete: true, total: { objects: 1, revisions: 2 } });
  for (const name of ['a.html', 'a.svg', 'a.speedscope.json']) expect(existsSync(join(here(), name))).toBe(true);
});

test('a damaged file is told page by page, with what could be read', async () => {
  const damaged = Buffer.from(file);
  damaged[4096 + 40] = 9;
  given({ db: damaged, none: Buffer.alloc(9000, 'x') });
  const { code, out } = await pinion(['etcd', 'analyze', 'db']);
  expect(code).toBe(1);
  expect(out).toMatch(/^DAMAGED in 1 place; sums cover 1 of 1 leaves with revisions\n {2}page 1: the checksum/m);
  const none = await pinion(['etcd', 'analyze', 'none']);
  expect(none).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('none: is no etcd database\n  page 0: '),
  });
});

test('the difference of two files names what grew', async () => {
  given({ before: file, after: later });
  const { code, out } = await pinion(['etcd', 'diff', 'before', 'after', '--html', 'd.html']);
  expect(code).toBe(0);
  expect(out).toMatch(/^ {2}1 keys created, 0 deleted, 0 written$/m);
  expect(out).toMatch(/^ {2}bank +0 B +8.8 KiB +\+8.8 KiB +0 +1$/m);
  expect(out).toMatch(/^ {2}shop +6.9 KiB +3 KiB +-4 KiB +1 +1$/m);
  expect(readFileSync(join(here(), 'd.html'), 'utf8')).toContain('before to after');
});

test.each([
  [['etcd'], 'etcd needs a word: analyze, diff, status'],
  [['etcd', 'show'], 'etcd needs a word: analyze, diff, status, compact, defrag, disarm, recover, snapshot, not show'],
  [['etcd', 'analyze'], 'etcd analyze needs one file'],
  [['etcd', 'diff', 'a'], 'etcd diff needs two files'],
  [['etcd', 'analyze', 'a', '--top', '0'], '--top takes a whole number'],
  [['etcd', 'analyze', 'a', '--quota', 'much'], '--quota takes a size such as 8Gi, not much'],
])('wrong usage says what to write instead: %j', async (argv, message) => {
  given({ a: file });
  expect(await pinion(argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});

test('a file that is not there is told', async () => {
  expect(await pinion(['etcd', 'analyze', 'gone'])).toMatchObject({ code: 3, err: 'pinion: gone does not exist\n' });
});
