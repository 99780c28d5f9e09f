import { apiVersion, parseManifest, type ManifestInput, type PlatformManifest } from '../../../lib/api';
import { defaultPlatform, defaultProfile, expandUnchecked, resolvePlatform } from '../../../lib/expand';
import { childOf } from '../../../lib/controller/observed/child-of';
import { takenRoutes } from '../../../lib/controller/plan/taken-routes';
import { Expansions } from '../../../lib/controller/workload-expansion';
import { type LiveObject } from '../../../lib/kube';
import { publisher } from '../../artifact/artifact-fixture';

const platform = { ...defaultPlatform, spec: { ...defaultPlatform.spec, cluster: 'prod-1' } };
const projectOf = (publishers: readonly object[]) =>
  ({
    apiVersion,
    kind: 'Project',
    metadata: { name: 'shop' },
    spec: { team: 'shop', stages: [{ name: 'production', clusters: ['prod-1'], publishers }] },
  }) as unknown as ManifestInput<'Project'>;

/** Returns a stored service with a host name that both share. */
function service(name: string, minute: number): LiveObject {
  const container = {
    name: 'app',
    image: 'registry.example.com/app:1',
    ports: [{ name: 'http', containerPort: 8080 }],
  };
  const input = {
    apiVersion,
    kind: 'PinterestService',
    metadata: { name, namespace: 'shop' },
    spec: {
      loadBalancer: { port: 8080, hosts: ['web.shop.apps.example.com'] },
      template: { spec: { containers: [container] } },
    },
  } as ManifestInput<'PinterestService'>;
  const { spec } = parseManifest(input);
  const creationTimestamp = `2026-01-01T00:0${minute}:00Z`;
  return {
    ...{ apiVersion, kind: 'PinterestService', spec },
    metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1', generation: 1, creationTimestamp },
  };
}

/** Returns the names of the workloads that take routes of the newer one of two, in a project with some publishers. */
function takenBy(publishers: readonly object[], isCarriedOut: boolean): readonly string[] {
  const manifests = [platform, defaultProfile, projectOf(publishers)].map((input) =>
    parseManifest(input as ManifestInput),
  );
  const context = resolvePlatform(manifests as unknown as PlatformManifest[]).project('shop');
  const [older, newer] = [service('till', 1), service('cart', 2)];
  const objectsOf = (live: LiveObject) =>
    expandUnchecked(parseManifest(live as unknown as ManifestInput<'PinterestService'>), context);
  const ingress = objectsOf(older).find(({ kind }) => kind === 'Ingress');
  const child = childOf({
    ...ingress,
    metadata: { ...ingress?.metadata, uid: 'i', resourceVersion: '1' },
  } as LiveObject);
  return takenRoutes(newer, objectsOf(newer), {
    stores: { routeRivals: () => [older], ownedBy: () => (isCarriedOut ? [child] : []) },
    expansions: new Expansions(),
    project: { context },
  }).map(({ owner }) => owner.metadata.name);
}

test('a spec of an older workload takes a route at once', () => {
  expect(takenBy([], false)).toEqual(['till']);
});

test('in a protected project, it does only once the controller has carried it out', () => {
  expect(takenBy([publisher()], false)).toEqual([]);
  expect(takenBy([publisher()], true)).toEqual(['till']);
});
