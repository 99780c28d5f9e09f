import { gatewayName, installManifests, type InstallOptions, type KubernetesObject } from '@pinion-platform/pinion';
import { platformManifest } from './platform-manifest';
import { platformProjects } from './platform-accounts';
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
  // The page reads both histories in one namespace.
  ...(config.clientMonitorImage !== undefined &&
    config.quotaMonitor && { clientHistoryNamespace: platformProjects.quota }),
  documents: platformManifests(config),
});

/**
 * Returns the objects of pinion and the manifests: definitions, the gateway, the access to the client history, whose
 * namespace a later stage creates, and the rest in order.
 */
export function pinionObjects(config: PlatformStackConfig): {
  readonly definitions: KubernetesObject[];
  readonly gateway: KubernetesObject[];
  readonly historyAccess: KubernetesObject[];
  readonly rest: KubernetesObject[];
} {
  const objects = installManifests(installOptions(config));
  const isDefinition = ({ kind }: KubernetesObject) => kind === 'CustomResourceDefinition';
  // What lets the client monitor find gateways needs their namespace.
  const isGateway = ({ metadata }: KubernetesObject) =>
    metadata.labels?.['app.kubernetes.io/name'] === gatewayName || metadata.namespace === gatewayName;
  const isHistoryAccess = ({ metadata }: KubernetesObject) => metadata.namespace === platformProjects.quota;
  return {
    definitions: objects.filter(isDefinition),
    gateway: objects.filter(isGateway),
    historyAccess: objects.filter(isHistoryAccess),
    rest: objects.filter((object) => !isDefinition(object) && !isGateway(object) && !isHistoryAccess(object)),
  };
}
