import type * as MainEntry from '../../lib';

for (const name of ['fastify', 'jose', 'openid-client', 'prom-client'])
  jest.mock(name, () => {
    throw new Error(`${name} was loaded`);
  });

test('the main entry point exports the manifests of programs, and does not load the dependencies of the programs', () => {
  const { submissionManifests, quotaMonitorManifests } = jest.requireActual<typeof MainEntry>('../../lib');
  const image = 'registry.example.com/pinion/program:1.0.0';
  const settings = { artifactStore: '/store', clusters: [{ name: 'prod-1' }], identity: {} };
  const kinds = [...submissionManifests({ image, settings }), ...quotaMonitorManifests({ image })].map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual(expect.arrayContaining(['PinterestService', 'PinterestCronJob']));
  expect(() => jest.requireActual<object>('../../lib/submission')).toThrow('was loaded');
});
