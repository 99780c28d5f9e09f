import {
  apiVersion,
  parseManifest,
  ProblemsError,
  type PlatformManifest,
  type PlatformKind,
  type Problem,
} from '../api';
import { resolvePlatform, shortHash, type PlatformContext, type ProjectContext } from '../expand';
import { type LiveObject } from '../kube';
import { parseStoredManifest } from './parse-stored-manifest';

/** Sources of the platform's resources. */
export interface PlatformSources {
  platform(): LiveObject | undefined;
  profile(name: string): LiveObject | undefined;
  project(name: string): LiveObject | undefined;
}

/** Parsed resource, or its problems. */
interface ParsedManifest<K extends PlatformKind> {
  readonly stamp: string;
  readonly document?: PlatformManifest<K>;
  readonly problems: readonly Problem[];
}

/** Context of a workload's expansion, or why there is none. */
export type ProjectResult = { readonly context: ProjectContext } | { readonly problems: readonly Problem[] };

/**
 * Platform resources of the cluster, parsed once per version.
 *
 * Equal manifests return the identical context, so that what expand shares among workloads is shared here too.
 */
export class PlatformCache {
  readonly #sources: PlatformSources;
  readonly #settled = new Map<string, ParsedManifest<PlatformKind>>();
  readonly #clusters = new Map<
    string,
    {
      readonly stamp: string;
      readonly found: { readonly cluster: PlatformContext } | { readonly problems: readonly Problem[] };
    }
  >();
  readonly #contexts = new Map<string, { readonly stamp: string; readonly context: ProjectContext }>();

  constructor(sources: PlatformSources) {
    this.#sources = sources;
  }

  /** Parsed Platform; undefined if it is missing or invalid. */
  get platform(): PlatformManifest<'Platform'> | undefined {
    return this.#settle('Platform', this.#sources.platform())?.document;
  }

  /** Returns the problems of a platform resource. */
  problemsOf(kind: PlatformKind, live: LiveObject): readonly Problem[] {
    return this.#settle(kind, live)?.problems ?? [];
  }

  /** Returns a parsed platform resource; undefined if it is invalid. */
  documentOf<K extends PlatformKind>(kind: K, live: LiveObject): PlatformManifest<K> | undefined {
    return this.#settle(kind, live)?.document;
  }

  /** Returns whether a profile still exists, and has the same content as another one. */
  profileState(profile: string, inForce: string): 'gone' | 'same' | 'other' {
    const one = this.#profile(profile);
    if (!one) return 'gone';
    const other = this.#profile(inForce);
    return other && contentOf(one) === contentOf(other) ? 'same' : 'other';
  }

  /** Returns the cluster with one runtime profile. */
  cluster(profile: string): { readonly cluster: PlatformContext } | { readonly problems: readonly Problem[] } {
    const platform = this.#settle('Platform', this.#sources.platform());
    if (!platform) return { problems: [noPlatform] };
    if (!platform.document) return { problems: platform.problems };
    const live = this.#sources.profile(profile);
    const settled = live && this.#settle('RuntimeProfile', live);
    if (settled && !settled.document) return { problems: settled.problems };
    const stamp = `${platform.stamp} ${settled?.stamp ?? 'built in'}`;
    const known = this.#clusters.get(profile);
    if (known?.stamp === stamp) return known.found;
    const found = attempt([withProfile(platform.document, profile), ...(settled?.document ? [settled.document] : [])]);
    this.#clusters.set(profile, { stamp, found });
    return found;
  }

  /** Returns the context of a project with one runtime profile. */
  context(project: string, profile: string): ProjectResult {
    const found = this.cluster(profile);
    if ('problems' in found) return found;
    const live = this.#sources.project(project);
    const settled = live && this.#settle('Project', live);
    if (settled && !settled.document) return { problems: settled.problems };
    const { cluster } = found;
    if (!settled?.document) return { context: cluster.project(project) };
    const key = `${profile}/${project}`;
    const known = this.#contexts.get(key);
    if (known?.stamp === settled.stamp && known.context.runtime === cluster.runtime) return { context: known.context };
    const { platform, profile: document, runtime } = cluster;
    const context: ProjectContext = { platform, profile: document, runtime, project: settled.document, assumed: [] };
    this.#contexts.set(key, { stamp: settled.stamp, context });
    return { context };
  }

  /** Drops the state of a deleted resource. */
  forget(kind: PlatformKind, name: string): void {
    this.#settled.delete(`${kind}/${name}`);
    if (kind === 'RuntimeProfile') this.#clusters.delete(name);
    for (const key of this.#contexts.keys()) {
      const [profile, project] = key.split('/');
      if ((kind === 'Project' && project === name) || (kind === 'RuntimeProfile' && profile === name))
        this.#contexts.delete(key);
    }
  }

  #profile(name: string): PlatformManifest<'RuntimeProfile'> | undefined {
    const live = this.#sources.profile(name);
    if (live) return this.#settle('RuntimeProfile', live)?.document;
    const found = this.cluster(name);
    return 'cluster' in found ? found.cluster.profile : undefined;
  }

  #settle<K extends PlatformKind>(kind: K, live: LiveObject | undefined): ParsedManifest<K> | undefined {
    if (!live) return undefined;
    const key = `${kind}/${live.metadata.name}`;
    const stamp = `${live.metadata.uid}/${live.metadata.generation ?? live.metadata.resourceVersion}`;
    const known = this.#settled.get(key);
    if (known?.stamp === stamp) return known as ParsedManifest<K>;
    const { manifest, problems } = parseStoredManifest(live);
    const settled = { stamp, problems, ...(manifest && { document: manifest as PlatformManifest<K> }) };
    this.#settled.set(key, settled as ParsedManifest<PlatformKind>);
    return settled;
  }
}

const contentOf = ({ spec }: PlatformManifest<'RuntimeProfile'>): string => shortHash(JSON.stringify(spec));

function withProfile(platform: PlatformManifest<'Platform'>, profile: string): PlatformManifest<'Platform'> {
  if (platform.spec.runtime.profile === profile) return platform;
  const { spec } = platform;
  // A parsed resource has an empty namespace where a written one has none.
  const { namespace: _, ...metadata } = platform.metadata;
  return parseManifest({
    apiVersion,
    kind: 'Platform',
    metadata,
    spec: { ...spec, runtime: { ...spec.runtime, profile } },
  });
}

function attempt(
  documents: readonly PlatformManifest[],
): { readonly cluster: PlatformContext } | { readonly problems: readonly Problem[] } {
  try {
    return { cluster: resolvePlatform(documents) };
  } catch (error) {
    if (error instanceof ProblemsError) return { problems: error.problems };
    throw error;
  }
}

const noPlatform: Problem = {
  code: 'unknown-reference',
  path: [],
  reason: 'requires a Platform, and the cluster has none',
  remedy: 'apply a Platform named cluster',
  object: 'Platform cluster',
};
