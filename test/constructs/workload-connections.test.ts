import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart, JsonPatch } from 'cdk8s';
import { loadAll } from 'js-yaml';
import {
  PinterestCronJob,
  PinterestDaemon,
  PinterestService,
  PinterestStatefulSet,
  PlatformApp,
  Project,
  setEmit,
  type Emit,
  type ManifestInput,
  type PinterestServiceProps,
} from '@pinion-platform/pinion';

const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2' }] } };
const web = { project: 'shop', loadBalancer: { port: 80, targetPort: 8080, exposure: 'Cluster' }, template } as const;
const closed = { ...web, access: { from: [] } };

/** Platform that denies traffic that no workload allows. */
const denying: ManifestInput<'Platform'> = {
  apiVersion: 'pinterest.com/v1',
  kind: 'Platform',
  metadata: { name: 'cluster' },
  spec: {
    cluster: 'test',
    domain: 'apps.example.com',
    tiers: [{ name: 'standard', priority: 1000 }],
    defaultTier: 'standard',
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    network: { defaultDeny: true },
  },
};

const appOf = (emit: Emit = 'native', platform: readonly ManifestInput<'Platform'>[] = []) =>
  new PlatformApp({ platform, emit, outdir: join(tmpdir(), `pinion-connections-${process.pid}`) });
const service = (chart: Chart, id: string, props: Partial<PinterestServiceProps> = {}) =>
  new PinterestService(chart, id, { ...web, ...props });
/** The rendered object of a kind and name. */
const rendered = (chart: Chart, kind: string, name: string) =>
  chart
    .toJson()
    .find(
      (object: { kind: string; metadata: { name: string } }) => object.kind === kind && object.metadata.name === name,
    );
const peer = (project: string, workload: string, port: number) => ({
  from: [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': project } },
      podSelector: { matchLabels: { 'pinterest.com/workload': workload } },
    },
  ],
  ports: [
    { port, protocol: 'TCP' },
    { port, protocol: 'UDP' },
  ],
});

describe('a connection', () => {
  test('lists the caller in the access of the callee, on the port of its pods', () => {
    const chart = new Chart(appOf(), 'chart');
    const cart = service(chart, 'cart', closed);
    service(chart, 'frontend', { project: 'web' }).connectTo(cart, 'http');
    expect(rendered(chart, 'NetworkPolicy', 'cart').spec).toEqual({
      podSelector: { matchLabels: { 'pinterest.com/kind': 'PinterestService', 'pinterest.com/workload': 'cart' } },
      policyTypes: ['Ingress'],
      ingress: [peer('web', 'frontend', 8080)],
    });
    expect(rendered(chart, 'NetworkPolicy', 'frontend')).toBeUndefined();
    expect(cart.input.spec.access).toEqual({ from: [{ project: 'web', workload: 'frontend', ports: [8080] }] });
  });

  test('is in the custom resource, with the same peers', () => {
    const chart = new Chart(appOf('resource'), 'chart');
    const cart = service(chart, 'cart', closed);
    service(chart, 'frontend').connectTo(cart);
    expect(rendered(chart, 'PinterestService', 'cart').spec.access).toEqual({
      from: [{ workload: 'frontend', ports: [8080] }],
    });
    expect(rendered(chart, 'PinterestService', 'frontend').spec).not.toHaveProperty('access');
  });

  test('opens both ends where the Platform denies by default', () => {
    const chart = new Chart(appOf('native', [denying]), 'chart');
    const [cart, frontend] = [service(chart, 'cart'), service(chart, 'frontend')];
    frontend.connectTo(cart);
    expect([frontend.problems, cart.problems].flat()).toEqual([]);
    expect(cart.input.spec.access).toEqual({ from: [{ workload: 'frontend', ports: [8080] }] });
    expect(frontend.input.spec.access).toEqual({ to: [{ workload: 'cart', ports: [8080] }] });
    const { from, ports } = peer('shop', 'cart', 8080);
    expect(rendered(chart, 'NetworkPolicy', 'frontend').spec.egress[0]).toEqual({ to: from, ports });
  });

  test('never closes a workload that is open to all', () => {
    const chart = new Chart(appOf(), 'chart');
    const cart = service(chart, 'cart');
    service(chart, 'frontend').connectTo(cart);
    expect(rendered(chart, 'NetworkPolicy', 'cart')).toBeUndefined();
    expect(cart.input.spec).not.toHaveProperty('access');
  });

  test.each<Emit>(['native', 'resource'])('of any order and repetition results in the same %s output', (emit) => {
    const build = (order: readonly string[], repeated: boolean) => {
      const app = appOf(emit);
      const charts = new Map(['a', 'b', 'c'].map((id) => [id, new Chart(app, id)]));
      const created = new Map(
        order.map((id) => [
          id,
          service(charts.get(id) as Chart, id, { ...closed, ports: [{ name: 'admin', port: 9000 }] }),
        ]),
      );
      const find = (id: string) => created.get(id) as PinterestService;
      for (const from of order) {
        for (const to of order) {
          if (from !== to)
            find(from).connectTo(find(to), 'http', { env: { [to.toUpperCase()]: find(to).url('http') } });
        }
      }
      find('c').connectTo(find('a'), 'admin');
      if (repeated) find('c').connectTo(find('a'), 'http');
      return ['a', 'b', 'c'].map((id) => JSON.stringify(charts.get(id)?.toJson()));
    };
    const expected = build(['a', 'b', 'c'], false);
    expect(expected[0]).toContain('9000');
    expect(build(['c', 'a', 'b'], true)).toEqual(expected);
    expect(build(['b', 'c', 'a'], false)).toEqual(expected);
  });

  test('adds no peer that the callee allows already, and keeps what it allows', () => {
    const chart = new Chart(appOf(), 'chart');
    const from = [
      { workload: 'frontend', ports: [8080] },
      { project: 'batch' },
      { cidr: '10.0.0.0/8' },
      { project: 'shop', workload: 'gateway' },
    ];
    const cart = service(chart, 'cart', {
      ...web,
      access: { from },
      ports: [{ name: 'admin', port: 9000 }],
    });
    const connect = (id: string, project: string, port: string) =>
      service(chart, id, { project }).connectTo(cart, port);
    connect('frontend', 'shop', 'http');
    connect('gateway', 'shop', 'admin');
    connect('report', 'batch', 'http');
    expect(cart.input.spec.access).toEqual({ from });
    connect('other', 'shop', 'admin');
    service(chart, 'frontend2', { name: 'frontend', emit: 'resource' }).connectTo(cart, 'admin');
    expect(cart.input.spec.access).toEqual({
      from: [...from, { workload: 'frontend', ports: [9000] }, { workload: 'other', ports: [9000] }],
    });
  });

  test('sets variables of the caller, also of one that is created before the callee', () => {
    const chart = new Chart(appOf(), 'chart');
    const frontend = service(chart, 'frontend', { config: { env: { LEVEL: 'debug' } } });
    const kafka = new PinterestStatefulSet(chart, 'kafka', {
      project: 'events',
      replicas: 2,
      ports: [{ name: 'client', port: 9092, protocol: 'TCP' }],
      access: { from: [] },
      template,
    });
    frontend.connectTo(kafka, 'client', { env: { BROKERS: kafka.bootstrapServers } });
    const [container] = rendered(chart, 'Deployment', 'frontend').spec.template.spec.containers;
    expect(container.env).toEqual(
      expect.arrayContaining([
        { name: 'LEVEL', value: 'debug' },
        { name: 'BROKERS', value: 'kafka-0.kafka-members.events.svc:9092,kafka-1.kafka-members.events.svc:9092' },
      ]),
    );
    expect(kafka.input.spec.access).toEqual({ from: [{ project: 'shop', workload: 'frontend', ports: [9092] }] });
  });

  test('keeps patches and metadata of the objects that it changes', () => {
    const app = new App();
    const chart = new Chart(app, 'chart', { labels: { division: 'food' } });
    const cart = service(chart, 'cart', closed);
    const policy = cart.objects.find(({ kind }) => kind === 'NetworkPolicy');
    policy?.addJsonPatch(JsonPatch.add('/spec/policyTypes/1', 'Egress'));
    policy?.metadata.addAnnotation('note', 'kept');
    service(chart, 'frontend').connectTo(cart);
    expect(rendered(chart, 'NetworkPolicy', 'cart')).toMatchObject({
      metadata: { labels: { division: 'food' }, annotations: { note: 'kept' } },
      spec: { policyTypes: ['Ingress', 'Egress'], ingress: [peer('shop', 'frontend', 8080)] },
    });
  });

  test('is written by PlatformApp like by the stock App', () => {
    const text = (app: App) => {
      const chart = new Chart(app, 'chart');
      const cart = service(chart, 'cart', closed);
      service(chart, 'frontend').connectTo(cart);
      return app.synthYaml();
    };
    const written = text(appOf());
    expect(written).toContain('kind: NetworkPolicy');
    expect(loadAll(written)).toEqual(loadAll(text(new App())));
  });

  test('from a run of a schedule counts like any other', () => {
    const chart = new Chart(appOf(), 'chart');
    const cart = service(chart, 'cart', closed);
    new PinterestCronJob(chart, 'report', { project: 'shop', schedule: '@daily', template }).connectTo(cart);
    expect(cart.input.spec.access).toEqual({ from: [{ workload: 'report', ports: [8080] }] });
  });
});

describe('a workload of another app', () => {
  const ports = [{ name: 'client', port: 9092, targetPort: 9192, protocol: 'TCP' as const }];

  test('has the addresses that its own app computes', () => {
    const own = new Chart(appOf(), 'own');
    const other = new Chart(appOf('native', [denying]), 'other');
    const props = { project: 'shop', loadBalancer: web.loadBalancer, ports } as const;
    const cart = new PinterestService(own, 'cart', { ...props, template });
    const cartThere = PinterestService.fromName(other, 'cart', props);
    const kafka = new PinterestStatefulSet(own, 'kafka', { ...props, replicas: 2, template });
    const kafkaThere = PinterestStatefulSet.fromName(other, 'there', { ...props, name: 'kafka', replicas: 2 });
    expect([cartThere.url('http'), cartThere.address('client')]).toEqual([cart.url('http'), cart.address('client')]);
    expect(kafkaThere.bootstrapServersOn('client')).toBe(kafka.bootstrapServersOn('client'));
    expect(kafka.memberAddress(1, 'client')).toBe('kafka-1.kafka-members.shop.svc:9192');
    expect([cartThere, kafkaThere].flatMap(({ problems, objects }) => [...problems, ...objects])).toEqual([]);
    expect(() => kafkaThere.memberHost(2)).not.toThrow();
    expect(kafkaThere.problems).toHaveLength(1);
  });

  test('is allowed in the access of this app, in both directions, and adds nothing else', () => {
    const app = appOf('native', [denying]);
    const chart = new Chart(app, 'chart');
    const frontend = service(chart, 'frontend');
    const cart = PinterestService.fromName(chart, 'cart', { project: 'carts', ports });
    frontend.connectTo(cart, 'client');
    cart.connectTo(frontend, 'http');
    expect(frontend.input.spec.access).toEqual({
      from: [{ project: 'carts', workload: 'cart', ports: [8080] }],
      to: [{ project: 'carts', workload: 'cart', ports: [9192] }],
    });
    const objects = chart.toJson() as { kind: string; metadata: { name: string } }[];
    expect(objects.filter(({ metadata }) => metadata.name === 'cart')).toEqual([]);
    service(chart, 'own', { name: 'cart', project: 'carts' });
    app.synth();
    expect(app.summary?.workloads).toBe(2);
    rmSync(app.outdir, { recursive: true });
    cart.connectTo(frontend, 'http', { env: { FRONTEND: frontend.url() } });
    expect(() => app.synthYaml()).toThrow('spec.config.env: belongs to another app');
  });
});

describe('problems of a connection', () => {
  const messages = (...workloads: readonly { readonly problems: PinterestService['problems'] }[]) =>
    workloads.flatMap(({ problems }) =>
      problems.map(({ object, path, reason, source }) => {
        expect(source?.file).toContain('workload-connections.test.ts');
        return `${object}: ${path.join('.')} ${reason}`;
      }),
    );

  test('an unknown port lists those of the callee', () => {
    const chart = new Chart(appOf(), 'chart');
    const [cart, frontend] = [service(chart, 'cart', closed), service(chart, 'frontend')];
    frontend.connectTo(cart, 'grpc');
    expect(messages(cart, frontend)).toEqual([
      'PinterestService shop/cart: spec.ports is not one of its ports, which are http',
    ]);
    expect(cart.input.spec.access).toEqual({ from: [] });
  });

  test('a variable with two values, at its line', () => {
    const chart = new Chart(appOf(), 'chart');
    const [cart, frontend] = [service(chart, 'cart', closed), service(chart, 'frontend')];
    frontend.connectTo(cart, 'http', { env: { CART_URL: cart.url() } });
    frontend.connectTo(cart, 'http', { env: { CART_URL: cart.url() } });
    expect(messages(cart, frontend)).toEqual([]);
    frontend.connectTo(cart, 'http', { env: { CART_URL: cart.host } });
    expect(messages(cart, frontend)).toEqual([
      'PinterestService shop/frontend: spec.config.env.CART_URL is set twice, to different values',
    ]);
  });

  test('more peers than access can list', () => {
    const chart = new Chart(appOf(), 'chart');
    const cart = service(chart, 'cart', closed);
    for (let index = 0; index < 66; index++) service(chart, `caller-${index}`, { emit: 'resource' }).connectTo(cart);
    expect(messages(cart)).toEqual([expect.stringMatching(/^PinterestService shop\/cart: spec.access.from .*64/)]);
  });

  test('a daemon in the network of its nodes, unless an address range is listed', () => {
    const chart = new Chart(appOf(), 'chart');
    const host = { network: true };
    new Project(chart, 'infra', { team: 'infra', infrastructure: true, podSecurity: 'privileged', host });
    const agent = new PinterestDaemon(chart, 'agent', {
      project: 'infra',
      host: { network: true },
      emit: 'resource',
      template,
    });
    const cart = service(chart, 'cart', closed);
    agent.connectTo(cart);
    expect(messages(agent)).toEqual([]);
    expect(messages(cart)).toEqual([
      'PinterestService shop/cart: spec.access.from cannot list PinterestDaemon infra/agent, whose pods have the addresses of their nodes',
    ]);
    const other = service(chart, 'other', { access: { from: [{ cidr: '10.0.0.0/16' }] } });
    agent.connectTo(other);
    expect(messages(other)).toEqual([]);
  });

  test('a workload that nothing connects to does not compile', () => {
    const chart = new Chart(appOf(), 'chart');
    setEmit(chart, 'resource');
    const report = new PinterestCronJob(chart, 'report', { project: 'shop', schedule: '@daily', template });
    // @ts-expect-error a cron job has no host
    service(chart, 'frontend').connectTo(report);
    expect(messages(report)).toEqual([expect.stringContaining('spec.ports is missing')]);
  });
});
