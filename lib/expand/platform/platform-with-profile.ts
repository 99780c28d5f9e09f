import { apiVersion, parseManifest, type PlatformManifest, type Status } from '../../api';

/** Runtime profiles of a cluster, in the status of its Platform. */
export type RuntimeStatus = NonNullable<Status<'Platform'>['runtime']>;

/**
 * Returns a Platform as it is for workloads with a profile: if it is not the one in force, with the images and values that were
 * recorded for it.
 */
export function platformWithProfile(
  platform: PlatformManifest<'Platform'>,
  profile: string,
  status: Pick<RuntimeStatus, 'settings'> | undefined,
): PlatformManifest<'Platform'> {
  const { spec } = platform;
  if (spec.runtime.profile === profile) return platform;
  // A parsed resource has an empty namespace where a written one has none.
  const { namespace: _, ...metadata } = platform.metadata;
  return parseManifest({
    apiVersion,
    kind: 'Platform',
    metadata,
    spec: { ...spec, runtime: { ...spec.runtime, profile, ...status?.settings?.[profile] } },
  });
}
