import { apiVersion, conditionOf, type ManifestInput } from '../../lib/api';
import { type LiveObject } from '../../lib/client';
import { ControllerFixture } from './controller-fixture';

let at: ControllerFixture;
beforeEach(() => {
  at = new ControllerFixture();
});
afterEach(() => at.stop());

type LoadBalancer = NonNullable<ManifestInput<'PinterestService'>['spec']['loadBalancer']>;
const shared: LoadBalancer = { port: 8080, hosts: ['web.shop.apps.example.com'] };
const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop' },
};

/** Returns a service, created in some minute. */
const service = (name: string, minute: number, loadBalancer: LoadBalancer): ManifestInput<'PinterestService'> =>
  ({
    apiVersion,
    kind: 'PinterestService',
    metadata: {
      name,
      namespace: 'shop',
      creationTimestamp: `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`,
    },
    spec: {
      replicas: 1,
      template: {
        spec: {
          containers: [
            { name: 'app', image: 'registry.example.com/app:1', ports: [{ name: 'http', containerPort: 8080 }] },
          ],
        },
      },
      loadBalancer,
    },
  }) as ManifestInput<'PinterestService'>;
const statusOf = (name: string) => at.status('PinterestService', 'shop', name);
const conditionIn = (name: string, type: string) => conditionOf(statusOf(name), type);
const ingressOf = (name: string) => at.server.find('Ingress', 'shop', name);
const writes = () => at.server.written.splice(0).map(({ verb, kind, name }) => `${verb} ${kind} ${name}`);
const warnings = () => writes().filter((line) => line === 'event Event RouteConflict').length;
const conflict = (...owners: string[]) => ({
  status: 'True',
  reason: 'RouteConflict',
  message: `It shares routes with other workloads: ${owners
    .map((owner) => `web.shop.apps.example.com/ of PinterestService shop/${owner}`)
    .join(
      ', ',
    )}. An ingress controller serves only one of two. Use another host name or path for one of the workloads.`,
});

/** Starts and waits for the first statuses, which are written after a second. */
async function start(...workloads: readonly ManifestInput[]): Promise<void> {
  await at.start(project, ...workloads);
  await at.settle(2000);
}

/** Reports the pods of a workload and its address as a cluster would, and waits until its status follows. */
async function serve(name: string): Promise<void> {
  const counts = { replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };
  at.change('Deployment', 'shop', name, (object) => ({
    ...object,
    status: { observedGeneration: object.metadata.generation, ...counts },
  }));
  at.change('Ingress', 'shop', name, (object) => ({
    ...object,
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
  }));
  await at.settle(10_000);
}

describe('two workloads with the same host and path', () => {
  const older = service('till', 1, shared);
  const newer = service('cart', 2, shared);

  it('both name the other one in a condition and an Event, and both have their Ingress', async () => {
    await start(newer, older);
    expect(conditionIn('cart', 'RouteConflict')).toMatchObject(conflict('till'));
    expect(conditionIn('till', 'RouteConflict')).toMatchObject(conflict('cart'));
    expect([ingressOf('till'), ingressOf('cart')]).not.toContain(undefined);
    expect(warnings()).toBe(2);
  });

  it('both are as healthy as without it', async () => {
    await start(newer, older);
    for (const name of ['cart', 'till']) {
      await serve(name);
      expect(conditionIn(name, 'Ready')?.status).toBe('True');
      expect(conditionIn(name, 'Stalled')).toBeUndefined();
      expect(statusOf(name)).toMatchObject({ phase: 'Ready' });
      expect(statusOf(name)['cause']).toBeUndefined();
      expect(conditionIn(name, 'RouteConflict')).toMatchObject({ status: 'True' });
    }
  });

  it('a change of either is carried out, also of the port', async () => {
    await start(newer, older);
    for (const [name, minute] of [
      ['cart', 2],
      ['till', 1],
    ] as const) {
      at.apply(service(name, minute, { ...shared, port: 9090 }));
      await at.settle();
      expect(JSON.stringify(ingressOf(name))).toContain('"number":9090');
    }
  });

  it('a new leader comes to the same result, and writes nothing', async () => {
    await start(newer, older);
    writes();
    await at.restart();
    expect(writes().filter((line) => / (cart|till|RouteConflict)$/.test(line))).toEqual([]);
  });

  it('it ends as soon as one is deleted', async () => {
    await start(newer, older);
    at.server.removeObject('PinterestService', 'shop', 'till');
    at.server.removeObject('Ingress', 'shop', 'till');
    await at.settle();
    expect(conditionIn('cart', 'RouteConflict')).toBeUndefined();
  });

  it('it ends as soon as either has another path, and begins with one Event of each', async () => {
    await start(newer, service('till', 1, { ...shared, paths: [{ path: '/till' }] }));
    expect([conditionIn('cart', 'RouteConflict'), warnings()]).toEqual([undefined, 0]);
    at.apply(older);
    await at.settle();
    expect([conditionIn('cart', 'RouteConflict'), warnings()]).toEqual([expect.objectContaining(conflict('till')), 2]);
    at.apply(service('till', 1, { ...shared, paths: [{ path: '/till' }] }));
    await at.settle();
    for (const name of ['cart', 'till']) expect(conditionIn(name, 'RouteConflict')).toBeUndefined();
    expect(warnings()).toBe(0);
  });

  it('of three, each names the others; one that ends is no Event', async () => {
    await start(service('a', 3, shared), service('b', 2, shared), service('c', 1, shared));
    expect(conditionIn('a', 'RouteConflict')).toMatchObject(conflict('b', 'c'));
    writes();
    at.server.removeObject('PinterestService', 'shop', 'c');
    at.server.removeObject('Ingress', 'shop', 'c');
    await at.settle(10_000);
    expect(conditionIn('a', 'RouteConflict')).toMatchObject(conflict('b'));
    expect(conditionIn('b', 'RouteConflict')).toMatchObject(conflict('a'));
    expect(warnings()).toBe(0);
  });
});

it('a generated host name conflicts with one that another workload lists', async () => {
  await start(service('web', 1, { port: 8080 }), service('cart', 2, shared));
  expect(conditionIn('cart', 'RouteConflict')).toMatchObject(conflict('web'));
});

it('a spec that is not carried out has no routes', async () => {
  await start(service('cart', 2, shared), service('till', 1, { ...shared, paths: [{ path: '/till' }] }));
  at.change('PinterestService', 'shop', 'till', (object) => {
    const { metadata, spec } = object as LiveObject & { readonly spec: object };
    const generation = (metadata.generation ?? 0) + 1;
    return { ...object, metadata: { ...metadata, generation }, spec: { ...spec, loadBalancer: shared, replicas: -1 } };
  });
  await at.settle();
  expect(statusOf('till')).toMatchObject({ phase: 'Invalid' });
  expect(conditionIn('cart', 'RouteConflict')).toBeUndefined();
});

it('other hosts, other paths, the cluster alone, and canaries of the ingress controller do not conflict', async () => {
  const canary = { ...shared, annotations: { 'nginx.ingress.kubernetes.io/canary': 'true' } };
  await start(
    service('a', 1, shared),
    service('b', 2, { ...shared, hosts: ['b.shop.apps.example.com'] }),
    service('c', 3, { ...shared, paths: [{ path: '/c' }] }),
    service('d', 4, { ...shared, paths: [{ path: '/', match: 'Exact' }] }),
    service('e', 5, { port: 8080, exposure: 'Cluster' }),
    service('f', 6, canary),
  );
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    expect([name, conditionIn(name, 'RouteConflict')]).toEqual([name, undefined]);
});

it('a change of one workload requeues only those with a route in common', async () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    service(`s${index}`, index, { ...shared, hosts: [`s${index}.shop.apps.example.com`] }),
  );
  await start(...many);
  await at.settle(60_000);
  writes();
  const reconciles = async () => {
    const metrics = await at.registry.getSingleMetric('pinion_reconcile_total')?.get();
    const ofServices = (metrics?.values ?? []).filter(({ labels }) => labels['kind'] === 'PinterestService');
    return ofServices.reduce((sum, { value }) => sum + value, 0);
  };
  const before = await reconciles();
  expect(before).toBeGreaterThanOrEqual(many.length);
  at.apply(service('s0', 0, { ...shared, hosts: ['s1.shop.apps.example.com'] }));
  await at.settle();
  expect(conditionIn('s1', 'RouteConflict')).toMatchObject({ status: 'True' });
  expect((await reconciles()) - before).toBeLessThan(10);
});
