import { apiVersion, safeParseManifest, type PlatformManifest, type Workload } from '../../api';
import { blockedEffect, resolveRevision, revisionEffectOf, safeExpand, type RevisionEffect } from '../../expand';
import { type LiveObject } from '../../kube';
import { LruCache } from '../lru-cache';

/** What a move to another revision does; unknown if one of the revisions cannot be read. */
export type MoveEffect = RevisionEffect | { readonly effect: 'unknown' };

/** Source of the Platform, its revisions and projects, parsed. */
interface RevisionSource {
  platform(): PlatformManifest<'Platform'> | undefined;
  revision(name: string): PlatformManifest<'PlatformRevision'> | undefined;
  project(name: string): PlatformManifest<'Project'> | undefined;
}

interface Entry {
  readonly inputs: readonly unknown[];
  readonly effect: MoveEffect;
}

/** Number of workloads whose effects are cached. */
const maxCached = 512;

/** Effects of revisions on workloads, cached until the workload, its Project or the Platform changes. */
export class MoveEffects {
  readonly #cached = new LruCache<Entry>(maxCached);

  constructor(private readonly source: RevisionSource) {}

  /** Returns what a move from a revision to another one does; unknown if one of them cannot be read. */
  of(live: LiveObject, from: string, to: string): MoveEffect {
    const { uid, generation, resourceVersion, labels, annotations, namespace = '' } = live.metadata;
    const version = JSON.stringify([generation ?? resourceVersion, labels, annotations]);
    const inputs = [version, from, to, this.source.platform(), this.source.project(namespace)];
    const cached = this.#cached.get(uid);
    if (cached && inputs.every((input, index) => input === cached.inputs[index])) return cached.effect;
    const effect = this.#effectOf(live, from, to);
    if (effect.effect !== 'unknown') this.#cached.set(uid, { inputs, effect });
    return effect;
  }

  /** Drops the state of a deleted workload. */
  forget(uid: string): void {
    this.#cached.drop(uid);
  }

  #effectOf(live: LiveObject, from: string, to: string): MoveEffect {
    const { kind, metadata, spec } = live;
    const { name, namespace, labels, annotations } = metadata;
    const written = { ...{ name, namespace }, ...(labels && { labels }), ...(annotations && { annotations }) };
    const { manifest, problems } = safeParseManifest({ apiVersion, kind, metadata: written, spec });
    if (!manifest) return blockedEffect(problems);
    const [before, after] = [this.#expand(manifest as Workload, from), this.#expand(manifest as Workload, to)];
    return before && after ? revisionEffectOf(before, after) : { effect: 'unknown' };
  }

  /** Returns undefined if the Platform has no such revision that this version can read. */
  #expand(workload: Workload, name: string): ReturnType<typeof safeExpand> | undefined {
    const { namespace } = workload.metadata;
    const [platform, revision] = [this.source.platform(), this.source.revision(name)];
    if (!platform || !revision) return undefined;
    const project = this.source.project(namespace);
    const result = resolveRevision(platform, { name, spec: revision.spec }, project ? [project] : []);
    return 'cluster' in result ? safeExpand(workload, result.cluster.project(namespace)) : undefined;
  }
}
