import { installManifests, type InstallOptions, type KubernetesObject } from 'pinion';
import { platformManifest } from './platform-manifest';
import { type PlatformStackConfig } from './platform-stack-config';
import { platformProjectManifests } from './platform-projects';

/** Returns the manifests of a cluster: the Platform, and the projects of its components. */
export const platformManifests = (config: PlatformStackConfig): NonNullable<InstallOptions['documents']> => [
  platformManifest(config),
  ...platformProjectManifests(config),
];

/** Returns the objects of pinion and the manifests: definitions, and the rest in order. */
export function pinionObjects(config: PlatformStackConfig): {
  readonly definitions: KubernetesObject[];
  readonly rest: KubernetesObject[];
} {
  const objects = installManifests({ image: config.controllerImage, documents: platformManifests(config) });
  const isDefinition = ({ kind }: KubernetesObject) => kind === 'CustomResourceDefinition';
  return { definitions: objects.filter(isDefinition), rest: objects.filter((object) => !isDefinition(object)) };
}
