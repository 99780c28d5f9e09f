import { ApiObject, App, Chart, Cron, Duration, JsonPatch, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import {
  PinterestCronJob,
  PinterestJobSet,
  PinterestService,
  PinterestStatefulSet,
  PlatformApp,
  setEmit,
} from '@pinion-platform/pinion';

const template = {
  spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2', ports: [{ containerPort: 8080 }] }] },
};
const web = { project: 'shop', loadBalancer: { port: 8080 }, template };
const newChart = (app: App = new App()) => new Chart(app, 'chart');
const kinds = (chart: Chart): string[] => chart.toJson().map(({ kind }: { kind: string }) => kind);
const errors = (chart: Chart): string => {
  try {
    chart.toJson();
  } catch (error) {
    return String((error as Error).message);
  }
  return '';
};

describe('a workload construct', () => {
  test('is named after its id, without a hash, unless a name is set', () => {
    const chart = newChart();
    expect(ApiObject.of(new PinterestService(chart, 'cart', web))).toMatchObject({ kind: 'Deployment', name: 'cart' });
    expect(ApiObject.of(new PinterestService(chart, 'Other', { ...web, name: 'basket' })).name).toBe('basket');
  });

  test('has its objects in apply order', () => {
    const service = new PinterestService(newChart(), 'cart', web);
    expect(service.objects.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Service', 'Deployment', 'Ingress']),
    );
    expect(service.objects.map(({ kind }) => kind).indexOf('ServiceAccount')).toBe(0);
  });

  test('gets labels of its chart, JSON patches and later metadata like any ApiObject', () => {
    const app = new PlatformApp();
    const chart = new Chart(app, 'chart', { labels: { division: 'food' }, namespace: 'elsewhere' });
    const object = ApiObject.of(new PinterestService(chart, 'cart', web));
    object.addJsonPatch(JsonPatch.replace('/spec/replicas', 7));
    object.metadata.addAnnotation('note', 'late');
    expect(chart.toJson().find(({ kind }: { kind: string }) => kind === 'Deployment')).toMatchObject({
      metadata: { namespace: 'shop', labels: { division: 'food' }, annotations: { note: 'late' } },
      spec: { replicas: 7 },
    });
    expect(app.synthYaml()).toContain('note: late');
    expect(app.synthYaml()).toContain('replicas: 7');
  });

  test('rejects an object that another construct of any kind creates', () => {
    const chart = newChart();
    new PinterestService(chart, 'cart', web);
    const set = new PinterestStatefulSet(chart, 'set', { project: 'shop', name: 'cart', template });
    expect(set.problems.map(({ code, reason }) => `${code} ${reason}`)).toContain(
      'duplicate creates ServiceAccount cart, which another construct of the app also creates',
    );
    expect(set.objects).toEqual([]);
    expect(new PinterestStatefulSet(chart, 'other', { project: 'cafe', name: 'cart', template }).problems).toEqual([]);
    const resources = { project: 'shop', name: 'cart', template, emit: 'resource' } as const;
    expect(new PinterestCronJob(chart, 'run', { ...resources, schedule: '@daily' }).problems).toEqual([]);
  });

  test('adds no objects if it has errors, and reports all of them with its source location', () => {
    const chart = newChart();
    const service = new PinterestService(chart, 'cart', {
      ...web,
      replicas: -1,
      tier: 'golden',
      template: { spec: { containers: [] } },
    });
    expect(service.objects).toEqual([]);
    expect(errors(chart)).toMatch(
      /\[chart\/cart\] test.constructs.workload-construct\.test\.ts:\d+:\d+: error out-of-range: PinterestService shop\/cart: spec\.replicas: -1/,
    );
    expect(errors(chart)).toContain('spec.template.spec.containers');
  });

  test('rejects the name of another construct of its kind', () => {
    const chart = newChart();
    new PinterestService(chart, 'a', { ...web, name: 'cart' });
    new PinterestService(chart, 'b', { ...web, name: 'cart' });
    new PinterestService(chart, 'c', { ...web, name: 'cart', project: 'other' });
    expect(errors(chart)).toMatch(/\[chart\/b\].*error duplicate: .*metadata\.name: "cart"/);
    expect(errors(chart)).not.toContain('[chart/c]');
  });
});

describe('emit', () => {
  test('is set from the command line if the app does not set it', () => {
    process.env['PINION_EMIT'] = 'resource';
    try {
      const [unset, explicit] = [new PlatformApp(), new PlatformApp({ emit: 'native' })].map(
        (app) => new Chart(app, 'c'),
      );
      for (const chart of [unset, explicit]) if (chart) new PinterestService(chart, 'a', web);
      expect(unset && kinds(unset)).toEqual(['PinterestService']);
      expect(explicit && kinds(explicit)).toContain('Deployment');
    } finally {
      delete process.env['PINION_EMIT'];
    }
  });

  test('is set by the construct, its chart or the app, in this order', () => {
    const app = new PlatformApp({ emit: 'resource' });
    const native = new Chart(app, 'native');
    setEmit(native, 'native');
    new PinterestService(native, 'a', { ...web, emit: 'resource' });
    new PinterestService(native, 'b', web);
    const resource = new Chart(app, 'resource');
    new PinterestService(resource, 'c', web);
    expect(kinds(native)).toEqual(expect.arrayContaining(['PinterestService', 'Deployment']));
    expect(resource.toJson()).toEqual([
      {
        apiVersion: 'pinterest.com/v1',
        kind: 'PinterestService',
        metadata: { name: 'c', namespace: 'shop' },
        spec: { loadBalancer: { port: 8080 }, template },
      },
    ]);
  });

  test('rejects features that need the controller only for native output', () => {
    const props = { project: 'shop', shards: 2, failurePolicy: { maxRestarts: 3 }, template };
    const chart = newChart();
    new PinterestJobSet(chart, 'a', props);
    expect(errors(chart)).toContain('error needs-controller');
    expect(errors(chart)).toContain("use emit: 'resource' where the controller runs");
    const other = newChart();
    new PinterestJobSet(other, 'a', { ...props, emit: 'resource' });
    expect(kinds(other)).toEqual(['PinterestJobSet']);
  });

  test('an unknown value is a problem', () => {
    const chart = newChart();
    new PinterestService(chart, 'a', { ...web, emit: 'both' as never });
    expect(errors(chart)).toContain('emit: "both" must be native or resource');
  });
});

describe('values of cdk8s and cdk8s-plus', () => {
  test("Cron, Duration and Size are equivalent to pinion's strings", () => {
    const input = (props: object) =>
      new PinterestCronJob(newChart(), 'job', { project: 'shop', template, ...props } as never).input.spec;
    expect(input({ schedule: Cron.daily(), startingDeadline: Duration.minutes(90) })).toMatchObject({
      schedule: '0 0 * * *',
      startingDeadline: '5400000ms',
    });
    const set = new PinterestStatefulSet(newChart(), 'db', {
      project: 'shop',
      template,
      volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: Size.gibibytes(5) }],
    });
    expect(set.problems).toEqual([]);
    expect(set.input.spec).toMatchObject({ volumeClaimTemplates: [{ size: '5Gi' }] });
  });

  test('a Secret, a ConfigMap and a Volume can replace their names or definitions', () => {
    const chart = newChart();
    const secret = new kplus.Secret(chart, 'secret', { metadata: { name: 'cart-db' } });
    const settings = kplus.ConfigMap.fromConfigMapName(chart, 'settings', 'cart-settings');
    const scratch = kplus.Volume.fromEmptyDir(chart, 'volume', 'scratch', { sizeLimit: Size.gibibytes(1) });
    const service = new PinterestService(chart, 'cart', {
      ...web,
      secrets: { env: { PASSWORD: { name: secret, key: 'password' } } },
      template: {
        spec: {
          containers: [
            {
              name: 'app',
              image: 'app:1',
              ports: [{ containerPort: 8080 }],
              envFrom: [{ configMapRef: { name: settings } }],
              volumeMounts: [{ name: 'scratch', mountPath: '/tmp/scratch' }],
            },
          ],
          volumes: [scratch, { name: 'shared', emptyDir: {} }],
        },
      },
    });
    expect(service.problems).toEqual([]);
    expect(service.input.spec).toMatchObject({
      secrets: { env: { PASSWORD: { name: 'cart-db' } } },
      template: {
        spec: {
          containers: [{ envFrom: [{ configMapRef: { name: 'cart-settings' } }] }],
          volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '1024Mi' } }, {}],
        },
      },
    });
  });

  test('an unknown field or a wrong type does not compile, and is a problem in JavaScript', () => {
    const chart = newChart();
    const problems = [
      // @ts-expect-error a field that does not exist
      new PinterestService(chart, 'a', { ...web, replica: 3 }),
      // @ts-expect-error a string is not a number
      new PinterestService(chart, 'b', { ...web, replicas: '3' }),
      // @ts-expect-error a cdk8s-plus value is not a container
      new PinterestService(chart, 'c', { ...web, template: { spec: { containers: [Cron.daily()] } } }),
      // @ts-expect-error the platform places pods
      new PinterestService(chart, 'd', { ...web, template: { spec: { ...template.spec, nodeName: 'x' } } }),
      // @ts-expect-error a value that the enum does not have
      new PinterestService(chart, 'e', { ...web, placement: { spread: { zones: 'sometimes' } } }),
    ].map((service) => service.problems[0]?.code);
    expect(problems).toEqual(['unknown-field', 'wrong-type', 'wrong-type', 'platform-owned', 'unsupported-value']);
  });

  test('plain props are passed on unchanged', () => {
    expect(new PinterestService(newChart(), 'cart', web).input.spec.template).toBe(template);
  });
});

describe('constructs of cdk8s-plus', () => {
  test('a NetworkPolicy selects the pods of a workload and allows another one', () => {
    const chart = newChart();
    const cart = new PinterestService(chart, 'cart', web);
    const front = new PinterestService(chart, 'frontend', { ...web, project: 'web' });
    const policy = new kplus.NetworkPolicy(chart, 'policy', { selector: cart });
    policy.addIngressRule(front, [kplus.NetworkPolicyPort.tcp(8080)]);
    const rendered = chart.toJson().find(({ kind }: { kind: string }) => kind === 'NetworkPolicy');
    expect(rendered).toMatchObject({
      metadata: { namespace: 'shop' },
      spec: {
        podSelector: { matchLabels: { 'pinterest.com/kind': 'PinterestService', 'pinterest.com/workload': 'cart' } },
        ingress: [
          {
            from: [
              {
                namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'web' } },
                podSelector: { matchLabels: { 'pinterest.com/workload': 'frontend' } },
              },
            ],
          },
        ],
      },
    });
    const deployment = chart
      .toJson()
      .find(
        ({ kind, metadata }: { kind: string; metadata: { name: string } }) =>
          kind === 'Deployment' && metadata.name === 'cart',
      );
    expect(deployment.spec.template.metadata.labels).toMatchObject(rendered.spec.podSelector.matchLabels);
  });

  test('an Ingress points to the Service of a workload', () => {
    const chart = newChart();
    const cart = new PinterestService(chart, 'cart', web);
    const ingress = new kplus.Ingress(chart, 'ingress', { metadata: { namespace: 'shop' } });
    ingress.addRule('/cart', cart.toIngressBackend(kplus.IngressBackend));
    const service = cart.objects.find(({ kind }) => kind === 'Service')?.toJson();
    expect(
      chart
        .toJson()
        .find(
          ({ metadata, kind }: { kind: string; metadata: { name: string } }) =>
            kind === 'Ingress' && metadata.name !== 'cart',
        ),
    ).toMatchObject({
      spec: {
        rules: [
          {
            http: {
              paths: [
                { path: '/cart', backend: { service: { name: 'cart', port: { number: service.spec.ports[0].port } } } },
              ],
            },
          },
        ],
      },
    });
  });

  test('a workload without a Service reports a problem', () => {
    const chart = newChart();
    const worker = new PinterestService(chart, 'worker', { project: 'shop', template });
    new kplus.Ingress(chart, 'ingress').addRule('/', worker.toIngressBackend(kplus.IngressBackend));
    expect(errors(chart)).toContain('spec.ports: is missing, so the workload has no Service to route to');
  });
});
