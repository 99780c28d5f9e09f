import fc from 'fast-check';
import { analyze, type EtcdContents, type AnalyzedDatabase } from '../../lib/etcd';
import { corruptions, classifyCorruption } from './corruptions';
import { readBolt } from './bolt-reader';
import { field, inMemory, kubernetesValue, sampleFile, type SampleRecord, sizeOf } from './sample-file';

async function read(file: Uint8Array): Promise<AnalyzedDatabase> {
  const found = await analyze(inMemory(file));
  if (!('contents' in found)) throw new Error(JSON.stringify(found));
  return found;
}
const contentsOf = async (file: Uint8Array): Promise<EtcdContents> => (await read(file)).contents;

const start = 1_790_000_000;
const status = 'ready'.repeat(10);
const managed = { manager: 'kubelet', subresource: 'status', time: start };
const pod = (name: string, time = start): Uint8Array =>
  kubernetesValue({
    apiVersion: 'v1',
    kind: 'Pod',
    name,
    managers: [
      { manager: 'kube-controller-manager', time: start },
      { ...managed, time },
    ],
    lastApplied: '{"a":1}',
    owners: [
      { kind: 'Node', name: 'n' },
      { kind: 'ReplicaSet', name: 'cart-1', controller: true },
    ],
    spec: 's'.repeat(200),
    status,
  });
const gadget = Buffer.from(
  `{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\\"a\\":\\"}\\"}"},"managedFields":[{"manager":"rewriter","operation":"Update","subresource":"status","time":"2026-10-01T00:00:00Z"}],"name":"g","namespace":"shop"},"status":{"n":[1,"]"]}}\n`,
);

/** Two pods, one rewritten, a gadget, a secret, a deleted ConfigMap, a project; compacted at revision 5. */
const records: readonly SampleRecord[] = [
  { key: '/registry/pods/shop/a', revision: 2, value: pod('a') },
  { key: '/registry/pods/shop/b', revision: 3, value: pod('b', start + 5), lease: 7 },
  {
    key: '/registry/configmaps/shop/c',
    revision: 4,
    value: kubernetesValue({ apiVersion: 'v1', kind: 'ConfigMap', name: 'c' }),
  },
  { key: '/registry/pods/shop/a', revision: 6, value: pod('a', start + 100), version: 2 },
  { key: '/registry/example.com/gadgets/shop/g', revision: 7, value: gadget },
  { key: '/registry/secrets/shop/s', revision: 8, value: Buffer.from('k8s:enc:aescbc:v1:key1:\u0000\u0001secret') },
  { key: '/registry/configmaps/shop/c', revision: 9 },
  {
    key: '/registry/pinterest.com/projects/shop',
    revision: 10,
    value: Buffer.from('{"kind":"Project","apiVersion":"pinterest.com/v1"}'),
  },
  { key: 'compact_rev_key', revision: 11, value: Buffer.from('5') },
];
const at = (revision: number): number => sizeOf(records.find((one) => one.revision === revision) as SampleRecord);
const row = <R extends { readonly name: string }>(rows: readonly R[], name: string): R => {
  const found = rows.find((one) => one.name === name);
  if (!found) throw new Error(`no row ${name} among ${rows.map((one) => one.name).join(', ')}`);
  return found;
};

describe('a database with known contents', () => {
  let contents: EtcdContents;
  beforeAll(async () => (contents = await contentsOf(sampleFile(records, { compacted: 5 }))));

  test('is read completely', () => {
    expect(contents.damage.pages).toEqual([]);
    expect(contents.isComplete).toBe(true);
    expect(contents.file).toEqual({ kind: 'database', checksum: 'none', transaction: 11, storageVersion: '3.6.0' });
  });

  test('separates live bytes from history', () => {
    const live = at(3) + at(6) + at(7) + at(8) + at(10) + at(11);
    const history = at(2) + at(4) + at(9);
    expect(contents.total).toMatchObject({ objects: 6, live, history, revisions: 9, tombstones: 1, largest: at(3) });
    expect(contents.tombstoneBytes).toBe(at(9));
    expect(contents.leases).toMatchObject({ keys: 1, bytes: at(3) });
  });

  test('is summed by resource, namespace, project, kind, owner, writer and object', () => {
    const { by } = contents;
    const pods = { objects: 2, live: at(3) + at(6), history: at(2), revisions: 3, writes: 1 };
    expect(row(by.resource, 'pods')).toMatchObject(pods);
    expect(row(by.resource, 'configmaps')).toMatchObject({ objects: 0, live: 0, history: at(4) + at(9), average: 0 });
    expect(row(by.resource, 'gadgets.example.com')).toMatchObject({ objects: 1, live: at(7) });
    expect(row(by.namespace, 'shop')).toMatchObject({ objects: 4 });
    expect(row(by.namespace, '(cluster)')).toMatchObject({ objects: 2, live: at(10) + at(11) });
    expect(row(by.project, 'shop')).toMatchObject({ objects: 4 });
    expect(row(by.project, '(no project)')).toMatchObject({ objects: 2 });
    expect(row(by.kind, 'v1 Pod')).toMatchObject(pods);
    expect(row(by.owner, 'ReplicaSet shop/cart-1')).toMatchObject(pods);
    expect(row(by.writer, 'kubelet (status) of Pod')).toMatchObject({ objects: 2, revisions: 3, live: at(3) + at(6) });
    expect(row(by.writer, 'rewriter (status) of Gadget')).toMatchObject({ objects: 1, writes: 1 });
    expect(row(by.object, '/registry/pods/shop/a')).toMatchObject({ live: at(6), history: at(2), revisions: 2 });
    for (const rows of [by.resource, by.namespace, by.project, by.kind, by.owner, by.resourceByNamespace])
      expect(rows.reduce((sum, { live, history }) => sum + live + history, 0)).toBe(contents.bytes.records);
  });

  test('reports the bytes of managedFields, last-applied annotations and status', () => {
    const own = field(3, status).length;
    expect(row(contents.by.kind, 'v1 Pod').status).toBe(2 * own);
    expect(row(contents.by.kind, 'example.com/v1 Gadget')).toMatchObject({
      status: '"status":{"n":[1,"]"]}'.length,
      lastApplied: '"kubectl.kubernetes.io/last-applied-configuration":"{\\"a\\":\\"}\\"}"'.length,
      managedFields:
        '"managedFields":[{"manager":"rewriter","operation":"Update","subresource":"status","time":"2026-10-01T00:00:00Z"}]'
          .length,
    });
  });

  test('counts values by encoding, and encrypted values by key', () => {
    const counts = Object.fromEntries(contents.formats.map(({ format, records: count }) => [format, count]));
    expect(counts).toEqual({ protobuf: 4, json: 2, encrypted: 1, cbor: 0, other: 1 });
    expect(contents.encryption).toEqual([{ name: 'aescbc:v1:key1', records: 1, bytes: at(8), objects: 1 }]);
  });

  test('accounts for every byte of every page', () => {
    const { pages, bytes } = contents;
    expect(pages.meta + pages.branch + pages.leaf + pages.overflow + pages.freelist + pages.free).toBe(pages.count);
    expect(bytes.used + bytes.unused + bytes.free).toBe(bytes.database);
    expect(bytes.database).toBe(bytes.file);
    expect(pages.free).toBe(3);
  });
});

test('counts the pages of a stored freelist', async () => {
  const { pages, bytes, isComplete } = await contentsOf(sampleFile(records, { freelistPages: 3 }));
  expect([isComplete, pages.freelist, pages.free]).toEqual([true, 3, 3]);
  expect(bytes.used + bytes.unused + bytes.free).toBe(bytes.database);
  const damaged = sampleFile(records, { freelistPages: 3 });
  damaged.writeUInt16LE(2, bytes.database - 6 * 4096 + 8);
  expect((await contentsOf(damaged)).damage.pages).toEqual([
    { page: 0, reason: expect.stringMatching(/^the freelist is not on page \d+$/) },
  ]);
});

test('reports keys that no API server wrote as one row, and recommends to inspect them with etcdctl', async () => {
  const own = Array.from({ length: 50 }, (_, index): SampleRecord => ({
    key: `app/part/setting-${index}`,
    revision: index + 2,
    value: Buffer.alloc(40_000, 120),
  }));
  const { by, advice } = await contentsOf(sampleFile(own));
  expect(by.resource).toEqual([expect.objectContaining({ name: 'other keys', objects: 50 })]);
  expect(advice[0]).toEqual({
    sentence: expect.stringMatching(/^other keys use 100 % of all bytes/),
    command: "etcdctl get '' --prefix --keys-only",
  });
});

test('counts a deleted object with its last owner, regardless of the order of its revisions', async () => {
  const owned = (name: string): Uint8Array =>
    kubernetesValue({
      apiVersion: 'v1',
      kind: 'Pod',
      name: 'p',
      owners: [{ kind: 'ReplicaSet', name }],
      spec: 's'.repeat(5000),
    });
  const key = '/registry/pods/shop/p';
  const other = (revision: number): SampleRecord => ({ key: '/registry/pods/shop/q', revision, value: owned('other') });
  const all = [
    { key, revision: 2, value: owned('first') },
    other(3),
    { key, revision: 4, value: owned('last') },
    other(5),
    { key, revision: 6 },
  ];
  const { by } = await contentsOf(sampleFile(all, { isReversed: true }));
  expect(Object.fromEntries(by.owner.map(({ name, revisions }) => [name, revisions]))).toEqual({
    'ReplicaSet shop/last': 3,
    'ReplicaSet shop/other': 2,
  });
});

test('computes growth from the live size now and at the last compaction, over the time in between', async () => {
  const early = start + 1000;
  const { quota, revision } = await contentsOf(
    sampleFile(
      [
        { key: '/registry/pods/shop/a', revision: 2, value: pod('a', early) },
        { key: '/registry/pods/shop/b', revision: 4, value: pod('b', early + 3600) },
      ],
      { compacted: 3 },
    ),
  );
  expect(revision).toMatchObject({ compacted: 3, writes: 1, seconds: 3600 });
  expect(quota.growthPerDay).toBeGreaterThanOrEqual(24 * at(3) * 0.9);
  expect(quota.days).toBeGreaterThan(0);
});

test('reads revisions on many pages, with values larger than a page', async () => {
  const many = Array.from({ length: 3000 }, (_, index): SampleRecord => ({
    key: `/registry/configmaps/n${index % 7}/c${index % 500}`,
    revision: index + 2,
    value: Buffer.alloc(index % 100 === 0 ? 20_000 : 30 + (index % 50), 120),
  }));
  const contents = await contentsOf(sampleFile(many));
  expect(contents.damage.pages).toEqual([]);
  expect(contents.bytes.records).toBe(many.reduce((sum, one) => sum + sizeOf(one), 0));
  expect(contents.total.revisions).toBe(3000);
  expect(contents.pages.branch).toBeGreaterThan(1);
  expect(contents.pages.overflow).toBeGreaterThan(30);
});

describe('corruption', () => {
  const many = Array.from({ length: 300 }, (_, index): SampleRecord =>
    index % 10 === 9
      ? { key: `/registry/pods/shop/p${index % 40}`, revision: index + 2 }
      : { key: `/registry/pods/shop/p${index % 40}`, revision: index + 2, value: pod(`p${index % 40}`, start + index) },
  );
  const validFile = sampleFile(many, { pageSize: 1024, compacted: 20 });
  const snapshot = sampleFile(many, { pageSize: 1024, compacted: 20, isSnapshot: true });

  test('is reported if detectable, and otherwise leaves the sum of all revisions unchanged; nothing is thrown', async () => {
    const { total, bytes } = await contentsOf(validFile);
    const { kinds } = readBolt(validFile);
    await fc.assert(
      fc.asyncProperty(corruptions(1024), async (corrupt) => {
        const damaged = corrupt(Buffer.from(validFile));
        const found = await analyze(inMemory(damaged.file));
        if (!('contents' in found)) return found.isForeign || found.damage.count > 0;
        const { contents } = found;
        if (!contents.isComplete) return contents.damage.pages.every(({ reason }) => reason.length > 0);
        const { structure, pointer } = classifyCorruption(validFile, kinds, damaged);
        if (structure) return false;
        return pointer || (contents.total.revisions === total.revisions && contents.bytes.records === bytes.records);
      }),
      { numRuns: 1000 },
    );
  }, 240_000);

  test('of a snapshot is always reported, because its checksum covers every byte', async () => {
    expect((await contentsOf(snapshot)).file).toMatchObject({ kind: 'snapshot', checksum: 'match' });
    await fc.assert(
      fc.asyncProperty(corruptions(1024), async (corrupt) => {
        const { file: damaged } = corrupt(Buffer.from(snapshot));
        if (damaged.equals(snapshot)) return true;
        const found = await analyze(inMemory(damaged));
        return !('contents' in found) || !found.contents.isComplete;
      }),
      { numRuns: 300 },
    );
  }, 240_000);

  test('names the page and excludes its contents from every sum', async () => {
    const file = Buffer.from(validFile);
    // The header of the third page of the file, a leaf with revisions.
    file.writeBigUInt64LE(99n, 2 * 1024);
    const contents = await contentsOf(file);
    expect(contents.damage.pages).toEqual([{ page: 2, reason: 'has the header of page 99' }]);
    expect(contents.damage.leavesRead).toBe(contents.damage.leaves - 1);
    expect(contents.total.revisions).toBeLessThan(300);
    expect(contents.advice[0]?.sentence).toContain('corrupt in 1 place, the first on page 2');
  });

  test('of a truncated file is reported as missing pages', async () => {
    const contents = await contentsOf(validFile.subarray(0, validFile.length - 6 * 1024));
    expect(contents.isComplete).toBe(false);
    expect(contents.pages.missing).toBe(6);
    expect(contents.damage.pages[0]?.reason).toContain('6 pages are missing');
  });

  test('of the newer meta page is reported, and the other one is used', async () => {
    const file = Buffer.from(validFile);
    file[1024 + 64] = 77;
    const contents = await contentsOf(file);
    expect(contents.damage.pages).toEqual([{ page: 1, reason: 'the checksum of the meta page does not match' }]);
    expect(contents.file.transaction).toBe(10);
  });

  test.each([
    ['an empty file', Buffer.alloc(0), false],
    ['text', Buffer.alloc(100_000, 'not a database '), true],
  ])('%s is rejected as not a database', async (_, file, isForeign) => {
    const found = await analyze(inMemory(file));
    expect('contents' in found).toBe(false);
    expect(found).toMatchObject({ isForeign });
  });
});
