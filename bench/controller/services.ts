import { apiVersion, parseManifest, type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile, expand, type KubernetesObject, resolvePlatform } from '../../lib/expand';

/** A service that other services call, with pods. */
export const callableSpec: ManifestInput<'PinterestService'>['spec'] = {
  replicas: 2,
  loadBalancer: { port: 8080 },
  template: { spec: { containers: [container()] } },
};

/** The least that a service can be, with a number of pods. */
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

/** One custom resource. */
export const service = (
  namespace: string,
  name: string,
  spec: ManifestInput<'PinterestService'>['spec'],
): ManifestInput<'PinterestService'> => ({ apiVersion, kind: 'PinterestService', metadata: { name, namespace }, spec });

/** What a service becomes on the platform of these measurements. */
export function objectsOf(input: ManifestInput<'PinterestService'>): readonly KubernetesObject[] {
  const project: ManifestInput<'Project'> = projectOf(input.metadata.namespace ?? '');
  const world = resolvePlatform([
    parseManifest(defaultPlatform),
    parseManifest(defaultProfile),
    parseManifest(project),
  ]);
  return expand(parseManifest(input), world.project(project.metadata.name));
}

/** What is measured shall not run into the quota of a new project. */
const plenty = {
  pods: '1000000',
  'requests.cpu': '10000000',
  'requests.memory': '1000Ti',
  'limits.memory': '1000Ti',
  'requests.ephemeral-storage': '1000Ti',
};

/** A project for what is measured. */
export const projectOf = (name: string): ManifestInput<'Project'> => ({
  apiVersion,
  kind: 'Project',
  metadata: { name },
  spec: { team: 'bench', quota: plenty },
});
