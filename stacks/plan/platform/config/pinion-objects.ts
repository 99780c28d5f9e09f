import { gatewayName, installManifests, type InstallOptions, type KubernetesObject } from '@pinion-platform/pinion';
import { platformManifest } from './platform-manifest';
import { type PlatformStackConfig } from './platform-stack-config';
import { platformProjectManifests } from './platform-projects';

/** Returns the manifests of a cluster: the Platform, and the projects of its components. */
export const platformManifests = (config: PlatformStackConfig): NonNullable<InstallOptions['documents']> => [
  platformManifest(config),
  ...platformProjectManifests(config),
];

/** Returns the options of the installation. */
export const installOptions = (config: PlatformStackConfig): InstallOptions => ({
  image: config.controllerImage,
  ...(config.gatewayImage !== undefined && { gatewayImage: config.gatewayImage }),
  ...(config.clientMonitorImage !== undefined && { clientMonitorImage: config.clientMonitorImage }),
  documents: platformManifests(config),
});

/** Returns the objects of pinion and the manifests: definitions, the gateway, and the rest in order. */
export function pinionObjects(config: PlatformStackConfig): {
  readonly definitions: KubernetesObject[];
  readonly gateway: KubernetesObject[];
  readonly rest: KubernetesObject[];
} {
  const objects = installManifests(installOptions(config));
  const isDefinition = ({ kind }: KubernetesObject) => kind === 'CustomResourceDefinition';
  const isGateway = ({ metadata }: KubernetesObject) => metadata.labels?.['app.kubernetes.io/name'] === gatewayName;
  return {
    definitions: objects.filter(isDefinition),
    gateway: objects.filter(isGateway),
    rest: objects.filter((object) => !isDefinition(object) && !isGateway(object)),
  };
}
