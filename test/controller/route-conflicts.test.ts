import { apiVersion, type ManifestInput } from '../../lib/api';
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
const hasIngress = (name: string) => at.server.find('Ingress', 'shop', name) !== undefined;
const writes = () => at.server.written.splice(0).map(({ verb, kind, name }) => `${verb} ${kind} ${name}`);
const conflict = (name: string, owner: string, route = 'web.shop.apps.example.com/') => ({
  owner: 'application',
  reason: 'RouteConflict',
  message: `Ingress ${name} has routes of older workloads: ${route} of PinterestService shop/${owner}. An ingress controller serves only one of two, so this Ingress is neither created nor changed; its pods are not affected. Use another host name or path for one of the workloads.`,
  object: `Ingress/${name}`,
});

describe('two workloads with the same host and path', () => {
  // The newer one has the lower name, so that it is reconciled before the other.
  const older = service('till', 1, shared);
  const newer = service('cart', 2, shared);

  it('the older one keeps it, and the status of the newer one names it', async () => {
    await at.start(project, newer, older);
    expect(statusOf('cart')).toMatchObject({ phase: 'Stalled', cause: conflict('cart', 'till') });
    expect(statusOf('till')['cause']).toBeUndefined();
    expect([hasIngress('till'), hasIngress('cart')]).toEqual([true, false]);
    expect(at.server.find('Deployment', 'shop', 'cart')).toBeDefined();
    expect(writes()).toContain('event Event RouteConflict');
  });

  it('the lower name decides between two of the same age', async () => {
    await at.start(project, service('till', 1, shared), service('cart', 1, shared));
    expect(statusOf('till')['cause']).toEqual(conflict('till', 'cart'));
    expect(statusOf('cart')['cause']).toBeUndefined();
  });

  it('a new leader comes to the same result, and writes nothing', async () => {
    await at.start(project, newer, older);
    writes();
    await at.restart();
    expect(writes().filter((line) => / (cart|till)$/.test(line))).toEqual([]);
  });

  it('the newer one has its Ingress as soon as the older one is deleted', async () => {
    await at.start(project, newer, older);
    at.server.removeObject('PinterestService', 'shop', 'till');
    await at.settle();
    expect(hasIngress('cart')).toBe(true);
    expect(statusOf('cart')['cause']).toBeUndefined();
  });

  it('the newer one has its Ingress as soon as either has another path', async () => {
    await at.start(project, newer, older);
    at.apply(service('till', 1, { ...shared, paths: [{ path: '/till' }] }));
    await at.settle();
    expect([hasIngress('cart'), statusOf('cart')['cause']]).toEqual([true, undefined]);
  });

  it('an existing Ingress and all pods stay as they are', async () => {
    await at.start(project, service('cart', 2, shared), service('till', 1, { ...shared, paths: [{ path: '/till' }] }));
    const before = at.server.find('Ingress', 'shop', 'cart');
    expect(before).toBeDefined();
    writes();
    at.apply(older);
    await at.settle();
    expect(statusOf('cart')['cause']).toEqual(conflict('cart', 'till'));
    expect(at.server.find('Ingress', 'shop', 'cart')).toEqual(before);
    expect(writes().filter((line) => line.includes('cart') && !/^(status|event) /.test(line))).toEqual([]);
  });

  it('the next one gets the route when the oldest of three is deleted', async () => {
    await at.start(project, service('a', 3, shared), service('b', 2, shared), service('c', 1, shared));
    expect([statusOf('a')['cause'], statusOf('b')['cause']]).toEqual([conflict('a', 'c'), conflict('b', 'c')]);
    at.server.removeObject('PinterestService', 'shop', 'c');
    await at.settle();
    expect([statusOf('a')['cause'], statusOf('b')['cause']]).toEqual([conflict('a', 'b'), undefined]);
  });
});

it('a generated host name conflicts with one that another workload lists', async () => {
  await at.start(project, service('web', 1, { port: 8080 }), service('cart', 2, shared));
  expect(statusOf('cart')['cause']).toEqual(conflict('cart', 'web'));
});

it('other hosts, other paths, the cluster alone, and canaries of the ingress controller do not conflict', async () => {
  const canary = { ...shared, annotations: { 'nginx.ingress.kubernetes.io/canary': 'true' } };
  await at.start(
    project,
    service('a', 1, shared),
    service('b', 2, { ...shared, hosts: ['b.shop.apps.example.com'] }),
    service('c', 3, { ...shared, paths: [{ path: '/c' }] }),
    service('d', 4, { ...shared, paths: [{ path: '/', match: 'Exact' }] }),
    service('e', 5, { port: 8080, exposure: 'Cluster' }),
    service('f', 6, canary),
  );
  for (const name of ['a', 'b', 'c', 'd', 'e']) expect([name, statusOf(name)['cause']]).toEqual([name, undefined]);
  expect((statusOf('f')['cause'] as { reason?: string } | undefined)?.reason).not.toBe('RouteConflict');
});

it('a change of one workload requeues only those with a route in common', async () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    service(`s${index}`, index, { ...shared, hosts: [`s${index}.shop.apps.example.com`] }),
  );
  await at.start(project, ...many);
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
  expect((statusOf('s1')['cause'] as { reason?: string } | undefined)?.reason).toBe('RouteConflict');
  expect((await reconciles()) - before).toBeLessThan(10);
});
