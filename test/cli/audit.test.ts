import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type AuditReport } from '../../lib/operations';
import { writeFiles, testFolder, pinion } from './terminal';

const event = (verb: string, stage: string, query = '') => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'Metadata',
  auditID: `${verb}-${stage}${query}`,
  stage,
  verb,
  requestURI: `/api/v1/pods${query}`,
  user: { username: 'system:serviceaccount:shop:cart' },
  objectRef: { resource: 'pods', apiVersion: 'v1' },
  responseStatus: { code: 200 },
  requestReceivedTimestamp: '2026-03-01T10:00:00.000000Z',
  stageTimestamp: '2026-03-01T10:00:00.100000Z',
});
const logOf = (...events: readonly object[]): string => {
  const file = join(testFolder(), 'audit.log');
  writeFileSync(file, events.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return file;
};

test.each([
  ['is empty', []],
  ['contains no audit.k8s.io events, only 2 other lines', [{ kind: 'Pod' }, { kind: 'Pod' }]],
  ['contains no events of completed requests', [event('list', 'RequestReceived')]],
])('reports a log without requests: it %s', async (reason, events) => {
  const file = logOf(...events);
  for (const format of ['text', 'json']) {
    const { code, out, err } = await pinion(['audit', file, '-o', format]);
    expect(out).not.toContain('USER ');
    expect([code, err]).toEqual([
      1,
      `pinion: ${file} ${reason}; pass the --audit-log-path file of an API server that has an --audit-policy-file\n`,
    ]);
  }
});

test('whole lists are counted along with all lists, and so are watches that start with one', async () => {
  const { code, out } = await pinion([
    'audit',
    logOf(
      event('list', 'ResponseComplete'),
      event('list', 'ResponseComplete', '?limit=500'),
      event('watch', 'ResponseStarted', '?watch=true&sendInitialEvents=true'),
    ),
  ]);
  expect(code).toBe(0);
  expect(out).toContain('2 lists;');
  expect(out).toContain('; 2 whole lists, including initial lists of watches\n');
  expect(out).toContain('system:serviceaccount:shop:cart');
});

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `${JSON.stringify(event('list', 'ResponseComplete', `?n=${index}`))}\n`,
  ).join('');

test('a compressed log gives the same counts as the plain one, whatever its name and number of gzip members', async () => {
  const plain = lines(20_000);
  const half = plain.indexOf('\n', plain.length / 2) + 1;
  writeFiles({
    'audit.log': plain,
    'audit.log.gz': gzipSync(plain),
    // The result of `cat a.gz b.gz`.
    'two.log': Buffer.concat([gzipSync(plain.slice(0, half)), gzipSync(plain.slice(half))]),
  });
  const reports = await Promise.all(
    ['audit.log', 'audit.log.gz', 'two.log'].map((name) => pinion(['audit', name, '-o', 'json'])),
  );
  expect(reports.map(({ code, err }) => [code, err])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ]);
  const [one, ...others] = reports.map(({ out }) => JSON.parse(out) as AuditReport);
  expect(one).toMatchObject({ requests: 20_000, unreadable: 0 });
  for (const other of others) expect(other).toEqual(one);
});

test('reports a truncated or corrupt compressed log, and an empty one', async () => {
  const compressed = gzipSync(lines(2000));
  const damaged = Buffer.from(compressed);
  damaged.fill(0xff, compressed.length / 2, compressed.length / 2 + 64);
  writeFiles({
    'cut.gz': compressed.subarray(0, compressed.length / 2),
    'damaged.gz': damaged,
    'empty.gz': gzipSync(''),
    one: 'x',
  });
  for (const name of ['cut.gz', 'damaged.gz'])
    expect(await pinion(['audit', name])).toMatchObject({
      code: 3,
      err: expect.stringContaining(`${name} cannot be used: `),
    });
  expect(await pinion(['audit', 'empty.gz'])).toMatchObject({ code: 1, out: expect.stringContaining('0 requests') });
  expect(await pinion(['audit', 'one'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('1 line is not an event'),
  });
});
