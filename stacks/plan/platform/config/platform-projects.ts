import { apiVersion, type ManifestInput } from '@pinion-platform/pinion/api';
import { maxPlannedNodes } from './cluster-bounds';
import { highestTier } from './platform-manifest';
import { platformAccounts, platformProjects, type CloudAccount } from './platform-accounts';
import { type PlatformStackConfig } from './platform-stack-config';
import { volumeDriverPaths } from '../add-ons/volume-driver-node';

/** Maximum requests of an add-on pod, injected containers included. */
const podResources = { cpu: 1, memoryGib: 2 };

/** Returns the infrastructure projects of the platform's components, with quotas and the host access that they need. */
export function platformProjectManifests(config: PlatformStackConfig): ManifestInput<'Project'>[] {
  const tier = highestTier(config);
  const project = (
    name: string,
    pods: number,
    more: Partial<ManifestInput<'Project'>['spec']> = {},
  ): ManifestInput<'Project'> => ({
    apiVersion,
    kind: 'Project',
    metadata: { name },
    spec: {
      team: config.team,
      infrastructure: true,
      quota: quota(pods),
      ...(iamRoles(name, config).length > 0 && { iamRoles: iamRoles(name, config) }),
      ...(tier !== undefined && { tiers: [tier] }),
      ...more,
    },
  });
  const nodes = maxPlannedNodes(config);
  return [
    project(platformProjects.storage, nodes * 2 + 8, {
      podSecurity: 'privileged',
      host: { privileged: true, paths: volumeDriverPaths },
    }),
    project(platformProjects.scaling, 16),
    project(platformProjects.ingress, 64),
  ];
}

/** Returns the IAM roles of the programs in a project. */
const iamRoles = (project: string, { roles }: PlatformStackConfig): string[] =>
  (Object.keys(platformAccounts) as CloudAccount[])
    .filter((account) => platformAccounts[account].namespace === project)
    .flatMap((account) => roles[account] ?? []);

/** Returns a quota of pods and their resources only; the components have no claims. */
const quota = (pods: number): Record<string, string> => ({
  pods: String(pods),
  'requests.cpu': String(pods * podResources.cpu),
  'requests.memory': `${pods * podResources.memoryGib}Gi`,
  'limits.memory': `${pods * podResources.memoryGib * 2}Gi`,
});
