import { gatewayNamespace, imageProblems, type PlatformManifest, type Problem } from '../../api';
import { gatewayResources, type GatewaySettings } from './gateway-objects';
import { type InstallOptions } from './install-options';

/** Validates what an installation needs for a gateway, or has for one that the Platform does not have. */
export function gatewayInstallProblems(
  { gatewayImage, namespace, documents = [] }: InstallOptions,
  platform: PlatformManifest<'Platform'> | undefined,
): Problem[] {
  const settings = platform?.spec.gateway;
  if (gatewayImage === undefined) return settings ? [withoutImage] : [];
  if (!settings)
    return [
      {
        code: 'invalid-combination',
        path: ['gatewayImage'],
        value: gatewayImage,
        reason: 'is given, but the Platform has no gateway',
        remedy: 'set spec.gateway of the Platform, or omit the image',
      },
    ];
  const isTaken = namespace === gatewayNamespace || documents.some(isProjectOfGateway);
  return [
    ...imageProblems(gatewayImage, ['gatewayImage'], 'gateway'),
    ...duplicateResources(settings),
    ...(isTaken ? [taken] : []),
  ];
}

const isProjectOfGateway = ({ kind, metadata }: NonNullable<InstallOptions['documents']>[number]): boolean =>
  kind === 'Project' && metadata.name === gatewayNamespace;

const taken: Problem = {
  code: 'invalid-combination',
  path: ['gatewayImage'],
  reason: `needs the namespace ${gatewayNamespace} for the gateway alone, because pods in it could use its service account, which can impersonate all others`,
  remedy: 'use another namespace for the controller and for Projects',
};

const withoutImage: Problem = {
  code: 'required',
  path: ['gatewayImage'],
  reason: 'is not given, so the gateway of the Platform is not installed',
  remedy: 'give the image of the gateway (--gateway-image)',
  severity: 'warning',
};

function duplicateResources(settings: GatewaySettings): Problem[] {
  const keyOf = ({ plural, group }: ReturnType<typeof gatewayResources>[number]): string => `${plural}.${group}`;
  const keys = gatewayResources(settings).map(keyOf);
  return gatewayResources(settings).flatMap((resource, index) => {
    if (keys.indexOf(keyOf(resource)) === index) return [];
    const position = index - keys.length + settings.resources.length;
    return [
      {
        code: 'duplicate',
        object: 'Platform cluster',
        path: ['spec', 'gateway', 'resources', position],
        value: settings.resources[position],
        reason: 'is the second version of the same resource',
        remedy: 'keep one of them',
      },
    ];
  });
}
