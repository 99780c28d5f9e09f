import {
  makeDaemon,
  makeService,
  makeTrainingJob,
  makeProjectContext,
  objectsOf,
  only,
  problemsOf,
} from '@pinion-platform/pinion/testing';

const apiVersion = 'pinterest.com/v1';

test('a workload expands to its objects in the context of its own project', () => {
  const objects = objectsOf(makeService({ project: 'basket' }));
  expect(objects.every(({ metadata }) => metadata.namespace === 'basket')).toBe(true);
});

test('the default context of a daemon is an infrastructure project without host access', () => {
  expect(only(objectsOf(makeDaemon()), 'DaemonSet').metadata.name).toBe('app');
  expect(problemsOf(makeDaemon({ host: { network: true } }))).toMatchObject([{ path: ['spec', 'host', 'network'] }]);
});

test('features that need the controller are expanded as in the controller', () => {
  expect(only(objectsOf(makeTrainingJob({ gang: {} })), 'Job').metadata.name).toBe('app');
});

test('a Project expands to its Namespace, quotas and policies', () => {
  const project = { apiVersion, kind: 'Project', metadata: { name: 'basket' }, spec: { team: 'checkout' } } as const;
  expect(only(objectsOf(project), 'Namespace').metadata.name).toBe('basket');
});

test('a Platform expands to the PriorityClasses of its tiers', () => {
  const { spec } = makeProjectContext({
    platform: { tiers: [{ name: 'only', priority: 1 }], defaultTier: 'only' },
  }).platform;
  const objects = objectsOf({ apiVersion, kind: 'Platform', metadata: { name: 'cluster' }, spec });
  expect(only(objects, 'PriorityClass').metadata.name).toBe('only');
});

test('rejects a context of another project', () => {
  expect(() => objectsOf(makeService({ project: 'basket' }), makeProjectContext())).toThrow(
    'PinterestService basket/app: metadata.namespace: "basket" is not the project of the given context, shop',
  );
});

test('reports problems of the schema and of the context together', () => {
  expect(problemsOf(makeService({ replicas: -1 }))).toMatchObject([
    { code: 'out-of-range', path: ['spec', 'replicas'] },
  ]);
  expect(problemsOf(makeService({ tier: 'gold' }))).toMatchObject([{ code: 'not-available', path: ['spec', 'tier'] }]);
  expect(problemsOf('not a document')).toMatchObject([{ code: 'unknown-kind' }]);
});
