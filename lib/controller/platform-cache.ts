import { isDeepStrictEqual } from 'node:util';
import { type PlatformManifest, type PlatformKind, type Problem, type Status } from '../api';
import {
  claimedNames,
  knownProjectRevision,
  platformAsRecorded,
  platformWithProfile,
  projectAtRevision,
  projectRevisionOf,
  projectRevisionsOf,
  ProjectNameOwnership,
  resolveRevision,
  shortHash,
  tryResolvePlatform,
  uncontestedNames,
  unknownRevision,
  type ClusterResult,
  type OwnedProjectNames,
  type ProjectClaim,
  type ProjectContext,
  type RuntimeStatus,
} from '../expand';
import { type LiveObject } from '../client';
import { parseStoredManifest } from './parse-stored-manifest';

/** Sources of the platform's resources. */
export interface PlatformSources {
  platform(): LiveObject | undefined;
  profile(name: string): LiveObject | undefined;
  revision(name: string): LiveObject | undefined;
  project(name: string): LiveObject | undefined;
  projects(): readonly LiveObject[];
}

type Runtime = Pick<PlatformManifest<'Platform'>['spec']['runtime'], 'profile' | 'images' | 'values'>;

/** Parsed resource, or its problems. */
interface ParsedManifest<K extends PlatformKind> {
  readonly version: string;
  readonly manifest?: PlatformManifest<K>;
  readonly problems: readonly Problem[];
}

/** Context of a workload's expansion, or the problems that prevent it. */
export type ProjectResult = { readonly context: ProjectContext } | { readonly problems: readonly Problem[] };

/**
 * Platform resources of the cluster, parsed once per version.
 *
 * Equal manifests return the identical context, so that workloads share what expand caches per context.
 */
export class PlatformCache {
  readonly #sources: PlatformSources;
  readonly #parsed = new Map<string, ParsedManifest<PlatformKind>>();
  readonly #clusters = new Map<
    string,
    {
      readonly version: string;
      readonly result: ClusterResult;
    }
  >();
  readonly #contexts = new Map<
    string,
    { readonly version: string; readonly names: OwnedProjectNames['names']; readonly context: ProjectContext }
  >();
  /** Owners of names, for what a Platform gives to every Project. */
  #owners:
    | {
        readonly key: string;
        readonly platform: PlatformManifest<'Platform'>;
        readonly ownership: ProjectNameOwnership;
      }
    | undefined;

  constructor(sources: PlatformSources) {
    this.#sources = sources;
  }

  /** Parsed Platform; undefined if it is missing or invalid. */
  get platform(): PlatformManifest<'Platform'> | undefined {
    return this.#parse('Platform', this.#sources.platform())?.manifest;
  }

  /** Returns the problems of a platform resource. */
  problemsOf(kind: PlatformKind, live: LiveObject): readonly Problem[] {
    return this.#parse(kind, live)?.problems ?? [];
  }

  /** Returns a parsed platform resource; undefined if it is invalid. */
  manifestOf<K extends PlatformKind>(kind: K, live: LiveObject): PlatformManifest<K> | undefined {
    return this.#parse(kind, live)?.manifest;
  }

  /** Returns whether a profile still exists, and has the same content and settings as the current one. */
  profileState(
    profile: string,
    { profile: currentProfile, images, values }: Runtime,
  ): 'missing' | 'same' | 'different' {
    const candidate = this.#profile(profile);
    if (!candidate) return 'missing';
    const current = this.#profile(currentProfile);
    const settings = runtimeStatusOf(this.#sources.platform())?.settings?.[profile] ?? { images, values };
    return current && contentOf(candidate) === contentOf(current) && isDeepStrictEqual(settings, { images, values })
      ? 'same'
      : 'different';
  }

  /** Returns the cluster with one runtime profile. */
  cluster(profile: string): ClusterResult {
    return this.#clusterWith(profile, false);
  }

  /**
   * Returns the cluster as the status of the Platform records it, with the profile, images and values from before the present spec;
   * undefined if it records none.
   */
  recordedCluster(): ClusterResult | undefined {
    const profile = runtimeStatusOf(this.#sources.platform())?.profile;
    return profile === undefined ? undefined : this.#clusterWith(profile, true);
  }

  #clusterWith(profile: string, isRecorded: boolean): ClusterResult {
    const livePlatform = this.#sources.platform();
    const platform = this.#parse('Platform', livePlatform);
    if (!platform) return { problems: [noPlatform] };
    if (!platform.manifest) return { problems: platform.problems };
    const live = this.#sources.profile(profile);
    const parsed = live && this.#parse('RuntimeProfile', live);
    if (parsed && !parsed.manifest) return { problems: parsed.problems };
    const status = runtimeStatusOf(livePlatform);
    const isCurrent = platform.manifest.spec.runtime.profile === profile;
    const settings = isCurrent && !isRecorded ? undefined : status?.settings?.[profile];
    const key = isRecorded ? `recorded ${profile}` : profile;
    const version = `${platform.version} ${parsed?.version ?? 'built in'} ${JSON.stringify(settings)}`;
    const cached = this.#clusters.get(key);
    if (cached?.version === version) return cached.result;
    const { manifest } = platform;
    const withProfile = isRecorded ? platformAsRecorded : platformWithProfile;
    const result = tryResolvePlatform(() => [
      withProfile(manifest, profile, status),
      ...(parsed?.manifest ? [parsed.manifest] : []),
    ]);
    this.#clusters.set(key, { version, result });
    return result;
  }

  /** Returns the runtime profile of a revision; undefined if the revision is missing or invalid. */
  profileOfRevision(name: string): string | undefined {
    const live = this.#sources.revision(name);
    return live && this.#parse('PlatformRevision', live)?.manifest?.spec.profile.name;
  }

  /** Returns the context of a project with one runtime profile. */
  context(project: string, profile: string): ProjectResult {
    // Until the revisions of a Platform that gets rollouts are recorded, what they are to move stays as it is.
    const isAwaited = this.platform?.spec.rollouts !== undefined && !revisionsIn(this.#sources.platform());
    return isAwaited
      ? this.#contextOf(project, `recorded ${profile}`, this.#clusterWith(profile, true))
      : this.#contextOf(project, profile, this.cluster(profile));
  }

  /**
   * Returns the context of a project at a revision of the Platform, and of the Project; at its present one without, or if its status
   * does not know the revision.
   */
  contextAt(project: string, revision: string, projectRevision?: string): ProjectResult {
    return this.#contextOf(project, `at ${revision}`, this.#clusterAt(revision), projectRevision);
  }

  #clusterAt(revision: string): ClusterResult {
    const livePlatform = this.#sources.platform();
    const platform = this.#parse('Platform', livePlatform);
    if (!platform) return { problems: [noPlatform] };
    const { manifest } = platform;
    if (!manifest) return { problems: platform.problems };
    const live = this.#sources.revision(revision);
    const parsed = this.#parse('PlatformRevision', live);
    if (!parsed) return { problems: [unknownRevision(revision, 'does not exist')] };
    if (!parsed.manifest) return { problems: parsed.problems };
    const { spec } = parsed.manifest;
    const key = `at ${revision}`;
    const version = `${platform.version} ${parsed.version}`;
    const cached = this.#clusters.get(key);
    if (cached?.version === version) return cached.result;
    const result = resolveRevision(manifest, { name: revision, spec });
    this.#clusters.set(key, { version, result });
    return result;
  }

  #contextOf(project: string, profile: string, result: ClusterResult, projectRevision?: string): ProjectResult {
    if ('problems' in result) return result;
    const live = this.#sources.project(project);
    const parsed = live && this.#parse('Project', live);
    if (parsed && !parsed.manifest) return { problems: parsed.problems };
    const { platform, profile: profileManifest, runtime, ...cluster } = result.cluster;
    const present = parsed?.manifest ?? cluster.project(project).project;
    const { names } = this.namesOf(present, platform);
    const isPresent = projectRevision === undefined || projectRevisionOf(present).name === projectRevision;
    const recorded = isPresent ? undefined : knownProjectRevision(projectRevisionsOf(live), projectRevision);
    const manifest = recorded ? projectAtRevision(present, recorded) : present;
    const key = [profile, project, ...(recorded ? [recorded.name] : [])].join('/');
    const version = parsed?.version ?? 'none';
    const cached = this.#contexts.get(key);
    if (cached?.version === version && cached.context.runtime === runtime && isDeepStrictEqual(cached.names, names))
      return { context: cached.context };
    const context: ProjectContext = {
      platform,
      profile: profileManifest,
      runtime,
      ...names,
      project: manifest,
      assumed: [],
    };
    this.#contexts.set(key, { version, names, context });
    return { context };
  }

  /** Returns the names of a Project, and those that it claims and an older one has. */
  namesOf(project: PlatformManifest<'Project'>, platform: PlatformManifest<'Platform'>): OwnedProjectNames {
    if (!this.#sources.project(project.metadata.name))
      return { names: uncontestedNames(project, platform), conflicts: [] };
    return this.#ownership(platform).of(project.metadata.name);
  }

  /** Records a changed or deleted Project; returns the other Projects whose names may have changed with it. */
  projectChanged(name: string): readonly string[] {
    if (!this.#owners) return [];
    const { ownership, platform } = this.#owners;
    const live = this.#sources.project(name);
    return live ? ownership.set(claimOf(live, platform)) : ownership.delete(name);
  }

  #ownership(platform: PlatformManifest<'Platform'>): ProjectNameOwnership {
    // Every reconcile asks.
    if (this.#owners?.platform === platform) return this.#owners.ownership;
    const key = JSON.stringify(claimedNames('', { hosts: [], iamRoles: [] }, platform));
    const ownership =
      this.#owners?.key === key
        ? this.#owners.ownership
        : new ProjectNameOwnership(this.#sources.projects().map((live) => claimOf(live, platform)));
    this.#owners = { key, platform, ownership };
    return ownership;
  }

  /** Drops the state of a deleted resource. */
  forget(kind: PlatformKind, name: string): void {
    this.#parsed.delete(`${kind}/${name}`);
    if (kind === 'RuntimeProfile') for (const key of [name, `recorded ${name}`]) this.#clusters.delete(key);
    if (kind === 'PlatformRevision') this.#clusters.delete(`at ${name}`);
    for (const key of this.#contexts.keys()) {
      const [profile, project] = key.split('/');
      const isOfRevision = kind === 'PlatformRevision' && profile === `at ${name}`;
      if (
        isOfRevision ||
        (kind === 'Project' && project === name) ||
        (kind === 'RuntimeProfile' && (profile === name || profile === `recorded ${name}`))
      )
        this.#contexts.delete(key);
    }
  }

  #profile(name: string): PlatformManifest<'RuntimeProfile'> | undefined {
    const live = this.#sources.profile(name);
    if (live) return this.#parse('RuntimeProfile', live)?.manifest;
    const result = this.cluster(name);
    return 'cluster' in result ? result.cluster.profile : undefined;
  }

  #parse<K extends PlatformKind>(kind: K, live: LiveObject | undefined): ParsedManifest<K> | undefined {
    if (!live) return undefined;
    const key = `${kind}/${live.metadata.name}`;
    const version = `${live.metadata.uid}/${live.metadata.generation ?? live.metadata.resourceVersion}`;
    const cached = this.#parsed.get(key);
    if (cached?.version === version) return cached as ParsedManifest<K>;
    const { manifest, problems } = parseStoredManifest(live);
    const parsed = { version, problems, ...(manifest && { manifest: manifest as PlatformManifest<K> }) };
    this.#parsed.set(key, parsed as ParsedManifest<PlatformKind>);
    return parsed;
  }
}

/** Returns the claims of a Project, even if it is invalid, so that no other Project takes its names. */
function claimOf({ metadata, spec }: LiveObject, platform: PlatformManifest<'Platform'>): ProjectClaim {
  const { name, uid, creationTimestamp } = metadata;
  const { hosts, iamRoles } = (spec ?? {}) as { readonly hosts?: unknown; readonly iamRoles?: unknown };
  const listed = { hosts: textsIn(hosts), iamRoles: textsIn(iamRoles) };
  const age = { uid, ...(creationTimestamp !== undefined && { created: creationTimestamp }) };
  return { project: name, ...claimedNames(name, listed, platform), ...age };
}

const textsIn = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];

const contentOf = ({ spec }: PlatformManifest<'RuntimeProfile'>): string => shortHash(JSON.stringify(spec));

/** Returns the runtime profiles that a Platform has recorded. */
const runtimeStatusOf = (platform: LiveObject | undefined): RuntimeStatus | undefined =>
  (platform?.['status'] as Status<'Platform'> | undefined)?.runtime;

const revisionsIn = (platform: LiveObject | undefined): Status<'Platform'>['revisions'] =>
  (platform?.['status'] as Status<'Platform'> | undefined)?.revisions;

const noPlatform: Problem = {
  code: 'unknown-reference',
  path: [],
  reason: 'requires a Platform, and the cluster has none',
  remedy: 'apply a Platform named cluster',
  object: 'Platform cluster',
};
