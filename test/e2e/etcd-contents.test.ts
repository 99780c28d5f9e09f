import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyze, type EtcdContents } from '../../lib/etcd';
import { findBinaries } from '../control-plane/binaries';
import { runCommand } from '../control-plane/command';
import { type ControlPlane } from '../control-plane/control-plane';
import { describeControlPlane } from '../control-plane/suite';
import { inMemory } from '../etcd/sample-file';

const folder = mkdtempSync(join(tmpdir(), 'pinion-etcd-contents-'));
const encryption = join(folder, 'encryption.json');
writeFileSync(
  encryption,
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources: ['secrets'],
        providers: [
          { aescbc: { keys: [{ name: 'key1', secret: Buffer.alloc(32, 7).toString('base64') }] } },
          { identity: {} },
        ],
      },
    ],
  }),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tools = findBinaries(['etcdctl', 'etcdutl']);
const gadgetPath = '/apis/example.com/v1/namespaces/shop/gadgets/g';

/** What etcd itself says of one key. */
interface StoredKey {
  readonly key: string;
  readonly create_revision: number;
  readonly mod_revision: number;
  readonly version: number;
  readonly value: string;
  readonly lease?: number;
}

const varintBytes = (value: number): number => (value < 128 ? 1 : 1 + varintBytes(Math.floor(value / 128)));

/** Bytes that a key takes in the database: its revision, and its message. */
function storedBytes({ key, value, create_revision, mod_revision, version, lease = 0 }: StoredKey): number {
  const text = (length: number): number => (length === 0 ? 0 : 1 + varintBytes(length) + length);
  const number = (one: number): number => (one === 0 ? 0 : 1 + varintBytes(one));
  const [keyBytes, valueBytes] = [key, value].map((base64) => Buffer.from(base64, 'base64').length) as [number, number];
  // A lease is a number of 63 bits, which JSON rounds: that changes its length at a power of two only.
  const numbers = [create_revision, mod_revision, version].map(number).reduce((sum, one) => sum + one, 0);
  return 17 + text(keyBytes) + numbers + text(valueBytes) + (lease === 0 ? 0 : 1 + varintBytes(lease));
}

async function run(program: 'etcdctl' | 'etcdutl', args: readonly string[]): Promise<string> {
  if (!('paths' in tools)) throw new Error(tools.skipped);
  const { code, stdout, stderr } = await runCommand(tools.paths[program], args, '', {});
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Where the etcd of a control plane takes requests, from its own command line. */
function endpointOf(controlPlane: ControlPlane): string {
  const words = readFileSync(`/proc/${controlPlane.part('etcd').pid}/cmdline`, 'utf8').split('\0');
  const flag = '--listen-client-urls=';
  return words.find((word) => word.startsWith(flag))?.slice(flag.length) ?? '';
}

async function contentsOf(file: string): Promise<EtcdContents> {
  const found = await analyze(inMemory(readFileSync(file)));
  if (!('contents' in found)) throw new Error('is no database');
  return found.contents;
}

if ('skipped' in tools) test.skip(`what a real etcd holds (skipped: ${tools.skipped})`, () => undefined);
else
  describeControlPlane(
    'what a real etcd holds',
    (controlPlane) => {
      const file = join(folder, 'snapshot.db');
      let contents: EtcdContents;
      let live: readonly StoredKey[];

      beforeAll(async () => {
        const endpoint = `--endpoints=${endpointOf(controlPlane())}`;
        await fill(controlPlane(), async (revision) => {
          await run('etcdctl', [endpoint, 'compact', '--physical', String(revision)]);
        });
        await run('etcdctl', [endpoint, 'snapshot', 'save', file]);
        contents = await contentsOf(file);
        const at = `--rev=${contents.revision.current}`;
        const answer = await run('etcdctl', [endpoint, 'get', '', '--prefix', at, '-w', 'json']);
        live = (JSON.parse(answer) as { readonly kvs: readonly StoredKey[] }).kvs;
      }, 240_000);

      test('is a whole snapshot, with the keys, revision and size that etcdutl says', async () => {
        const said = JSON.parse(await run('etcdutl', ['snapshot', 'status', file, '-w', 'json'])) as object;
        expect(contents.damage.pages).toEqual([]);
        expect(contents.file).toMatchObject({ kind: 'snapshot', checksum: 'fits' });
        expect(said).toMatchObject({
          revision: contents.revision.current,
          totalKey: contents.total.objects,
          totalSize: contents.bytes.database,
        });
      });

      test('has the bytes of every resource and namespace that etcd itself gives for them', () => {
        const of = (prefix: string): { readonly objects: number; readonly live: number } => {
          const keys = live.filter(({ key }) => Buffer.from(key, 'base64').toString('utf8').startsWith(prefix));
          return { objects: keys.length, live: keys.reduce((sum, key) => sum + storedBytes(key), 0) };
        };
        const row = (name: string) => contents.by.resource.find((one) => one.name === name);
        expect(contents.total).toMatchObject(of(''));
        expect(row('configmaps')).toMatchObject(of('/registry/configmaps/'));
        expect(row('secrets')).toMatchObject(of('/registry/secrets/'));
        expect(row('gadgets.example.com')).toMatchObject(of('/registry/example.com/gadgets/'));
        expect(row('events')).toMatchObject(of('/registry/events/'));
        expect(row('services')).toMatchObject(of('/registry/services/specs/'));
        const hog = contents.by.place.find(({ name }) => name === 'configmaps of hog');
        expect(hog).toMatchObject(of('/registry/configmaps/hog/'));
        expect(row('configmaps')?.tombstones).toBe(10);
      });

      test('counts what is encrypted, by its key, and keys with a lease', () => {
        expect(contents.encryption).toEqual([expect.objectContaining({ name: 'aescbc:v1:key1', objects: 5 })]);
        expect(contents.formats.find(({ format }) => format === 'encrypted')).toMatchObject({ objects: 5 });
        expect(contents.leases.keys).toBe(live.filter(({ lease = 0 }) => lease !== 0).length);
        expect(contents.leases.keys).toBeGreaterThanOrEqual(5);
      });

      test('names first the namespace that takes most, and the controller that rewrites a status', () => {
        expect(contents.by.place[0]).toMatchObject({ resource: 'configmaps', namespace: 'hog', objects: 40 });
        const sentences = contents.advice.map(({ sentence }) => sentence);
        expect(sentences[0]).toMatch(/^Namespace hog: its configmaps take \d+ % of all bytes/);
        const [most] = [...contents.by.writer].sort((a, b) => b.history - a.history);
        expect(most).toMatchObject({ manager: 'rewriter', subresource: 'status', revisions: 60, objects: 1 });
        expect(sentences[1]).toMatch(/^rewriter rewrites the status of Gadget again and again: \d+ %/);
      });

      test('says what defragmentation gives back within a tenth of what etcdutl then does', async () => {
        const data = join(folder, 'data');
        const copy = join(data, 'member', 'snap', 'db');
        mkdirSync(join(data, 'member', 'snap'), { recursive: true });
        copyFileSync(file, copy);
        // Without the checksum it is the database file of a member.
        writeFileSync(copy, readFileSync(copy).subarray(0, contents.bytes.database));
        await run('etcdutl', ['defrag', '--data-dir', data]);
        const after = await contentsOf(copy);
        expect(after.damage.pages).toEqual([]);
        expect(after.total).toEqual(contents.total);
        const shrunk = contents.bytes.database - after.bytes.database;
        expect(Math.abs(contents.giveBack.defragmentation - shrunk)).toBeLessThan(0.1 * contents.bytes.database);
      });
    },
    { apiServerFlags: [`--encryption-provider-config=${encryption}`] },
  );

/** Stores what the tests know, and compacts before the status is rewritten. */
async function fill({ client }: ControlPlane, compact: (revision: number) => Promise<void>): Promise<void> {
  const create = async (object: object): Promise<string> => {
    const { status, body } = await client.create(object as Parameters<typeof client.create>[0]);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  };
  const inSpace = (kind: string, namespace: string, name: string, more: object): object => ({
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace },
    ...more,
  });
  await client.ensureNamespace('hog');
  await client.ensureNamespace('shop');
  await client.admitDefinition(gadgets);
  for (let index = 0; index < 40; index++)
    await create(inSpace('ConfigMap', 'hog', `big-${index}`, { data: { text: 'x'.repeat(40_000) } }));
  for (let index = 0; index < 10; index++)
    await create(inSpace('ConfigMap', 'shop', `passing-${index}`, { data: { text: 'y' } }));
  for (let index = 0; index < 5; index++) {
    await create(inSpace('Secret', 'shop', `secret-${index}`, { stringData: { word: 'hidden' } }));
    await create(
      inSpace('Event', 'shop', `event-${index}`, {
        involvedObject: { kind: 'Pod', namespace: 'shop', name: 'p' },
        reason: 'Seen',
        message: 'again',
        type: 'Normal',
      }),
    );
  }
  const gadget = {
    apiVersion: 'example.com/v1',
    kind: 'Gadget',
    metadata: { name: 'g', namespace: 'shop' },
    spec: { size: 1 },
  };
  await compact(Number(await create(gadget)));
  for (let index = 0; index < 10; index++)
    await client.delete({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `passing-${index}`, namespace: 'shop' },
    });
  for (let index = 0; index < 60; index++) {
    const body = { status: { count: index, text: 'z'.repeat(10_000) } };
    const { status } = await client.request('PATCH', `${gadgetPath}/status`, body, {
      contentType: 'application/merge-patch+json',
      query: { fieldManager: 'rewriter' },
    });
    if (status !== 200) throw new Error(`the status was not taken: ${status}`);
  }
}

const gadgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
