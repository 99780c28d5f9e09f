import { App, Chart } from 'cdk8s';
import {
  PinterestCronJob,
  PinterestDaemon,
  PinterestJobSet,
  PinterestService,
  PinterestStatefulSet,
  PinterestTrainingJob,
  Project,
  type PinterestServiceProps,
  type PinterestStatefulSetProps,
} from '@pinion-platform/pinion';

const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2' }] } };
const newChart = () => new Chart(new App(), 'chart');
const service = (props: Partial<PinterestServiceProps>, chart = newChart()) =>
  new PinterestService(chart, 'cart', { project: 'shop', template, ...props });
const stateful = (props: Partial<PinterestStatefulSetProps>) =>
  new PinterestStatefulSet(newChart(), 'kafka', { project: 'shop', replicas: 3, template, ...props });
const texts = ({ problems }: { readonly problems: PinterestService['problems'] }) =>
  problems.map(({ source, ...rest }) => {
    expect(source?.file).toContain('serving-construct.test.ts');
    return `${rest.object}: ${rest.path.join('.')}: ${JSON.stringify(rest.value)} ${rest.reason}; ${rest.remedy}`;
  });

describe('the addresses of a service', () => {
  test('are those of its Service, for clients of any project', () => {
    const cart = service({ loadBalancer: { port: 8080 }, ports: [{ name: 'admin', port: 9000, protocol: 'TCP' }] });
    expect([cart.host, cart.url('http'), cart.address('admin')]).toEqual([
      'cart.shop.svc',
      'http://cart.shop.svc:8080',
      'cart.shop.svc:9000',
    ]);
    expect(cart.url('http', { path: '/v1' })).toBe('http://cart.shop.svc:8080/v1');
    expect(cart.url('admin', { scheme: 'redis' })).toBe('redis://cart.shop.svc:9000');
    expect(cart.problems).toEqual([]);
  });

  test('follow every name that expand derives', () => {
    const name = `c${'art'.repeat(30)}`;
    const cart = service({ name, loadBalancer: { port: 80 } });
    const [native] = cart.objects.filter(({ kind }) => kind === 'Service');
    expect(native?.name).not.toBe(name);
    expect(cart.host).toBe(`${native?.name}.shop.svc`);
  });

  test('have the scheme of the protocol', () => {
    const ports = (['HTTP', 'HTTPS', 'GRPC', 'H2C'] as const).map((protocol, index) => ({
      name: protocol.toLowerCase(),
      port: 8000 + index,
      protocol,
    }));
    const cart = service({ ports });
    expect(ports.map(({ name }) => cart.url(name).split(':')[0])).toEqual(['http', 'https', 'http', 'http']);
  });

  test('need no port name if there is one port, and accept the names of container ports', () => {
    const containers = [{ name: 'app', image: 'app:1', ports: [{ name: 'web', containerPort: 8080 }] }];
    for (const targetPort of [8080, 'web']) {
      const cart = service({ loadBalancer: { port: 80, targetPort }, template: { spec: { containers } } });
      expect([cart.url(), cart.url('http'), cart.url('web')]).toEqual(Array(3).fill('http://cart.shop.svc:80'));
      expect(cart.problems).toEqual([]);
    }
  });

  test('exist for custom resources too', () => {
    expect(service({ emit: 'resource', loadBalancer: { port: 8080 } }).url('http')).toBe('http://cart.shop.svc:8080');
  });

  test('an unknown port is a problem at the line that asks, which lists the ports', () => {
    const cart = service({ loadBalancer: { port: 8080 }, ports: [{ name: 'admin', port: 9000 }] });
    cart.url('htp');
    cart.address();
    expect(texts(cart)).toEqual([
      'PinterestService shop/cart: spec.ports: "htp" is not one of its ports, which are http, admin; did you mean "http"?',
      'PinterestService shop/cart: spec.ports: undefined lists several ports, and none is named: http, admin; pass the name of one',
    ]);
    const lines = cart.problems.map(({ source }) => source?.line ?? 0);
    expect(lines[1]).toBe((lines[0] ?? 0) + 1);
  });

  test('a port without a scheme, and a workload without a Service, are problems', () => {
    const cart = service({ ports: [{ name: 'redis', port: 6379, protocol: 'TCP' }] });
    cart.url('redis');
    expect(texts(cart)).toEqual([
      expect.stringContaining('"redis" has a protocol without a URL scheme; use address("redis")'),
    ]);
    const worker = service({});
    expect(worker.host).toBe('unresolved.invalid');
    expect(texts(worker)).toEqual([expect.stringContaining('spec.ports: undefined is missing')]);
  });

  test('of a workload with errors add no problem to them', () => {
    const cart = service({ replicas: -1, loadBalancer: { port: 8080 } });
    const { length } = cart.problems;
    expect(cart.url('http')).toBe('http://unresolved.invalid:0');
    expect(cart.problems).toHaveLength(length);
  });

  test('a daemon has a Service for the clients of its node; a cron job has none', () => {
    const ports = [{ name: 'statsd', port: 8125, protocol: 'UDP' as const }];
    const chart = newChart();
    new Project(chart, 'infra', { team: 'infra', infrastructure: true });
    const agent = new PinterestDaemon(chart, 'agent', { project: 'infra', ports, template });
    expect([agent.address('statsd'), agent.problems]).toEqual(['agent.infra.svc:8125', []]);
    const job = new PinterestCronJob(newChart(), 'report', { project: 'shop', schedule: '@daily', template });
    // @ts-expect-error nothing connects to a cron job
    expect(job.host).toBeUndefined();
  });
});

describe('the members of a stateful set', () => {
  const ports = [
    { name: 'client', port: 9092, protocol: 'TCP' as const },
    { name: 'broker', port: 9093, protocol: 'TCP' as const },
  ];

  test('are below the Service that membersService names, also of a reference', () => {
    const membersService = 'kafka-brokers';
    const kafka = stateful({ membersService, ports });
    const there = PinterestStatefulSet.fromName(kafka, 'there', { project: 'shop', name: 'kafka', membersService });
    expect([kafka.memberHost(0), there.memberHost(0)]).toEqual(Array(2).fill('kafka-0.kafka-brokers.shop.svc'));
    expect([...kafka.problems, ...there.problems]).toEqual([]);
  });

  test('have names by their ordinals', () => {
    const kafka = stateful({ ordinals: { start: 1 }, ports });
    expect(kafka.membersHost).toBe('kafka-members.shop.svc');
    expect(kafka.memberHost(3)).toBe('kafka-3.kafka-members.shop.svc');
    expect(kafka.memberAddress(1, 'broker')).toBe('kafka-1.kafka-members.shop.svc:9093');
    expect(kafka.problems).toEqual([]);
    kafka.memberHost(0);
    expect(texts(kafka)).toEqual([
      'PinterestStatefulSet shop/kafka: spec.replicas: 0 is not the index of a member; they are 1 to 3; use one of these, or raise replicas',
    ]);
  });

  test('are those of the objects, also with a long name', () => {
    const kafka = stateful({ name: `k${'a'.repeat(60)}`, ports });
    const set = kafka.objects.find(({ kind }) => kind === 'StatefulSet');
    const { serviceName } = set?.toJson().spec as { serviceName: string };
    expect(kafka.memberHost(0)).toBe(`${set?.name}-0.${serviceName}.shop.svc`);
  });

  test('are the bootstrap servers, on the port that is named if there are several', () => {
    const [client] = ports;
    expect(stateful({ replicas: 2, ports: client && [client] }).bootstrapServers).toBe(
      'kafka-0.kafka-members.shop.svc:9092,kafka-1.kafka-members.shop.svc:9092',
    );
    const kafka = stateful({ replicas: 1, ports });
    expect(kafka.bootstrapServersOn('broker')).toBe('kafka-0.kafka-members.shop.svc:9093');
    expect(kafka.problems).toEqual([]);
    expect(kafka.bootstrapServers).toContain(':0');
    expect(texts(kafka)).toEqual([
      expect.stringContaining(
        'lists several ports, and none is named: client, broker; use bootstrapServersOn with the name of one',
      ),
    ]);
    const empty = stateful({ replicas: 0, ports: client && [client] });
    expect([empty.bootstrapServers, texts(empty)]).toEqual(['', [expect.stringContaining('results in no members')]]);
  });

  test('listen on the port of the container, which their Service could map to another one', () => {
    const containers = [{ name: 'app', image: 'app:1', ports: [{ name: 'sql', containerPort: 5432 }] }];
    const database = stateful({
      loadBalancer: { port: 80, targetPort: 'sql', protocol: 'TCP', exposure: 'Cluster' },
      template: { spec: { containers } },
    });
    expect([database.address('tcp'), database.address('sql')]).toEqual(['kafka.shop.svc:80', 'kafka.shop.svc:80']);
    expect(database.memberAddress(0)).toBe('kafka-0.kafka-members.shop.svc:5432');
    expect(database.problems).toEqual([]);
  });

  test('are no Service for clients', () => {
    const kafka = stateful({ ports });
    expect(kafka.address('client')).toBe('unresolved.invalid:0');
    expect(texts(kafka)).toEqual([
      expect.stringContaining(
        'spec.loadBalancer: undefined is missing, so the workload has no Service to connect to; set loadBalancer, or connect to its members',
      ),
    ]);
  });
});

describe('the shards of a job set', () => {
  const props = { project: 'numbers', shards: 2, template };

  test('have names if it says so', () => {
    const primes = new PinterestJobSet(newChart(), 'primes', { ...props, dnsNames: true });
    expect(primes.memberHost(1)).toBe('primes-1.primes.numbers.svc');
    const separate = new PinterestJobSet(newChart(), 'primes', {
      ...props,
      dnsNames: true,
      overrides: [{ shards: [1], env: { LEVEL: 'debug' } }],
    });
    expect([separate.memberHost(0), separate.memberHost(1)]).toEqual([
      'primes-0.primes.numbers.svc',
      'primes-1.primes.numbers.svc',
    ]);
    separate.memberHost(2);
    expect(texts(separate)).toEqual([
      expect.stringContaining('spec.shards: 2 is not the index of a member; they are 0 to 1'),
    ]);
  });

  test('have none otherwise, which does not compile', () => {
    const unnamed = new PinterestJobSet(newChart(), 'primes', props);
    // @ts-expect-error without dnsNames
    expect(unnamed.memberHost(0)).toBe('unresolved.invalid');
    expect(texts(unnamed)).toEqual([expect.stringContaining('spec.dnsNames: undefined must be true')]);
  });

  test('are ambiguous by index if the set has several jobs', () => {
    const replicatedJobs = ['driver', 'workers'].map((name) => ({ name, shards: 2, template }));
    const set = new PinterestJobSet(newChart(), 'primes', { project: 'numbers', dnsNames: true, replicatedJobs });
    expect(set.memberHost(1)).toBe('unresolved.invalid');
    expect(texts(set)).toEqual([
      expect.stringContaining(
        'spec.replicatedJobs: 1 is ambiguous as the index of a shard, because each Job of a set with several jobs has shards of its own; write the host name, such as primes-workers-0-1.primes.numbers.svc, or set coordinator and use $(PINION_COORDINATOR)',
      ),
    ]);
  });
});

describe('the members of a training job', () => {
  const train = (props: object) =>
    new PinterestTrainingJob(newChart(), 'bert', { project: 'ml', emit: 'resource', template, ...props } as never);

  test('have the names that its containers get', () => {
    const job = train({ framework: 'tensorflow', roles: { chief: {}, worker: { replicas: 2 } } });
    expect(job.memberHost('worker', 1)).toBe('bert-worker-1.bert.ml.svc');
    const shared = train({ framework: 'pytorch', roles: { master: {}, worker: { replicas: 2 } } });
    expect([shared.memberHost('master', 0), shared.memberHost('worker', 0)]).toEqual([
      'bert-0.bert.ml.svc',
      'bert-1.bert.ml.svc',
    ]);
    const jax = train({ framework: 'jax', roles: { worker: { replicas: 2 } } });
    expect(jax.memberHost('worker', 0)).toBe('bert-0.bert.ml.svc');
    expect([...job.problems, ...shared.problems, ...jax.problems]).toEqual([]);
    job.memberHost('worker', 2);
    expect(texts(job)).toEqual([
      'PinterestTrainingJob ml/bert: spec.roles: "worker 2" is not a member with a DNS name; they are chief 0, worker 0 to 1; use a role and an index of these',
    ]);
  });

  test('have none if there is only one', () => {
    const job = train({ framework: 'pytorch', roles: { master: {} } });
    expect(job.memberHost('master', 0)).toBe('unresolved.invalid');
    expect(texts(job)).toEqual([expect.stringContaining('because there is only one member; add members')]);
  });
});
