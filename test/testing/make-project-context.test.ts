import { makeService, makeProjectContext, objectsOf, only } from '@pinion-platform/pinion/testing';

test('a project context has built-in values that can be overridden', () => {
  const context = makeProjectContext({
    platform: { cluster: 'main', ingress: { internal: { ingressClassName: 'nginx' } } },
  });
  expect(context.platform.spec.cluster).toBe('main');
  expect(context.platform.spec.defaultTier).toBe('standard');
  expect(only(objectsOf(makeService(), context), 'Ingress')).toMatchObject({ spec: { ingressClassName: 'nginx' } });
});

test('sets the name and team of the project', () => {
  const context = makeProjectContext({ project: { name: 'basket', team: 'checkout' } });
  expect(context.project.metadata.name).toBe('basket');
  expect(context.project.spec.team).toBe('checkout');
});

test('a profile without parts adds nothing to a pod', () => {
  const objects = objectsOf(makeService(), makeProjectContext({ profile: { name: 'bare', parts: [] } }));
  const { spec } = only(objects, 'Deployment') as { spec?: { template?: { spec?: object } } };
  expect(spec?.template?.spec).not.toHaveProperty('initContainers');
});

test('rejects an invalid combination', () => {
  expect(() => makeProjectContext({ platform: { defaultTier: 'gold' } })).toThrow('must be one of spec.tiers');
});
