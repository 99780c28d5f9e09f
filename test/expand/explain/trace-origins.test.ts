import { formatPath } from '../../../lib/api';
import { traceOrigins, type ExplainedObject } from '../../../lib/expand';
import { makeService, makeProjectContext } from '@pinion-platform/pinion/testing';
import { parseManifest, resolvePlatform, type ManifestInput } from '@pinion-platform/pinion';

const input: ManifestInput<'PinterestService'> = {
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: {
    replicas: 3,
    loadBalancer: { port: 8080 },
    iamRole: 'reader',
    sidecars: { logs: { config: { level: 'debug' } } },
    patches: [{ kind: 'Deployment', merge: { spec: { revisionHistoryLimit: 7 } } }],
    template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:1.4.2' }] } },
  },
};

const explain = (): readonly ExplainedObject[] =>
  traceOrigins(input, parseManifest(input), resolvePlatform([]).project('shop'));

/** The main origin of a field, as `by path-or-part`. */
function originOf(kind: string, find: (path: string, value: unknown) => boolean): string[] {
  return explain()
    .filter(({ object }) => object.kind === kind)
    .flatMap(({ leaves }) => leaves)
    .filter(({ path, value }) => find(formatPath(path), value))
    .map(({ origins: [origin] }) =>
      `${origin?.by} ${origin?.part ?? (origin?.path ? formatPath(origin.path) : '')}`.trim(),
    );
}

const at = (path: string) => (candidate: string) => candidate === path;

test.each([
  ['Deployment', 'spec.replicas', 'user spec.replicas'],
  ['Deployment', 'metadata.name', 'user metadata.name'],
  ['Deployment', 'spec.template.spec.containers[0].image', 'user spec.template.spec.containers[0].image'],
  ['Deployment', 'spec.strategy.rollingUpdate.maxSurge', 'default spec.rollout.maxSurge'],
  ['Deployment', 'spec.template.spec.containers[0].resources.limits.memory', 'platform spec.resources.limits.memory'],
  ['Deployment', 'spec.revisionHistoryLimit', 'patch spec.patches[0]'],
  ['Deployment', 'spec.template.spec.enableServiceLinks', 'kind'],
  ['Ingress', 'spec.ingressClassName', 'platform spec.ingress.internal.ingressClassName'],
  ['Service', 'spec.ports[0].port', 'user spec.loadBalancer.port'],
  ['Service', 'spec.type', 'user spec.loadBalancer'],
])('%s %s was set by %s', (kind, path, origin) => expect(originOf(kind, at(path))).toEqual([origin]));

test('a setting of a part has the user as its origin, and the rest of its container has the part', () => {
  expect(originOf('Deployment', (_, value) => value === 'debug')).toEqual(['user spec.sidecars.logs.config.level']);
  expect(
    originOf('Deployment', (path, value) => path.endsWith('.image') && String(value).includes('fluent-bit')),
  ).toEqual(['profile logs']);
});

test('every generated field has an origin', () => {
  const leaves = explain().flatMap(({ leaves }) => leaves);
  expect(leaves.length).toBeGreaterThan(200);
  expect(leaves.filter(({ origins }) => origins.length === 0)).toEqual([]);
});

test('the source of an exact value precedes other origins', () => {
  const external = makeService({ loadBalancer: { port: 8080, exposure: 'External' } });
  const context = makeProjectContext({ platform: { ingress: { external: { ingressClassName: 'public' } } } });
  const ingress = traceOrigins(external, parseManifest(external), context).find(
    ({ object }) => object.kind === 'Ingress',
  );
  const leaf = ingress?.leaves.find(({ path }) => formatPath(path) === 'spec.ingressClassName');
  expect(leaf?.origins.slice(0, 2).map(({ by }) => by)).toEqual(['platform', 'user']);
});
