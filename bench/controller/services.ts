import { apiVersion, parseManifest, type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile, expand, type KubernetesObject, resolvePlatform } from '../../lib/expand';

/** Spec of a service that other services call. */
export const callableSpec: ManifestInput<'PinterestService'>['spec'] = {
  replicas: 2,
  loadBalancer: { port: 8080 },
  template: { spec: { containers: [container()] } },
};

/** Returns a minimal service with a number of pods. */
export const smallSpec = (replicas: number): ManifestInput<'PinterestService'>['spec'] => ({
  replicas,
  template: { spec: { containers: [container()] } },
});

function container() {
  return {
    name: 'app',
    image: 'registry.example.com/app:1.4.2',
    resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '64Mi' } },
  };
}

/** Returns a PinterestService. */
export const service = (
  namespace: string,
  name: string,
  spec: ManifestInput<'PinterestService'>['spec'],
): ManifestInput<'PinterestService'> => ({ apiVersion, kind: 'PinterestService', metadata: { name, namespace }, spec });

/** Expands a service on the default platform. */
export function objectsOf(input: ManifestInput<'PinterestService'>): readonly KubernetesObject[] {
  const project: ManifestInput<'Project'> = projectOf(input.metadata.namespace ?? '');
  const context = resolvePlatform([
    parseManifest(defaultPlatform),
    parseManifest(defaultProfile),
    parseManifest(project),
  ]);
  return expand(parseManifest(input), context.project(project.metadata.name));
}

/** Quota that no benchmark exceeds. */
const largeQuota = {
  pods: '1000000',
  'requests.cpu': '10000000',
  'requests.memory': '1000Ti',
  'limits.memory': '1000Ti',
  'requests.ephemeral-storage': '1000Ti',
};

/** Returns a project for the benchmark. */
export const projectOf = (name: string): ManifestInput<'Project'> => ({
  apiVersion,
  kind: 'Project',
  metadata: { name },
  spec: { team: 'bench', quota: largeQuota },
});
