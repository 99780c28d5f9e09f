import { type KubernetesObject } from '@pinion-platform/pinion';
import { apiVersion, type ManifestInput } from '@pinion-platform/pinion/api';
import { addOnVersion, type AddOnName } from '../add-ons/add-ons';
import { highestTier, ownPool } from '../config/platform-manifest';
import { type PlatformStackConfig } from '../config/platform-stack-config';

type Kind = 'PinterestService' | 'PinterestDaemon';

/** Returns a workload of the platform with the version of its add-on. */
export const platformWorkload = <K extends Kind>(
  config: PlatformStackConfig,
  addOn: AddOnName,
  kind: K,
  namespace: string,
  name: string,
  spec: ManifestInput<K>['spec'],
): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  spec: { version: addOnVersion(addOn, config.kubernetesVersion), ...spec },
});

/** Returns common fields of services of the platform: the highest tier, and a pool that always has nodes. */
export function importantService(config: PlatformStackConfig): { tier?: string; placement: { pool?: string } } {
  const tier = highestTier(config);
  const pool = ownPool(config);
  return { ...(tier !== undefined && { tier }), placement: { ...(pool !== undefined && { pool }) } };
}

/** Restricted security context of a container. */
export const restrictedSecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};

/** Returns the restricted security context of a pod. */
export const unprivileged = (user: number) => ({
  runAsNonRoot: true,
  runAsUser: user,
  runAsGroup: user,
  fsGroup: user,
  seccompProfile: { type: 'RuntimeDefault' as const },
});
