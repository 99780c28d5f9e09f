import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import {
  PinterestCronJob,
  PinterestService,
  PlatformApp,
  SharedConfig,
  type Emit,
  type SharedConfigProps,
} from '@pinion-platform/pinion';

const container = { name: 'app', image: 'registry.example.com/app:1.4.2' };
const newChart = () => new Chart(new App(), 'chart');
const shared = (props: Partial<SharedConfigProps> = {}, chart = newChart()) =>
  new SharedConfig(chart, 'flags', { project: 'shop', data: { LEVEL: 'debug' }, ...props });
const messages = ({ problems }: { readonly problems: SharedConfig['problems'] }) =>
  problems.map(({ code, object, path, reason, severity = 'error', source }) => {
    expect(source?.file).toContain('shared-config.test.ts');
    return `${severity} ${code}: ${object}: ${path.join('.')} ${reason}`;
  });

/** An app with two workloads that use the configuration, in another chart than the configuration. */
function shop(data: Record<string, string>, options: { readonly onChange?: 'Refresh'; readonly emit?: Emit } = {}) {
  const { onChange, emit = 'native' } = options;
  const app = new PlatformApp({ emit });
  const flags = shared({ data, ...(onChange && { onChange }) }, new Chart(app, 'configuration'));
  const chart = new Chart(app, 'workloads');
  const template = {
    spec: {
      containers: [{ ...container, envFrom: [flags.envFrom], volumeMounts: [flags.mountAt('/etc/flags')] }],
      volumes: [flags.volume],
    },
  };
  const cart = new PinterestService(chart, 'cart', { project: 'shop', template });
  const report = new PinterestCronJob(chart, 'report', { project: 'shop', schedule: '@daily', template });
  expect([flags, cart, report].flatMap(({ problems }) => problems)).toEqual([]);
  app.synthYaml();
  return { flags, cart, objects: chart.toJson() as { kind: string; spec: never }[] };
}

/** What a pod template says about ConfigMaps of the test. */
const references = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"(?:configMapRef|configMap)":\{"name":"(flags[^"]*)"/g)].map(
    ([, name]) => name ?? '',
  );

describe('shared configuration', () => {
  test.each<Emit>(['native', 'resource'])('is one ConfigMap, to which all workloads refer, in %s output', (emit) => {
    const { flags, objects } = shop({ LEVEL: 'debug' }, { emit });
    expect(flags.name).toMatch(/^flags-[0-9a-f]{10}$/);
    expect(flags.objects[0]?.toJson()).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: flags.name,
        namespace: 'shop',
        labels: {
          'app.kubernetes.io/name': 'flags',
          'app.kubernetes.io/part-of': 'shop',
          'app.kubernetes.io/component': 'shared-config',
          'pinterest.com/team': 'shop',
        },
        annotations: {
          'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
          'argocd.argoproj.io/sync-options': 'Prune=false',
          'helm.sh/resource-policy': 'keep',
          'kustomize.toolkit.fluxcd.io/prune': 'disabled',
        },
      },
      immutable: true,
      data: { LEVEL: 'debug' },
    });
    const users = objects.filter(
      ({ kind }) => ['Deployment', 'CronJob'].includes(kind) || kind.startsWith('Pinterest'),
    );
    expect(users.map(references)).toEqual([
      [flags.name, flags.name],
      [flags.name, flags.name],
    ]);
  });

  test('has a name that depends on its data only, and changes pods when the data changes', () => {
    const [before, after, reordered] = [
      shop({ LEVEL: 'debug', LIMIT: '10' }),
      shop({ LEVEL: 'debug', LIMIT: '11' }),
      shop({ LIMIT: '10', LEVEL: 'debug' }),
    ];
    expect(after.flags.name).not.toBe(before.flags.name);
    expect(after.objects).not.toEqual(before.objects);
    expect(reordered.objects).toEqual(before.objects);
  });

  test('changes in place with Refresh, so that pods stay', () => {
    const [before, after] = [
      shop({ LEVEL: 'debug' }, { onChange: 'Refresh' }),
      shop({ LEVEL: 'info', MORE: 'yes' }, { onChange: 'Refresh' }),
    ];
    expect([before.flags.name, after.flags.name]).toEqual(['flags', 'flags']);
    expect(after.objects).toEqual(before.objects);
    const manifest = after.flags.objects[0]?.toJson() as object;
    expect(manifest).toMatchObject({ data: { LEVEL: 'info', MORE: 'yes' } });
    expect(manifest).not.toHaveProperty('immutable');
    expect(manifest).not.toHaveProperty('metadata.annotations');
  });

  test('can replace the name of a ConfigMap anywhere', () => {
    const chart = newChart();
    const flags = shared({}, chart);
    const env = [{ name: 'LEVEL', valueFrom: { configMapKeyRef: { name: flags, key: 'LEVEL' } } }];
    const cart = new PinterestService(chart, 'cart', {
      project: 'shop',
      template: { spec: { containers: [{ ...container, env }] } },
    });
    expect([flags, cart].flatMap(({ problems }) => problems)).toEqual([]);
    expect(JSON.stringify(cart.input)).toContain(`"configMapKeyRef":{"name":"${flags.name}","key":"LEVEL"}`);
  });
});

describe('problems of shared configuration', () => {
  test('a workload of another project cannot use it', () => {
    const chart = newChart();
    const flags = shared({}, chart);
    const cart = new PinterestService(chart, 'cart', {
      project: 'carts',
      template: { spec: { containers: [{ ...container, envFrom: [flags.envFrom] }] } },
    });
    expect(messages(cart)).toEqual([
      `error unknown-reference: PinterestService carts/cart: metadata.namespace cannot use the SharedConfig ${flags.name} of the project shop; pods read only ConfigMaps of their own project`,
    ]);
    expect(() => chart.toJson()).toThrow('create a SharedConfig with project: "carts"');
  });

  test('likely secrets are warnings without their value', () => {
    const secret = 'hunter2hunter2';
    const data = {
      DATABASE_PASSWORD: secret,
      DATABASE_URL: `postgres://cart:${secret}@db.example.com/cart`,
      'tls.pem': `-----BEGIN PRIVATE KEY-----\n${secret}\n`,
      PASSWORD_FILE: '/etc/passwords/db',
    };
    const flags = shared({ data });
    expect(messages(flags)).toEqual([
      'warning invalid-combination: SharedConfig shop/flags: data.DATABASE_PASSWORD has the name of a secret, and its value in plain text',
      'warning invalid-combination: SharedConfig shop/flags: data.DATABASE_URL contains what looks like a URL with a password',
      'warning invalid-combination: SharedConfig shop/flags: data.tls.pem contains what looks like a private key',
    ]);
    expect(JSON.stringify(flags.problems)).not.toContain(secret);
    const app = new PlatformApp({ outdir: mkdtempSync(join(tmpdir(), 'pinion-shared-')) });
    shared({ data }, new Chart(app, 'chart'));
    app.synth();
    expect(app.summary?.warnings).toHaveLength(3);
    rmSync(app.outdir, { recursive: true });
  });

  test('files as variables', () => {
    const flags = shared({ data: { 'flags.json': '{}', PINION_LEVEL: 'x' } });
    expect(flags.problems).toEqual([]);
    expect(flags.envFrom).toEqual(flags.envFrom);
    expect(messages(flags)).toEqual([
      'warning bad-format: SharedConfig shop/flags: data.flags.json becomes a variable, and has the name of a file',
      'error platform-owned: SharedConfig shop/flags: data.PINION_LEVEL starts with "PINION_", which is reserved for the platform',
    ]);
  });

  test('data, names and choices that Kubernetes would reject', () => {
    expect(messages(shared({ data: { 'a/b': '', LIMIT: 10 as never, big: 'x'.repeat(1_048_576) } }))).toEqual([
      'error bad-format: SharedConfig shop/flags: data.a/b is not a key of a ConfigMap',
      'error wrong-type: SharedConfig shop/flags: data.LIMIT is not a text',
      'error out-of-range: SharedConfig shop/flags: data must not exceed 1 MiB, the limit of a ConfigMap',
    ]);
    const unusable = shared({ name: 'Flags', onChange: 'Reload' as never, data: 'LEVEL=debug' as never });
    expect(messages(unusable)).toEqual([
      'error bad-format: SharedConfig shop/Flags: name is not a lower-case DNS label',
      'error unsupported-value: SharedConfig shop/Flags: onChange must be Restart or Refresh',
      'error wrong-type: SharedConfig shop/Flags: data is not an object',
    ]);
    expect(unusable.objects).toEqual([]);
  });

  test('a second one with the same result', () => {
    const chart = newChart();
    shared({}, chart);
    const again = new SharedConfig(chart, 'again', { project: 'shop', name: 'flags', data: { LEVEL: 'debug' } });
    expect(messages(again)).toEqual([
      expect.stringContaining('error duplicate: SharedConfig shop/flags: name results in'),
    ]);
  });

  test('are in the error and the summary of the app', () => {
    const app = new PlatformApp();
    const flags = shared({ onChange: 'Reload' as never }, new Chart(app, 'chart'));
    expect(flags.problems).toHaveLength(1);
    expect(() => app.synth()).toThrow(/^test.constructs.shared-config\.test\.ts:\d+:\d+: error unsupported-value/);
  });
});
