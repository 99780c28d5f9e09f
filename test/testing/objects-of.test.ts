import {
  makeDaemon,
  makeService,
  makeTrainingJob,
  makeProjectContext,
  objectsOf,
  only,
  problemsOf,
} from 'pinion/testing';

const apiVersion = 'pinterest.com/v1';

test('a workload becomes its objects in the world of its own project', () => {
  const objects = objectsOf(makeService({ project: 'basket' }));
  expect(objects.every(({ metadata }) => metadata.namespace === 'basket')).toBe(true);
});

test('a daemon gets a project of the infrastructure, without access to machines', () => {
  expect(only(objectsOf(makeDaemon()), 'DaemonSet').metadata.name).toBe('app');
  expect(problemsOf(makeDaemon({ host: { network: true } }))).toMatchObject([{ path: ['spec', 'host', 'network'] }]);
});

test('what needs the controller is expanded as the controller would', () => {
  expect(only(objectsOf(makeTrainingJob({ gang: {} })), 'Job').metadata.name).toBe('app');
});

test('a Project becomes its Namespace and what guards it', () => {
  const project = { apiVersion, kind: 'Project', metadata: { name: 'basket' }, spec: { team: 'checkout' } } as const;
  expect(only(objectsOf(project), 'Namespace').metadata.name).toBe('basket');
});

test('a Platform becomes the PriorityClasses of its tiers', () => {
  const { spec } = makeProjectContext({
    platform: { tiers: [{ name: 'only', priority: 1 }], defaultTier: 'only' },
  }).platform;
  const objects = objectsOf({ apiVersion, kind: 'Platform', metadata: { name: 'cluster' }, spec });
  expect(only(objects, 'PriorityClass').metadata.name).toBe('only');
});

test('a world of another project is a mistake of the test, and said so', () => {
  expect(() => objectsOf(makeService({ project: 'basket' }), makeProjectContext())).toThrow(
    'PinterestService basket/app: metadata.namespace: "basket" is not the project of the given context, shop',
  );
});

test('problems come together, of the schema or of the world', () => {
  expect(problemsOf(makeService({ replicas: -1 }))).toMatchObject([
    { code: 'out-of-range', path: ['spec', 'replicas'] },
  ]);
  expect(problemsOf(makeService({ tier: 'gold' }))).toMatchObject([{ code: 'not-available', path: ['spec', 'tier'] }]);
  expect(problemsOf('not a document')).toMatchObject([{ code: 'unknown-kind' }]);
});
