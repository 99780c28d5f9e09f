import { isDeepStrictEqual } from 'node:util';
import { ProblemsError, type PlatformManifest } from '../api';
import { resolvePlatform, type PlatformContext } from '../expand';
import { type PlatformImpact } from './platform-impact';
import { writesOf } from './object-writes';

type Profile = PlatformManifest<'RuntimeProfile'>;

/** Returns profiles whose spec the later side edits in place; the API server refuses that. */
export function refusedProfiles(before: PlatformContext, after: PlatformContext): readonly PlatformImpact[] {
  return editedProfiles(before, after).map(({ metadata }) => ({
    owner: `RuntimeProfile ${metadata.name}`,
    changed: [],
    writes: writesOf([]),
    reason: 'spec is immutable; create a profile with another name and name it in the Platform',
  }));
}

/** Returns the later side with the profiles that a cluster has after the change: those of the earlier side stay as they are. */
export function withStoredProfiles(before: PlatformContext, after: PlatformContext): PlatformContext {
  const stored = editedProfiles(before, after);
  if (stored.length === 0) return after;
  const replaced = new Set(stored.map(({ metadata }) => metadata.name));
  const profiles = [...after.profiles.filter(({ metadata }) => !replaced.has(metadata.name)), ...stored];
  try {
    const { profile, runtime } = resolvePlatform([after.platform, ...profiles]);
    return { ...after, profile, runtime, profiles, project: (name) => ({ ...after.project(name), profile, runtime }) };
  } catch (error) {
    // The later Platform fits only to the edited profile.
    if (error instanceof ProblemsError) return after;
    throw error;
  }
}

/** Returns the earlier versions of the profiles that the later side has with another spec. */
function editedProfiles(before: PlatformContext, after: PlatformContext): readonly Profile[] {
  const later = new Map(after.profiles.map((profile) => [profile.metadata.name, profile]));
  return before.profiles.filter(({ metadata, spec }) => {
    const other = later.get(metadata.name);
    return other !== undefined && !isDeepStrictEqual(spec, other.spec);
  });
}
