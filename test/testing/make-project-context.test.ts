import { makeService, makeProjectContext, objectsOf, only } from 'pinion/testing';

test('a world is the built-in one, but for what a test says', () => {
  const world = makeProjectContext({
    platform: { cluster: 'main', ingress: { internal: { ingressClassName: 'nginx' } } },
  });
  expect(world.platform.spec.cluster).toBe('main');
  expect(world.platform.spec.defaultTier).toBe('standard');
  expect(only(objectsOf(makeService(), world), 'Ingress')).toMatchObject({ spec: { ingressClassName: 'nginx' } });
});

test('a project of its own name and team', () => {
  const world = makeProjectContext({ project: { name: 'basket', team: 'checkout' } });
  expect(world.project.metadata.name).toBe('basket');
  expect(world.project.spec.team).toBe('checkout');
});

test('a profile without parts adds nothing to a pod', () => {
  const objects = objectsOf(makeService(), makeProjectContext({ profile: { name: 'bare', parts: [] } }));
  const { spec } = only(objects, 'Deployment') as { spec?: { template?: { spec?: object } } };
  expect(spec?.template?.spec).not.toHaveProperty('initContainers');
});

test('what does not fit is refused as it would be in an app', () => {
  expect(() => makeProjectContext({ platform: { defaultTier: 'gold' } })).toThrow('must be one of spec.tiers');
});
