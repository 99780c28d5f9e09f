import { ProblemsError, type PlatformManifest, type Problem } from '../../api';
import { resolvePlatform, type PlatformContext } from '../project-context';
import { manifestsOfRevision, platformRevisionName, type PlatformRevision } from './platform-revision';

/** A cluster at one revision, or with one runtime profile, or the problems that prevent it. */
export type ClusterResult = { readonly cluster: PlatformContext } | { readonly problems: readonly Problem[] };

/** Returns the Platform and the profile as they are for workloads of a revision, with the given Projects. Pure. */
export function resolveRevision(
  platform: PlatformManifest<'Platform'>,
  { name, spec }: PlatformRevision,
  projects: readonly PlatformManifest<'Project'>[] = [],
): ClusterResult {
  if (platformRevisionName(spec) !== name)
    return { problems: [unknownRevision(name, 'does not have the content that its name stands for')] };
  return tryResolvePlatform(() => [...manifestsOfRevision(platform, spec), ...projects]);
}

/** Resolves manifests of the platform; returns the problems if they are inconsistent. */
export function tryResolvePlatform(manifests: () => readonly PlatformManifest[]): ClusterResult {
  try {
    return { cluster: resolvePlatform(manifests()) };
  } catch (error) {
    if (error instanceof ProblemsError) return { problems: error.problems };
    throw error;
  }
}

/** Returns the problem of a workload whose revision cannot be used for a reason. */
export const unknownRevision = (name: string, reason: string): Problem => ({
  code: 'unknown-reference',
  path: [],
  value: name,
  reason: `follows a PlatformRevision that ${reason}`,
  remedy: 'restore it from a backup; its objects stay as they are until then',
  object: `PlatformRevision ${name}`,
});
