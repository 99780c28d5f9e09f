import { apiVersion, parseManifest, type PlatformManifest, type Spec } from '../../api';
import { sortedHash } from '../objects/sorted-hash';
import { writtenFields } from '../objects/written-hash';
import { isBuiltInProfile, type PlatformContext } from '../project-context';
import { clusterFactFields, onlyFields, otherPlatformFields, rolloutFields, withoutFields } from './platform-fields';

type Fields = Readonly<Record<string, unknown>>;

/** A revision of a Platform: its name, which its content determines, and its content. */
export interface PlatformRevision {
  readonly name: string;
  readonly spec: Spec<'PlatformRevision'>;
}

/** Prefix of the names of revisions. */
const prefix = 'rev-';

/** Returns the name of a revision with some content; a reader detects a changed content by it. */
export const platformRevisionName = (spec: Spec<'PlatformRevision'>): string => `${prefix}${sortedHash(spec)}`;

/**
 * Returns the revision of a Platform and its profile: all that the objects of workloads depend on, except their own spec and their
 * Project. Fields are without defaults, so that a new version of the library gives no new revision. Pure.
 */
export function platformRevisionOf({
  platform,
  profile,
}: Pick<PlatformContext, 'platform' | 'profile'>): PlatformRevision {
  const { runtime, ...fields } = withoutFields(platform.spec, [...otherPlatformFields, ...clusterFactFields]);
  const shaping = { ...fields, runtime: withoutFields(runtime as Fields, rolloutFields) };
  const spec = {
    profile: {
      name: profile.metadata.name,
      ...(!isBuiltInProfile(profile) && { spec: writtenFields('RuntimeProfile', profile.spec) }),
    },
    platform: writtenFields('Platform', shaping),
  };
  return { name: platformRevisionName(spec), spec };
}

/**
 * Returns the Platform as it is for workloads of a revision, and the profile of the revision, for `resolvePlatform`. Facts of the
 * cluster, such as its version, and fields that shape no workload are those of the present Platform. Throws a `ProblemsError` if
 * this version of the library rejects the content.
 */
export function manifestsOfRevision(
  platform: PlatformManifest<'Platform'>,
  { profile, platform: recorded }: Spec<'PlatformRevision'>,
): readonly PlatformManifest[] {
  // A parsed resource has an empty namespace where a written one has none.
  const { namespace: _, ...metadata } = platform.metadata;
  const { runtime, ...fields } = recorded;
  const present = platform.spec.runtime as Fields;
  const spec = {
    ...fields,
    ...onlyFields(platform.spec, [...otherPlatformFields, ...clusterFactFields]),
    runtime: { ...(runtime as Fields | undefined), ...onlyFields(present, rolloutFields), profile: profile.name },
  };
  const manifests: PlatformManifest[] = [
    parseManifest({ apiVersion, kind: 'Platform', metadata, spec: spec as unknown as Spec<'Platform'> }),
  ];
  if (profile.spec) {
    const head = { apiVersion, kind: 'RuntimeProfile', metadata: { name: profile.name } } as const;
    manifests.push(parseManifest({ ...head, spec: profile.spec as Spec<'RuntimeProfile'> }));
  }
  return manifests;
}
