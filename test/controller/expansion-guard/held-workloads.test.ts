import { apiVersion, type ManifestInput, type WorkloadKind } from '../../../lib/api';
import { defaultPlatform, timeOf } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { ControllerFixture } from '../controller-fixture';

let at: ControllerFixture;
beforeEach(() => {
  at = new ControllerFixture();
});
afterEach(() => at.stop());

const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop' },
};
const service = (
  name: string,
  image = 'registry.example.com/cart:1',
  replicas = 2,
): ManifestInput<'PinterestService'> => ({
  apiVersion,
  kind: 'PinterestService',
  metadata: { name, namespace: 'shop' },
  spec: { replicas, loadBalancer: { port: 80 }, template: { spec: { containers: [{ name: 'app', image }] } } },
});
const smallTemplate = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1' }] } };
const release = (heldBefore: string): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: {
    ...defaultPlatform.spec,
    runtime: { ...defaultPlatform.spec.runtime, expansionRelease: { heldBefore } },
  },
});

type Expansion = { readonly inputs: string; readonly podTemplates: string; readonly held?: { readonly since: string } };
const expansionOf = (name: string, kind: WorkloadKind = 'PinterestService') =>
  at.status(kind, 'shop', name)['expansion'] as Expansion | undefined;
const conditionOf = (name: string) =>
  (at.status('PinterestService', 'shop', name)['conditions'] as readonly { type: string; message: string }[]).find(
    ({ type }) => type === 'ExpansionDiffers',
  );
const childWrites = (): string[] =>
  at.server.written
    .splice(0)
    .filter(({ verb, kind }) => (verb === 'apply' || verb === 'delete') && !kind.startsWith('Pinterest'))
    .map(({ verb, kind, name }) => `${verb} ${kind}/${name}`);

/** Replaces the controller by one whose library expands other pod templates than the record says. */
async function restartWithOtherLibrary(
  name: string,
  meanwhile: () => void = () => undefined,
  kind: WorkloadKind = 'PinterestService',
): Promise<void> {
  await at.stop();
  meanwhile();
  at.change(kind, 'shop', name, (live) => ({
    ...live,
    status: { ...(live['status'] as object), expansion: { ...expansionOf(name, kind), podTemplates: '1-other' } },
  }));
  childWrites();
  await at.restart();
  await at.settle(10_000);
}
const withImage = (object: LiveObject, image: string): object => {
  const spec = structuredClone(object['spec']) as { template: { spec: { containers: { image: string }[] } } };
  for (const container of spec.template.spec.containers) container.image = image;
  return { ...object, spec };
};
const imageOf = (name: string): string | undefined => {
  const spec = at.server.find('Deployment', 'shop', name)?.['spec'] as
    { template: { spec: { containers: readonly { image: string }[] } } } | undefined;
  return spec?.template.spec.containers[0]?.image;
};

test('a controller of a former version leaves no record, and the first start records without a write to a child', async () => {
  await at.start(project, service('cart'));
  await at.settle(10_000);
  const recorded = expansionOf('cart');
  expect(recorded).toEqual({
    inputs: expect.any(String) as string,
    podTemplates: expect.stringMatching(/^1-/) as string,
  });
  at.change('PinterestService', 'shop', 'cart', (live) => {
    const { expansion: _, ...status } = live['status'] as { readonly expansion?: unknown };
    return { ...live, status };
  });
  childWrites();
  await at.restart();
  await at.settle(10_000);
  expect(expansionOf('cart')).toEqual(recorded);
  expect(childWrites()).toEqual([]);
});

test('what the library alone changes is held, reported once, and released by the Platform', async () => {
  await at.start(project, service('cart'), service('search'));
  await at.settle(10_000);
  await restartWithOtherLibrary('cart');
  expect(childWrites()).toEqual([]);
  expect(conditionOf('search')).toBeUndefined();
  const { since } = expansionOf('cart')?.held ?? {};
  const message = conditionOf('cart')?.message;
  expect(message).toContain(`since ${since}`);
  expect(message).toContain('pinion impact report --live');
  expect(message).toContain('have not changed meanwhile');
  expect(at.ready('PinterestService', 'shop', 'cart').message).not.toContain('ExpansionDiffers');
  const events = at.server.written.filter(({ kind, name }) => kind === 'Event' && name === 'ExpansionDiffers');
  expect(events.length).toBeLessThanOrEqual(1);
  const held = await at.registry.getSingleMetric('pinion_held_workloads')?.get();
  expect(held?.values).toMatchObject([{ labels: { kind: 'PinterestService' }, value: 1 }]);
  // Neither drift, nor a scale, nor another Platform changes the objects.
  at.change('Deployment', 'shop', 'cart', (live) => withImage(live, 'registry.example.com/other:1'));
  at.apply(service('cart', 'registry.example.com/cart:1', 3));
  const { spec } = defaultPlatform;
  at.apply({ ...defaultPlatform, spec: { ...spec, environment: 'prod' } });
  await at.settle(10_000);
  expect(childWrites().filter((write) => write.endsWith('/cart'))).toEqual([]);
  // A deleted object is created again.
  at.server.removeObject('Service', 'shop', 'cart');
  await at.settle(10_000);
  expect(childWrites()).toEqual(['apply Service/cart']);
  at.apply(release(since ?? ''));
  await at.settle(10_000);
  expect(childWrites()).toContain('apply Deployment/cart');
  expect([expansionOf('cart')?.held, conditionOf('cart')]).toEqual([undefined, undefined]);
  expect(imageOf('cart')).toBe('registry.example.com/cart:1');
});

test('a release until a time in the future is one of what is held now, and of no later hold', async () => {
  await at.start(project, service('cart'), service('search'));
  await at.settle(10_000);
  await restartWithOtherLibrary('cart');
  at.apply(release(timeOf(at.clock.now() + 300_000)));
  await at.settle(10_000);
  expect(expansionOf('cart')?.held).toBeUndefined();
  await restartWithOtherLibrary('search');
  expect(expansionOf('search')?.held).toBeDefined();
  await at.settle(300_000);
  await at.restart();
  expect(expansionOf('search')?.held).toBeDefined();
});

test('a deployment of a held workload changes it', async () => {
  await at.start(project, service('cart'));
  await at.settle(10_000);
  await restartWithOtherLibrary('cart');
  expect(expansionOf('cart')?.held).toBeDefined();
  at.apply(service('cart', 'registry.example.com/cart:2'));
  await at.settle(10_000);
  expect(imageOf('cart')).toBe('registry.example.com/cart:2');
  expect(conditionOf('cart')).toBeUndefined();
});

test('a held workload is created again if it has no objects', async () => {
  await at.start(project, service('cart'));
  await at.settle(10_000);
  await restartWithOtherLibrary('cart', () => at.server.removeObject('Deployment', 'shop', 'cart'));
  expect(childWrites()).toContain('apply Deployment/cart');
});

test('objects that the former version did not have are created once it is released, also a Deployment with another name', async () => {
  await at.start(project, service('cart'));
  await at.settle(10_000);
  await restartWithOtherLibrary('cart', () => {
    // The former version named the Deployment otherwise, and had no Service.
    const deployment = at.server.find('Deployment', 'shop', 'cart') as LiveObject;
    for (const kind of ['Deployment', 'Service']) at.server.removeObject(kind, 'shop', 'cart');
    at.server.put({ ...deployment, metadata: { ...deployment.metadata, name: 'cart-main', uid: 'main' } });
    at.change('PinterestService', 'shop', 'cart', (live) => {
      const status = live['status'] as { readonly children: Readonly<Record<string, string>> };
      const { 'Deployment/cart': state, 'Service/cart': _, ...children } = status.children;
      return { ...live, status: { ...status, children: { ...children, 'Deployment/cart-main': state } } };
    });
  });
  const { since } = expansionOf('cart')?.held ?? {};
  await at.restart();
  await at.settle(10_000);
  expect(childWrites()).toEqual([]);
  const children = at.status('PinterestService', 'shop', 'cart')['children'];
  expect(children).toHaveProperty(['Deployment/cart-main']);
  for (const name of ['Deployment/cart', 'Service/cart']) expect(children).not.toHaveProperty([name]);
  at.server.removeObject('ServiceAccount', 'shop', 'cart');
  await at.settle(10_000);
  expect(childWrites()).toEqual(['apply ServiceAccount/cart']);
  at.apply(release(since ?? ''));
  await at.settle(10_000);
  expect(childWrites()).toEqual(expect.arrayContaining(['apply Deployment/cart', 'apply Service/cart']));
});

test('a lost status releases nothing: the objects with pods have the record, too', async () => {
  await at.start(project, service('cart'));
  await at.settle(10_000);
  await at.stop();
  const { annotations = {} } = at.server.find('Deployment', 'shop', 'cart')?.metadata ?? {};
  const { inputs, podTemplates } = expansionOf('cart') ?? {};
  expect(annotations['pinterest.com/expansion']).toBe(`${inputs}/${podTemplates}`);
  at.change('Deployment', 'shop', 'cart', (live) => ({
    ...live,
    metadata: { ...live.metadata, annotations: { ...annotations, 'pinterest.com/expansion': `${inputs}/1-other` } },
  }));
  at.change('PinterestService', 'shop', 'cart', ({ status: _, ...live }) => live as LiveObject);
  childWrites();
  await at.restart();
  await at.settle(10_000);
  expect(childWrites()).toEqual([]);
  expect(expansionOf('cart')).toMatchObject({
    inputs,
    podTemplates: '1-other',
    held: { deployed: expect.any(String) as string },
  });
});

test('a run that is held goes through its steps, and its end ends the hold', async () => {
  const jobs = [
    { name: 'first', template: smallTemplate },
    { name: 'second', template: smallTemplate, dependsOn: [{ name: 'first', status: 'Complete' }] },
  ];
  const jobSet = {
    apiVersion,
    kind: 'PinterestJobSet',
    metadata: { name: 'index', namespace: 'shop' },
    spec: { replicatedJobs: jobs },
  } as unknown as ManifestInput;
  const finish = async (job: string) => {
    const time = new Date(at.clock.now()).toISOString();
    const conditions = [{ type: 'Complete', status: 'True', lastTransitionTime: time }];
    at.change('Job', 'shop', job, (live) => ({
      ...live,
      status: { startTime: time, completionTime: time, succeeded: 1, completedIndexes: '0', conditions },
    }));
    await at.settle(10_000);
  };
  await at.start(project, jobSet);
  await at.settle(10_000);
  await restartWithOtherLibrary('index', undefined, 'PinterestJobSet');
  expect(expansionOf('index', 'PinterestJobSet')?.held).toBeDefined();
  expect(childWrites()).toEqual([]);
  await finish('index-first-0');
  expect(childWrites()).toContain('apply Job/index-second-0');
  await finish('index-second-0');
  expect(at.status('PinterestJobSet', 'shop', 'index')).toMatchObject({ phase: 'Succeeded' });
  expect(expansionOf('index', 'PinterestJobSet')?.held).toBeUndefined();
});
