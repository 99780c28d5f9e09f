import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { apiVersion, type ManifestInput } from '../../lib/api';
import { type Io } from '../../lib/cli/io/io';
import { runCommandLine } from '../../lib/cli/run';
import { defaultPlatform, defaultProfile, installManifests } from '../../lib/expand';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { importCases } from '../cli/import.cases';

const image = 'registry.example.com/pinion/controller:1.0.0';
const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: {
    team: 'shop',
    onCall: '#shop-oncall',
    hosts: ['cart.example.com'],
    iamRoles: ['arn:aws:iam::123456789012:role/cart'],
    tiers: ['critical'],
  },
};
const documents = [defaultPlatform, defaultProfile, project];

describeControlPlane('commands that read a cluster', (controlPlane) => {
  let folder = '';
  const apply = async (object: object) =>
    void expectStatus(await controlPlane().client.apply(object as SendableObject), [200, 201]);

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

  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'pinion-commands-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('reports a missing Platform on a cluster without pinion and still prints its nodes', async () => {
    expect(await pinion('platform', 'pull')).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no Platform') as string,
    });
    expect(await pinion('nodes')).toMatchObject({ code: 0, out: expect.stringContaining('NODE') as string });
  });

  test('platform pull writes the files that check, render and synth read', async () => {
    for (const object of installManifests({ image, documents })) {
      if (object.kind === 'CustomResourceDefinition') await controlPlane().client.createCrd(object as SendableObject);
      else await apply(object);
    }
    expect(await pinion('platform', 'pull')).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 project in') as string,
    });
    const pulled = loadAll(readFileSync(join(folder, 'pinion.platform.yaml'), 'utf8')) as ManifestInput[];
    expect(pulled.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Platform cluster',
      'RuntimeProfile default-1',
      'Project shop',
    ]);
    expect(pulled[0]?.spec).toMatchObject({ cluster: defaultPlatform.spec.cluster });
    expect(await pinion('check', 'pinion.platform.yaml')).toMatchObject({ code: 0, out: '' });
  }, 60_000);

  test('import reads a workload with the defaults of the API server and its related objects', async () => {
    const [importCase] = importCases;
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    for (const object of loadAll(importCase?.objects ?? '') as { kind: string; metadata: object; status?: object }[]) {
      const { status: _, ...rest } = object;
      const { uid: _uid, resourceVersion: _version, ...metadata } = object.metadata as Record<string, unknown>;
      await apply({ ...rest, metadata });
    }
    const { code, out, err } = await pinion('import', 'deployment/cart', '-n', 'shop');
    expect([code, err]).toEqual([0, '']);
    const [imported] = loadAll(out) as ManifestInput[];
    expect(imported?.spec).toEqual(importCase?.spec);
    const whole = await pinion('import', '-n', 'shop');
    expect([whole.code, whole.err]).toEqual([0, '']);
    expect(loadAll(whole.out)).toEqual([imported]);
    expectStatus(await controlPlane().client.create(imported as SendableObject, { dryRun: true }), [201]);
  });

  test('nodes prints the workloads of each node', async () => {
    const { client } = controlPlane();
    expectStatus(
      await client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } } as SendableObject),
      [201],
    );
    await apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'shop' } });
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'alone', namespace: 'shop' },
      spec: { nodeName: 'worker-1', containers: [{ name: 'app', image: 'registry.example.com/app:1' }] },
    };
    expectStatus(await client.create(pod as SendableObject), [201]);
    const table = await pinion('nodes');
    expect(table.out).toMatch(/worker-1 +NotReady +blocked +1 +0 +shop +shop +- +shop\/Pod\/alone/);
    const one = await pinion('nodes', 'worker-1');
    expect(one.out).toContain('shop/alone: NoController');
    expect(one.out).toContain('#shop-oncall');
    const data = JSON.parse((await pinion('nodes', 'worker-1', '-o', 'json')).out) as object[];
    expect(data).toMatchObject([{ name: 'worker-1', state: 'blocked', recyclable: false }]);
    expect(await pinion('nodes', 'none')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no node none') as string,
    });
  });

  test('diff --live compares with custom resources and with native objects, and changes nothing', async () => {
    const till = (name: string, image: string, replicas: number): ManifestInput<'PinterestService'> => ({
      apiVersion,
      kind: 'PinterestService',
      metadata: { name, namespace: 'shop' },
      spec: {
        replicas,
        template: { spec: { containers: [{ name: 'app', image, env: [{ name: 'MODE', value: 'a' }] }] } },
      },
    });
    const write = (input: ManifestInput) => writeFileSync(join(folder, 'till.yaml'), JSON.stringify(input));
    const diff = () => pinion('diff', '--live', 'till.yaml', '--exit-code');
    const [one, two] = ['registry.example.com/till:1.0.0', 'registry.example.com/till:2.0.0'] as const;
    write(till('till', one, 2));
    expect(await diff()).toMatchObject({
      code: 1,
      out: expect.stringContaining('+ PinterestService shop/till\n') as string,
    });
    for (const object of loadAll((await pinion('render', 'till.yaml', '-q')).out)) await apply(object as object);
    expect(await diff()).toMatchObject({
      code: 0,
      out: 'the cluster → the inputs\n1 unchanged; no pods restart\n',
      err: '',
    });
    write(till('till', two, 3));
    const changed = await diff();
    expect([changed.code, changed.err]).toEqual([1, '']);
    expect(changed.out).toContain(
      'Deployment/till: its pods are replaced by a rolling update\n      ~ spec.template.metadata.labels',
    );
    expect(changed.out).toContain(`~ spec.template.spec.containers[app].image: "${one}" → "${two}"\n`);
    const plain = JSON.stringify(till('till', one, 2)).replace(/,"env":\[.*?\]/, '');
    write(JSON.parse(plain) as ManifestInput);
    expect((await diff()).out).toMatch(/spec\.template\.spec\.containers\[app\]\.env\S*: changes; not shown/);

    await apply(till('desk', one, 2));
    write(till('desk', one, 2));
    expect(await diff()).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 unchanged; no pods restart') as string,
    });
    write(till('desk', one, 4));
    expect((await diff()).out).toContain('Deployment/desk: its pods keep running; only their number changes\n');
    write(till('desk', two, 4));
    expect((await diff()).out).toContain(
      'Deployment/desk: its pods are replaced by a rolling update\n      because of spec.template.spec.containers[app].image\n',
    );
    write(till('desk', one, 2));
    expect((await diff()).code).toBe(0);
  }, 60_000);

  test('reports an unreachable cluster and an unknown context', async () => {
    const { code, err } = await pinion('nodes', '--context', 'none');
    expect([code, err]).toEqual([3, expect.stringContaining('context not found')]);
  });
});
