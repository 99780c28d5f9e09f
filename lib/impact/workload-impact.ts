import { type Workload, type WorkloadKind } from '../api';
import { type PodChange, type PodEffect } from '../expand';
import { type ChangedObject, type WriteCounts } from './object-writes';
import { type ImpactWait } from './profile-choice';

/** What a change means for a workload, by its worst effect. */
export type ImpactOutcome =
  'restarts' | 'waits' | 'blocked' | 'unknown' | 'created' | 'removed' | 'changes' | 'unchanged';

/** Workload as an impact names it. */
export interface ImpactSubject {
  readonly project: string;
  readonly team: string;
  readonly tier: string;
  readonly kind: string;
  readonly name: string;
}

/** What a change does to the pods of an object of a workload. */
export interface ObjectImpact {
  /** Its kind and name, such as `Deployment/cart`. */
  readonly object: string;
  readonly effect: PodEffect;
  /** Fields of the object that differ. */
  readonly fields: readonly string[];
  /** Whether it waits, as the workload says for what, or happens in a rollout. */
  readonly isLater: boolean;
}

/** What a change means for a workload, and why. */
export interface WorkloadImpact extends ImpactSubject {
  readonly outcome: ImpactOutcome;
  /** Number of its pods that restart, at most: autoscaled ones at their maximum. @default - none, or one on each node */
  readonly pods?: number;
  readonly objects: readonly ObjectImpact[];
  /** Objects that the controller writes. */
  readonly changed: readonly ChangedObject[];
  readonly writes: WriteCounts;
  /** Fields that cause the effects, such as `Platform cluster spec.environment`. */
  readonly causes: readonly string[];
  readonly waitsFor?: ImpactWait;
  /** Wave of the rollout that moves it. @default - no rollout moves it */
  readonly wave?: string;
  /** Time after which its pods restart even without a deployment, such as `14d`. @default - they do not */
  readonly within?: string;
  /** Profiles of its pods before and after; `later` once it no longer waits. @default - the profile stays */
  readonly profile?: { readonly before: string; readonly after: string; readonly later?: string };
  /** Why it is blocked or unknown. */
  readonly reason?: string;
}

/** Effects that reach the pods later, and what each waits for. */
const waitingEffects: Readonly<Partial<Record<PodEffect, ImpactWait>>> = {
  nextRun: 'run',
  onDelete: 'podDeletion',
  paused: 'resume',
  suspended: 'resume',
};

/** Returns what the pods of a workload wait for, of the effects of a change; undefined if they do not wait. */
export const waitOf = (changes: readonly PodChange[]): ImpactWait | undefined =>
  changes.flatMap(({ effect }) => waitingEffects[effect] ?? [])[0];

/** Returns the subject of an impact. */
export const subjectOf = (
  { kind, metadata, spec }: Workload<WorkloadKind>,
  defaults: { readonly team: string; readonly tier: string },
): ImpactSubject => ({
  project: metadata.namespace,
  team: spec.team ?? defaults.team,
  tier: spec.tier ?? defaults.tier,
  kind,
  name: metadata.name,
});

/** Returns what a change does to the objects whose pods it affects. */
export const objectImpacts = (changes: readonly PodChange[], isLater: boolean): ObjectImpact[] =>
  changes
    .filter(({ effect }) => effect !== 'unchanged')
    .map(({ kind, name, effect, fields }) => ({
      object: `${kind}/${name}`,
      effect,
      fields: fields.map(({ path }) => path),
      isLater,
    }));
