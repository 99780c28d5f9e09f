import { ResourceNames } from '../../../lib/gateway/metrics/resource-names';

const info = (resource: string, subresource?: string) =>
  ({
    verb: 'get',
    group: 'apps',
    version: 'v1',
    resource,
    isUsual: true,
    ...(subresource && { subresource }),
  }) as const;

test('a resource has its name as soon as a server has answered for it', () => {
  const names = new ResourceNames();
  expect(names.nameOf(info('deployments', 'scale'))).toBe('other');
  names.learn(info('deployments', 'scale'));
  expect(names.nameOf(info('deployments', 'scale'))).toBe('deployments.apps/scale');
  expect(names.nameOf(info('deployments'))).toBe('other');
});

test('what is not a resource is none', () => expect(new ResourceNames().nameOf(undefined)).toBe('none'));
