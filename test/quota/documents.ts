import { apiVersion, complete, type Input, type PlatformDocument } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';

/** A completed Project. */
export const project = (name: string, spec: Partial<Input<'Project'>['spec']> = {}): PlatformDocument<'Project'> =>
  complete({ apiVersion, kind: 'Project', metadata: { name }, spec: { team: 'commerce', ...spec } });

/** A completed Platform with the starting quota that is given. */
export const platform = (defaultQuota: Readonly<Record<string, string>>): PlatformDocument<'Platform'> =>
  complete({ ...defaultPlatform, spec: { ...defaultPlatform.spec, defaultQuota } });
