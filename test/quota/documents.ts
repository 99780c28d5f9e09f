import { apiVersion, parseManifest, type ManifestInput, type PlatformManifest } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';

/** A completed Project. */
export const project = (
  name: string,
  spec: Partial<ManifestInput<'Project'>['spec']> = {},
): PlatformManifest<'Project'> =>
  parseManifest({ apiVersion, kind: 'Project', metadata: { name }, spec: { team: 'commerce', ...spec } });

/** A completed Platform with the starting quota that is given. */
export const platform = (defaultQuota: Readonly<Record<string, string>>): PlatformManifest<'Platform'> =>
  parseManifest({ ...defaultPlatform, spec: { ...defaultPlatform.spec, defaultQuota } });
