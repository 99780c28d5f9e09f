import { isDeepStrictEqual } from 'node:util';
import { ProblemsError, type PlatformManifest } from '../api';
import { resolvePlatform, type PlatformContext } from '../expand';
import { recordedProfile } from './document-facts';
import { type ImpactSide } from './impact-side';
import { writesOf } from './object-writes';
import { type PlatformImpact } from './platform-impact';

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

/**
 * Returns the later side with the profiles that a cluster has after the change: those of the earlier side stay as they are, also
 * without a manifest, because nothing is deleted that workloads use.
 */
export function withStoredProfiles(before: PlatformContext, after: PlatformContext): PlatformContext {
  const stored = [...editedProfiles(before, after), ...missingProfiles(before, after)];
  if (stored.length === 0) return after;
  const replaced = new Set(stored.map(({ metadata }) => metadata.name));
  const profiles = [...stored, ...after.profiles.filter(({ metadata }) => !replaced.has(metadata.name))];
  try {
    const { profile, runtime } = resolvePlatform([after.platform, ...profiles]);
    return { ...after, profile, runtime, profiles, project: (name) => ({ ...after.project(name), profile, runtime }) };
  } catch (error) {
    // The later Platform fits only to the edited profile.
    if (error instanceof ProblemsError) return after;
    throw error;
  }
}

/** Returns what is assumed of the profiles, one line each. */
export function profileNotes(before: ImpactSide, after: ImpactSide): readonly string[] {
  const { profile } = before.cluster.platform.spec.runtime;
  const inUse = new Set([profile, ...before.workloads.map(recordedProfile)]);
  const missing = missingProfiles(before.cluster, after.cluster).filter(({ metadata }) => inUse.has(metadata.name));
  const isOfFiles = before.time === undefined && before.runtime === undefined;
  const isMoved = profile !== after.cluster.platform.spec.runtime.profile;
  return [
    ...missing.map(
      ({ metadata: { name } }) =>
        `RuntimeProfile ${name} is missing in ${after.label}; keep its manifest until no workload has it`,
    ),
    ...(isOfFiles && isMoved
      ? ['with files a way back to a former profile is not recognized; use --live or --snapshot']
      : []),
  ];
}

const missingProfiles = (before: PlatformContext, after: PlatformContext): readonly Profile[] => {
  const later = new Set(after.profiles.map(({ metadata }) => metadata.name));
  return before.profiles.filter(({ metadata }) => !later.has(metadata.name));
};

/** Returns the earlier versions of the profiles that the later side has with another spec. */
function editedProfiles(before: PlatformContext, after: PlatformContext): readonly Profile[] {
  const later = new Map(after.profiles.map((profile) => [profile.metadata.name, profile]));
  return before.profiles.filter(({ metadata, spec }) => {
    const other = later.get(metadata.name);
    return other !== undefined && !isDeepStrictEqual(spec, other.spec);
  });
}
