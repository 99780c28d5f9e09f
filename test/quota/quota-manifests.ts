import { apiVersion, parseManifest, type ManifestInput, type PlatformManifest } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';

/** Returns a parsed Project. */
export const project = (
  name: string,
  spec: Partial<ManifestInput<'Project'>['spec']> = {},
): PlatformManifest<'Project'> =>
  parseManifest({ apiVersion, kind: 'Project', metadata: { name }, spec: { team: 'commerce', ...spec } });

/** Returns a parsed Platform with the given starting quota. */
export const platform = (defaultQuota: Readonly<Record<string, string>>): PlatformManifest<'Platform'> =>
  parseManifest({ ...defaultPlatform, spec: { ...defaultPlatform.spec, defaultQuota } });
