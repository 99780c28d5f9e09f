import { podChanges, revisionEffectOf, type PodChange, type RevisionEffect } from '../../expand';
import { type LiveObject } from '../../client';
import { type ProjectResult } from '../platform-cache';
import { expandLive } from '../workload-expansion';

interface Entry {
  readonly version: string;
  readonly from: object;
  readonly to: object;
  readonly effect: RevisionEffect;
  /** Changes of its pods. @default - nothing has required them */
  readonly pods?: readonly PodChange[];
}

const unchanged: RevisionEffect = { effect: 'unchanged' };

/** Effects of revisions on workloads, computed once for each pair of revisions and version of a workload. */
export class RevisionEffects {
  readonly #cached = new Map<string, Entry>();

  /** Returns what a move between two contexts does to the objects of a workload, or of its part that was accepted last. */
  of(live: LiveObject, from: ProjectResult, to: ProjectResult, part?: string): RevisionEffect {
    const [before, after] = [identityOf(from), identityOf(to)];
    if (before === after) return unchanged;
    const { uid, generation, labels, annotations } = live.metadata;
    const version = JSON.stringify([generation, labels, annotations, part]);
    const cached = this.#cached.get(uid);
    if (cached?.version === version && cached.from === before && cached.to === after) return cached.effect;
    const effect = effectOf(live, from, to);
    this.#cached.set(uid, { version, from: before, to: after, effect });
    return effect;
  }

  /** Returns what a move between two contexts does to the pods of a workload that is valid at both. */
  podsOf(live: LiveObject, from: ProjectResult, to: ProjectResult, part?: string): readonly PodChange[] {
    if (this.of(live, from, to, part).effect !== 'changed') return [];
    const { uid } = live.metadata;
    const cached = this.#cached.get(uid);
    if (cached?.pods) return cached.pods;
    const pods = podChangesOf(live, from, to);
    if (cached) this.#cached.set(uid, { ...cached, pods });
    return pods;
  }

  /** Returns whether the effect is known without an expansion. */
  isKnown({ metadata: { uid } }: LiveObject, from: ProjectResult, to: ProjectResult): boolean {
    const cached = this.#cached.get(uid);
    const [before, after] = [identityOf(from), identityOf(to)];
    return before === after || (cached?.from === before && cached.to === after);
  }

  /** Drops the state of a deleted workload. */
  forget(uid: string): void {
    this.#cached.delete(uid);
  }
}

const identityOf = (project: ProjectResult): object => ('context' in project ? project.context : project.problems);

function podChangesOf(live: LiveObject, from: ProjectResult, to: ProjectResult): readonly PodChange[] {
  const [before, after] = [expandLive({ live, project: from }), expandLive({ live, project: to })];
  if (!before.objects || !after.objects) return [];
  return podChanges({ objects: before.objects }, { objects: after.objects });
}

const effectOf = (live: LiveObject, from: ProjectResult, to: ProjectResult): RevisionEffect =>
  revisionEffectOf(expandLive({ live, project: from }), expandLive({ live, project: to }));
