import { crdOf, parseManifest, safeParseManifest, type ManifestInput } from '../../lib/api';

const serviceWith = (apiAccess?: unknown): ManifestInput<'PinterestService'> => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: {
    ...(apiAccess !== undefined && { apiAccess: apiAccess as 'None' }),
    template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:1.0.0' }] } },
  },
});

test.each([
  [undefined, false],
  [false, false],
  ['None', false],
  ['Gateway', 'Gateway'],
  ['Direct', 'Direct'],
  // Not Direct: the Platform may lead such pods to the gateway, and their template must not change.
  [true, true],
])('apiAccess %p is read as %p', (written, read) => {
  expect(parseManifest(serviceWith(written)).spec.apiAccess).toBe(read);
});

test.each(['none', 'true', 1, null, { mode: 'Gateway' }])('apiAccess %p is rejected', (written) => {
  const { problems } = safeParseManifest(serviceWith(written));
  expect(problems).toMatchObject([{ path: ['spec', 'apiAccess'], remedy: 'use None, Gateway, Direct' }]);
});

// Controllers of 0.2.0 read objects that are created before their upgrade.
test('the definition allows the booleans that clusters have stored, and nothing else', () => {
  const [version] = crdOf('PinterestService').spec.versions;
  const { spec } = (version?.schema?.openAPIV3Schema as { properties: Record<string, { properties: object }> })
    .properties;
  expect(spec?.properties).toMatchObject({
    apiAccess: { enum: ['None', 'Gateway', 'Direct', true, false], default: false },
  });
});
