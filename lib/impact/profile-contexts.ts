import { isDeepStrictEqual } from 'node:util';
import { ProblemsError, type PlatformManifest } from '../api';
import {
  platformWithProfile,
  resolvePlatform,
  type PlatformContext,
  type ProjectContext,
  type RuntimeStatus,
} from '../expand';

/** Contexts of the projects of a cluster, with any of its runtime profiles and the settings that were recorded for it. */
export class ProfileContexts {
  private readonly clusters = new Map<string, PlatformContext | undefined>();
  private readonly contexts = new Map<string, ProjectContext>();

  constructor(
    private readonly cluster: PlatformContext,
    private readonly recorded: RuntimeStatus,
  ) {}

  /** Returns the context of a project with a runtime profile; undefined if the cluster lacks the profile or rejects it. */
  of(project: string, profile: string): ProjectContext | undefined {
    const key = `${profile}/${project}`;
    const known = this.contexts.get(key);
    if (known) return known;
    const cluster = this.withProfile(profile);
    if (!cluster) return undefined;
    const { platform, profile: manifest, runtime } = cluster;
    const current = this.cluster.project(project);
    const context = cluster === this.cluster ? current : { ...current, platform, profile: manifest, runtime };
    this.contexts.set(key, context);
    return context;
  }

  /** Returns whether the cluster has a profile, and with the same content and settings as the current one. */
  stateOf(profile: string): 'missing' | 'same' | 'different' {
    const found = this.withProfile(profile);
    if (!found) return 'missing';
    return isDeepStrictEqual(profileInputs(found), profileInputs(this.cluster)) ? 'same' : 'different';
  }

  private withProfile(name: string): PlatformContext | undefined {
    const { platform, profiles } = this.cluster;
    if (name === platform.spec.runtime.profile) return this.cluster;
    if (this.clusters.has(name)) return this.clusters.get(name);
    const found = tryResolve(() => [
      platformWithProfile(platform, name, this.recorded),
      ...profiles.filter(({ metadata }) => metadata.name === name),
    ]);
    this.clusters.set(name, found);
    return found;
  }
}

const profileInputs = ({ profile, platform }: PlatformContext): readonly unknown[] => {
  const { images, values } = platform.spec.runtime;
  return [profile.spec, images, values];
};

function tryResolve(manifests: () => readonly PlatformManifest[]): PlatformContext | undefined {
  try {
    return resolvePlatform(manifests());
  } catch (error) {
    if (error instanceof ProblemsError) return undefined;
    throw error;
  }
}

/** Returns whether two contexts expand every workload alike. */
export function isSameContext(one: ProjectContext, other: ProjectContext): boolean {
  if (one === other) return true;
  const known = sameContexts.get(one)?.get(other);
  if (known !== undefined) return known;
  const isSame = isDeepStrictEqual(contentOf(one), contentOf(other));
  const byOther = sameContexts.get(one) ?? new WeakMap<ProjectContext, boolean>();
  sameContexts.set(one, byOther.set(other, isSame));
  return isSame;
}

const sameContexts = new WeakMap<ProjectContext, WeakMap<ProjectContext, boolean>>();

/** The runtime follows from the Platform and the profile; an expansion does not depend on when workloads move to a profile. */
function contentOf({ runtime: _, platform, ...context }: ProjectContext): object {
  const { rollout: __, rolloutDeadline: ___, canary: ____, ...runtime } = platform.spec.runtime;
  return { ...context, platform: { ...platform, spec: { ...platform.spec, runtime } } };
}
