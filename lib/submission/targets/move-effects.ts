import { isDeepStrictEqual } from 'node:util';
import {
  apiVersion,
  explainProblem,
  isError,
  ProblemsError,
  redactProblem,
  safeParseManifest,
  type PlatformManifest,
  type Problem,
  type Workload,
} from '../../api';
import {
  manifestsOfRevision,
  platformRevisionName,
  resolvePlatform,
  safeExpand,
  type KubernetesObject,
} from '../../expand';
import { type LiveObject } from '../../kube';
import { LruCache } from '../lru-cache';

/** What the move to another revision does to the objects of a workload. */
export type MoveEffect =
  { readonly effect: 'unchanged' | 'changed' | 'unknown' } | { readonly effect: 'blocked'; readonly message: string };

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
    if (!manifest) return blockedBy(problems);
    const [before, after] = [this.#expand(manifest as Workload, from), this.#expand(manifest as Workload, to)];
    if (!before || !after) return { effect: 'unknown' };
    if (after.problems.some(isError)) return blockedBy(after.problems);
    return { effect: isDeepStrictEqual(before.objects, after.objects) ? 'unchanged' : 'changed' };
  }

  /** Returns undefined if the Platform has no such revision that this version can read. */
  #expand(workload: Workload, name: string): Expansion | undefined {
    const { namespace } = workload.metadata;
    const [platform, revision] = [this.source.platform(), this.source.revision(name)];
    if (!platform || !revision || platformRevisionName(revision.spec) !== name) return undefined;
    const project = this.source.project(namespace);
    try {
      const manifests = [...manifestsOfRevision(platform, revision.spec), ...(project ? [project] : [])];
      return safeExpand(workload, resolvePlatform(manifests).project(namespace));
    } catch (error) {
      if (error instanceof ProblemsError) return undefined;
      throw error;
    }
  }
}

interface Expansion {
  readonly objects?: readonly KubernetesObject[];
  readonly problems: readonly Problem[];
}

const blockedBy = (problems: readonly Problem[]): MoveEffect => ({
  effect: 'blocked',
  message: problems.filter(isError).map(redactProblem).map(explainProblem).join('\n'),
});
