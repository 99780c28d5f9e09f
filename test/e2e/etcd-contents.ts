import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { analyze, type EtcdContents, type Sum } from '../../lib/etcd';
import { findBinaries } from '../control-plane/binaries';
import { runCommand } from '../control-plane/command';
import { RunningControlPlane } from '../control-plane/running-control-plane';
import { describeRunning } from '../control-plane/running-suite';
import { retryOnPortConflict } from '../control-plane/start-control-plane';
import { existingClusterKubeconfig, unavailable } from '../control-plane/existing-cluster';
import { corruptions, classifyCorruption } from '../etcd/corruptions';
import { type BoltFile, boltHash, readBolt } from '../etcd/bolt-reader';
import { type ReferenceContents, referenceContents, type ReferenceRow } from '../etcd/reference-contents';
import { inMemory } from '../etcd/sample-file';
import { type StoredObjects, fillEtcd, type StoredSize } from './fill-etcd';

/** Etcd version, size of the data and number of damaged variants. */
export interface EtcdContentsOptions extends StoredSize {
  readonly etcd: '3.5' | '3.6';
  /** Number of damaged variants of the file to analyze. */
  readonly variants: number;
}

interface SnapshotStatus {
  readonly hash: number;
  readonly revision: number;
  readonly totalKey: number;
  readonly totalSize: number;
}

/** Timeout in milliseconds of tests that process all objects: a busy machine stores a hundred per second. */
const longTimeout = 1_800_000;

/** Defines the suite in which a real API server fills a real etcd; all sums are compared with the stored objects, etcd's own tools and a second reader. */
export function describeEtcdContents({ etcd, variants, ...size }: EtcdContentsOptions): void {
  const title = `contents of an etcd ${etcd} of a real API server with ${size.objects.toLocaleString('en-US')} objects`;
  const programs = findBinaries(['kube-apiserver', 'kubectl']);
  const suffix = etcd === '3.5' ? '-3.5' : '';
  const tools = findBinaries([`etcd${suffix}`, `etcdctl${suffix}`, `etcdutl${suffix}`]);
  const skipReason =
    existingClusterKubeconfig() === undefined
      ? [programs, tools].find((one) => 'skipped' in one)
      : { skipped: unavailable.platform };
  const path = (name: 'etcd' | 'etcdctl' | 'etcdutl'): string =>
    'paths' in tools ? (tools.paths[`${name}${suffix}`] ?? '') : '';
  const folder = mkdtempSync(join(tmpdir(), 'pinion-etcd-contents-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (): Promise<RunningControlPlane> => {
    if (!('paths' in programs)) throw new Error(programs.skipped);
    const paths = { ...programs.paths, etcd: path('etcd') };
    // The tests trigger compaction.
    const apiServerFlags = [`--encryption-provider-config=${encryptionFile(folder)}`, '--etcd-compaction-interval=0'];
    return retryOnPortConflict(() => RunningControlPlane.start({ paths, apiServerFlags }));
  };
  async function run(program: 'etcdctl' | 'etcdutl', args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand(path(program), args, '', {});
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${code}: ${stderr}`);
    return stdout;
  }
  const statusOf = async (snapshotFile: string): Promise<SnapshotStatus> =>
    JSON.parse(await run('etcdutl', ['snapshot', 'status', snapshotFile, '-w', 'json'])) as SnapshotStatus;

  const suite = {
    what: 'the control plane',
    start: skipReason && 'skipped' in skipReason ? skipReason : start,
    timeout: 180_000,
  };
  describeRunning(title, suite, (controlPlane) => {
    const file = join(folder, 'snapshot.db');
    let stored: StoredObjects;
    let bytes: Buffer;
    let contents: EtcdContents;
    let boltFile: BoltFile;
    let reference: ReferenceContents;
    const etcdctl = (...args: readonly string[]): Promise<string> =>
      run('etcdctl', [`--endpoints=${controlPlane().etcdUrl}`, ...args]);
    const row = (rows: readonly Sum[], name: string): Sum | undefined => rows.find((one) => one.name === name);

    beforeAll(async () => {
      stored = await fillEtcd(controlPlane(), size, async (revision) => {
        await etcdctl('compact', '--physical', String(revision));
      });
      await etcdctl('snapshot', 'save', file);
      bytes = readFileSync(file);
      contents = await contentsOf(bytes);
      boltFile = readBolt(bytes);
      reference = referenceContents(
        boltFile.entries,
        contents.revision.compacted,
        await kindsWithStatus(controlPlane()),
      );
    }, longTimeout);

    test(
      'match etcdutl in keys, revision, size and hash of a complete snapshot',
      async () => {
        const reported = await statusOf(file);
        expect(contents.damage.pages).toEqual([]);
        expect(contents.file).toMatchObject({ kind: 'snapshot', checksum: 'match' });
        // etcdutl 3.5 counts the entries of all buckets, 3.6 the keys that exist.
        const entries = contents.buckets.reduce((sum, bucket) => sum + bucket.entries, 0);
        expect(reported).toMatchObject({
          revision: contents.revision.current,
          totalKey: etcd === '3.5' ? entries : contents.total.objects,
          totalSize: contents.bytes.database,
        });
        // The second reader has read every byte at its offset.
        expect(boltHash(boltFile)).toBe(reported.hash);
        expect(contents.revision.compacted).toBe(stored.compacted);
      },
      longTimeout,
    );

    test('include the stored objects and the tombstones of deleted ones', () => {
      for (const [resource, objects] of Object.entries(stored.objects)) {
        const ours = contents.by.resourceByNamespace.filter(
          (one) => one.resource === resource && /^(team-\d+|hog|shop)$/.test(one.namespace),
        );
        expect([resource, ours.reduce((sum, one) => sum + one.objects, 0)]).toEqual([resource, objects]);
      }
      expect(row(contents.by.resource, 'configmaps')?.tombstones).toBe(stored.deleted);
      expect(row(contents.by.project, 'hog')).toMatchObject({
        objects: 40,
        live: row(contents.by.namespace, 'hog')?.live,
      });
    });

    test('match the sums of a second reader in total and in every row of every group', () => {
      expect(contents.bytes.records).toBe(reference.bytes);
      expect(contents.total).toMatchObject(reference.total);
      for (const group of [
        'resource',
        'namespace',
        'project',
        'resourceByNamespace',
        'kind',
        'owner',
        'object',
      ] as const)
        expect([group, differences(contents.by[group], reference.by[group], group === 'object')]).toEqual([group, []]);
      for (const { name, revisions, live, history, writes } of contents.by.writer)
        expect([name, { revisions, bytes: live + history, writes }]).toEqual([name, reference.writers.get(name)]);
      expect(contents.by.writer).toHaveLength(reference.writers.size);
    });

    test('report the number and period of writes since the compaction', () => {
      const { revision } = contents;
      const seconds = reference.latest - reference.latestBefore;
      expect(revision).toMatchObject({ current: reference.revision, writes: reference.total.writes });
      if (seconds > 0) expect(revision).toMatchObject({ seconds, writesPerSecond: reference.total.writes / seconds });
      if (seconds >= 60) {
        // Pages are larger than their contents.
        const growthPerDay = ((reference.total.live - reference.liveBefore) * 86_400) / seconds;
        expect((contents.quota.growthPerDay ?? 0) / growthPerDay).toBeGreaterThanOrEqual(1);
        expect((contents.quota.growthPerDay ?? 0) / growthPerDay).toBeLessThan(1.5);
      }
    });

    test('count encrypted values by encryption key, and keys with a lease', () => {
      const secrets = reference.encryption.get('aescbc:v1:key1');
      expect(secrets?.records).toBe(stored.objects.secrets);
      expect(contents.encryption).toEqual([{ name: 'aescbc:v1:key1', objects: stored.objects.secrets, ...secrets }]);
      expect(contents.leases.keys).toBeGreaterThanOrEqual(stored.objects.events);
    });

    test('rank the largest namespace and the controller that rewrites a status first', () => {
      expect(contents.by.resourceByNamespace[0]).toMatchObject({
        resource: 'configmaps',
        namespace: 'hog',
        objects: 40,
      });
      const sentences = contents.advice.map(({ sentence }) => sentence);
      expect(sentences[0]).toMatch(/^In namespace hog, configmaps use \d+ % of all bytes/);
      const [most] = [...contents.by.writer].sort((a, b) => b.history - a.history);
      expect(most).toMatchObject({ manager: 'rewriter', subresource: 'status', revisions: 60, objects: 1 });
      expect(sentences[1]).toMatch(/^rewriter rewrites the status of Gadget frequently: \d+ %/);
    });

    test(
      `report the corruption of ${variants} damaged variants and never return wrong sums silently`,
      async () => {
        // Without the checksum at the end, which would reveal every corruption.
        const intactFile = bytes.subarray(0, contents.bytes.database);
        const { total } = contents;
        await fc.assert(
          fc.asyncProperty(corruptions(contents.pages.size), async (corrupt) => {
            const damaged = corrupt(Buffer.from(intactFile));
            const found = await analyze(inMemory(damaged.file));
            if (!('contents' in found)) return found.isForeign || found.damage.count > 0;
            if (!found.contents.isComplete)
              return found.contents.damage.pages.every(({ page, reason }) => page >= 0 && reason.length > 0);
            const { structure, pointer } = classifyCorruption(intactFile, boltFile.kinds, damaged);
            if (structure) return false;
            return (
              pointer ||
              (found.contents.total.revisions === total.revisions &&
                found.contents.bytes.records === contents.bytes.records)
            );
          }),
          { numRuns: variants },
        );
      },
      longTimeout,
    );

    test(
      'predict the space that compaction and defragmentation reclaim in etcd',
      async () => {
        // There are no more writes.
        await controlPlane().part('kube-apiserver').kill();
        await etcdctl('snapshot', 'save', file, '--command-timeout=120s');
        const before = await contentsOf(readFileSync(file));
        const data = join(folder, 'data');
        mkdirSync(join(data, 'member', 'snap'), { recursive: true });
        const copy = join(data, 'member', 'snap', 'db');
        writeFileSync(copy, readFileSync(file).subarray(0, before.bytes.database));
        await run('etcdutl', ['defrag', '--data-dir', data]);
        const defragmented = await contentsOf(readFileSync(copy));
        expect(defragmented.total).toEqual(before.total);
        const expectNear = (reported: number, actual: number): void =>
          expect(Math.abs(reported - actual)).toBeLessThan(0.02 * before.bytes.database);
        expectNear(
          before.reclaimable.defragmentation ?? Number.NaN,
          before.bytes.database - defragmented.bytes.database,
        );

        await etcdctl('compact', '--physical', String(before.revision.current));
        await etcdctl('put', 'a key that makes etcd commit', 'x');
        await etcdctl('snapshot', 'save', file, '--command-timeout=120s');
        const compacted = await contentsOf(readFileSync(file));
        expect(compacted.total.live - before.total.live).toBeLessThan(1000);
        expectNear(before.reclaimable.compaction, before.bytes.used - compacted.bytes.used);
        await etcdctl('defrag', '--command-timeout=120s');
        await etcdctl('snapshot', 'save', file);
        const both = await contentsOf(readFileSync(file));
        expectNear(before.reclaimable.both ?? Number.NaN, before.bytes.database - both.bytes.database);
      },
      longTimeout,
    );
  });
}

async function contentsOf(file: Buffer): Promise<EtcdContents> {
  const found = await analyze(inMemory(file));
  if (!('contents' in found)) throw new Error('not an etcd database');
  return found.contents;
}

/** Returns the rows that differ between the two readers. Beyond a thousand rows, a group has one row for the rest; objects have none. */
function differences(
  rows: readonly Sum[],
  reference: ReadonlyMap<string, ReferenceRow>,
  isCut: boolean,
): readonly unknown[] {
  const rest = [...reference.keys()].length - 1000;
  const listed = new Set(rows.map(({ name }) => name));
  const wrong: unknown[] = [];
  for (const row of rows) {
    const expected =
      row.name === `${rest} more`
        ? sumOf([...reference].filter(([name]) => !listed.has(name)).map(([, one]) => one))
        : reference.get(row.name);
    const keys = Object.keys(expected ?? {}) as (keyof ReferenceRow)[];
    if (!expected || keys.some((key) => expected[key] !== row[key])) wrong.push({ row, expected });
  }
  if (rows.length !== Math.min(reference.size, isCut ? 1000 : 1001))
    wrong.push(`${rows.length} rows of ${reference.size}`);
  return wrong;
}

const sumOf = (rows: readonly ReferenceRow[]): ReferenceRow =>
  rows.reduce(
    (sum, row) =>
      Object.fromEntries(
        (Object.keys(row) as (keyof ReferenceRow)[]).map((key) => [
          key,
          key === 'largest' ? Math.max(sum[key], row[key]) : sum[key] + row[key],
        ]),
      ) as unknown as ReferenceRow,
  );

function encryptionFile(folder: string): string {
  const file = join(folder, 'encryption.json');
  const secret = Buffer.alloc(32, 7).toString('base64');
  const providers = [{ aescbc: { keys: [{ name: 'key1', secret }] } }, { identity: {} }];
  const resources = [{ resources: ['secrets'], providers }];
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources }),
  );
  return file;
}

/** Returns the kinds with a `status` subresource, by API discovery. */
async function kindsWithStatus({ client }: RunningControlPlane): Promise<ReadonlySet<string>> {
  const get = async (path: string): Promise<unknown> => (await client.request('GET', path)).body;
  const { groups } = (await get('/apis')) as {
    readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  };
  const paths = [
    '/api/v1',
    ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`)),
  ];
  const found = new Set<string>();
  for (const path of paths) {
    const { resources } = (await get(path)) as {
      readonly resources: readonly { readonly name: string; readonly kind: string }[];
    };
    for (const { name, kind } of resources) if (name.endsWith('/status')) found.add(kind);
  }
  return found;
}
