import { apiVersion, type ManifestInput } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';

/** A runtime profile without parts: other controllers add nothing to pods either. */
const bareProfile: ManifestInput<'RuntimeProfile'> = {
  apiVersion,
  kind: 'RuntimeProfile',
  metadata: { name: 'bare-1' },
  spec: { version: '1.0.0', summary: 'Only the workload itself.', parts: [] },
};

const { defaultQuota: _, ...platformSpec } = defaultPlatform.spec;

/** The platform of comparisons with other controllers: no parts in pods, and no limiting quota. */
export const barePlatform: readonly [ManifestInput<'RuntimeProfile'>, ManifestInput<'Platform'>] = [
  bareProfile,
  { ...defaultPlatform, spec: { ...platformSpec, runtime: { profile: bareProfile.metadata.name } } },
];
