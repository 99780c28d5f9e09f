import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Io } from '../../lib/cli/io/io';
import { runCommandLine } from '../../lib/cli/run';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

const spec = { type: 'object', properties: { partitions: { type: 'integer' }, retention: { type: 'string' } } };
const definitionPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/topics.example.com';

/** A definition of topics with these versions, which all have the same schema. */
const topics = (versions: readonly Version[], specSchema: object = spec): SendableObject =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'topics.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Topic', plural: 'topics', singular: 'topic', listKind: 'TopicList' },
      versions: versions.map((version) => ({
        ...version,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: specSchema } } },
      })),
    },
  }) as unknown as SendableObject;

const v1: Version = { name: 'v1', served: true, storage: true };
const v2: Version = { name: 'v2', served: true, storage: false };
const flipped = [
  { ...v1, storage: false },
  { ...v2, storage: true },
];
const count = 40;

describeControlPlane('commands for definitions', (controlPlane) => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-definitions-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function pinion(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const io: Io = {
      cwd: folder,
      terminal: { out: false, err: false },
      color: false,
      readStdin: () => Promise.resolve(new Uint8Array()),
      write: (text) => Promise.resolve(void (out += text)),
      writeError: (text) => void (err += text),
      now: () => performance.now(),
      yieldToEventLoop: () => Promise.resolve(),
      onStop: () => () => undefined,
      system: {
        environment: { KUBECONFIG: controlPlane().kubeconfig },
        clock: {
          now: () => Date.now(),
          after: (milliseconds, callback) => {
            const timer = setTimeout(callback, milliseconds);
            return () => clearTimeout(timer);
          },
          random: () => 0.5,
        },
      },
    };
    const code = await runCommandLine(argv, io);
    return { code, out, err };
  }

  const topic = (name: string, over: object = {}): SendableObject =>
    ({
      ...{ apiVersion: 'example.com/v1', kind: 'Topic', metadata: { name, namespace: 'default' } },
      spec: { partitions: 8, ...over },
    }) as unknown as SendableObject;

  const storedVersions = async (): Promise<unknown> => {
    const { body } = expectStatus(await controlPlane().client.request('GET', definitionPath), [200]);
    return (body as { status: { storedVersions: unknown } }).status.storedVersions;
  };

  beforeAll(async () => {
    const { client } = controlPlane();
    await client.createCrd(topics([v1, v2]));
    for (let index = 0; index < count; index += 1)
      expectStatus(await client.apply(topic(`t${index}`, index === 0 ? { retention: '7d' } : {})), [201]);
  }, 120_000);

  test('check --live compares with the definitions of the cluster and tries its objects', async () => {
    const file = join(folder, 'new.json');
    writeFileSync(
      file,
      JSON.stringify(topics([v1, v2], { type: 'object', properties: { partitions: { type: 'integer' } } })),
    );
    const lost = await pinion('crds', 'check', '--live', file);
    expect([lost.code, lost.err]).toEqual([1, '']);
    expect(lost.out).toContain('breaks-objects: v1 spec.retention: is removed');
    expect(lost.out).toContain('objects: Topic default/t0\n');
    expect(lost.out).toContain(`${count} objects tried`);
    writeFileSync(file, JSON.stringify(topics([v1, v2])));
    const same = await pinion('crds', 'check', '--live', file);
    expect([same.code, same.out.includes('verdict: safe')]).toEqual([0, true]);
  });

  test('migrate has nothing to do where no object is stored in a former version', async () => {
    const { code, out } = await pinion('crds', 'migrate');
    expect([code, out]).toEqual([0, 'nothing to migrate: 1 definition stores all objects in the storage version\n']);
    const missing = await pinion('crds', 'migrate', 'others.example.com');
    expect([missing.code, missing.err.includes('the cluster has no definition others.example.com')]).toEqual([2, true]);
  });

  test('migrate writes nothing without a confirmation', async () => {
    await controlPlane().client.createCrd(topics(flipped));
    expect(await storedVersions()).toEqual(['v1', 'v2']);
    const mark = controlPlane().audit.mark();
    const plan = await pinion('crds', 'migrate', '--dry-run');
    expect([plan.code, plan.out]).toEqual([
      0,
      'topics.example.com: objects may be stored as v1, v2; write all of them as v2\n',
    ]);
    expect((await pinion('crds', 'migrate')).code).toBe(2);
    expect(await storedVersions()).toEqual(['v1', 'v2']);
    const writes = controlPlane()
      .audit.since(mark)
      .filter(({ verb }) => verb === 'update');
    expect(writes).toEqual([]);
  });

  test('an object that the API server rejects keeps the former version', async () => {
    const rule = { ...spec, 'x-kubernetes-validations': [{ rule: 'self.partitions == 8 && oldSelf.partitions == 8' }] };
    const { client } = controlPlane();
    expectStatus(await client.apply(topic('odd', { partitions: 9 })), [201]);
    await client.createCrd(topics(flipped, rule));
    await client.waitFor('the rule to be used', async () => {
      const answer = await client.apply(topic('odd', { partitions: 9, retention: '1d' }));
      return answer.status === 422;
    });
    const { code, out } = await pinion('crds', 'migrate', 'topics.example.com', '--yes');
    expect(code).toBe(1);
    expect(out).toContain('default/odd: the API server rejects it (Invalid)');
    expect(await storedVersions()).toEqual(['v1', 'v2']);
    await client.createCrd(topics(flipped));
    await client.waitFor('the rule to be gone', async () => {
      const answer = await client.apply(topic('odd', { partitions: 9, retention: '2d' }));
      return answer.status === 200;
    });
  });

  test('migrate stores all objects in the storage version, and the former one can be removed', async () => {
    const { client } = controlPlane();
    const { code, out } = await pinion('crds', 'migrate', 'topics.example.com', '--yes', '-o', 'json');
    expect(code).toBe(0);
    const [result] = (JSON.parse(out) as { migrations: readonly unknown[] }).migrations;
    expect(result).toMatchObject({ objects: count + 1, failed: [], isTrimmed: true });
    expect(await storedVersions()).toEqual(['v2']);
    await client.createCrd(topics([{ ...v2, storage: true }]));
    // The server closes the former handler of the kind before it serves the changed one.
    const list = await client.waitFor('the objects to be served', async () => {
      const answer = await client.request('GET', '/apis/example.com/v2/namespaces/default/topics');
      return answer.status === 200 && answer;
    });
    expect((list.body as { items: readonly unknown[] }).items).toHaveLength(count + 1);
    expect((await pinion('crds', 'migrate')).out).toContain('nothing to migrate');
  });

  test('check --scratch-context judges by the scratch API server, and leaves no definition behind', async () => {
    const { client } = controlPlane();
    const widgets = (specSchema: object): string =>
      JSON.stringify(topics([v1], specSchema))
        .replaceAll('topic', 'widget')
        .replaceAll('Topic', 'Widget');
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const old = write('old.json', widgets(spec));
    const next = write(
      'next.json',
      widgets({
        type: 'object',
        required: ['retention'],
        properties: { ...spec.properties, partitions: { type: 'integer', maximum: 9 } },
      }),
    );
    const items = [topic('small'), topic('large', { partitions: 12 })].map((object) => ({
      ...object,
      kind: 'Widget',
      metadata: { ...object.metadata, namespace: 'trial' },
    }));
    const objects = write('objects.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const check = (...argv: readonly string[]) =>
      pinion('crds', 'check', ...argv, '--objects', objects, '--scratch-context', 'admin');
    const { code, out, err } = await check(old, next);
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain('breaks-writes: v1 spec.retention: is required now');
    expect(out).toContain('objects: Widget trial/small, Widget trial/large\n');
    expect(out).toContain('2 objects tried');
    // The cost of a rule is known only to the server.
    const costly = {
      ...spec,
      properties: { list: { type: 'array', items: { type: 'string' } } },
      'x-kubernetes-validations': [{ rule: 'self.list.all(a, self.list.all(b, a == b))' }],
    };
    const refused = await check(old, write('costly.json', widgets(costly)));
    expect([refused.code, refused.out.includes('verdict: the API server refuses it')]).toEqual([1, true]);
    expect((await client.request('GET', definitionPath.replace('topics', 'widgets'))).status).toBe(404);
    const own = write('topics.json', JSON.stringify(topics([v1])));
    const existing = await check(own, own);
    expect([existing.code, existing.err.includes('already has topics.example.com')]).toEqual([2, true]);
  });
});
