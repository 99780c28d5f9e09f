import { apiVersion, parseManifest, type PlatformManifest, type Status } from '../../api';

/** Runtime profiles of a cluster, in the status of its Platform. */
export type RuntimeStatus = NonNullable<Status<'Platform'>['runtime']>;

/**
 * Returns a Platform as it is for workloads with a profile: if it is not the one in force, with the images and values that were
 * recorded for it.
 */
export const platformWithProfile = (
  platform: PlatformManifest<'Platform'>,
  profile: string,
  status: Pick<RuntimeStatus, 'settings'> | undefined,
): PlatformManifest<'Platform'> =>
  platform.spec.runtime.profile === profile ? platform : platformAsRecorded(platform, profile, status);

/** Returns a Platform with a profile, and the images and values that were recorded for it. */
export function platformAsRecorded(
  { metadata: { namespace: _, ...metadata }, spec }: PlatformManifest<'Platform'>,
  profile: string,
  status: Pick<RuntimeStatus, 'settings'> | undefined,
): PlatformManifest<'Platform'> {
  // A parsed resource has an empty namespace where a written one has none.
  return parseManifest({
    apiVersion,
    kind: 'Platform',
    metadata,
    spec: { ...spec, runtime: { ...spec.runtime, profile, ...status?.settings?.[profile] } },
  });
}
