import { isDeepStrictEqual } from 'node:util';
import { metadataKeys } from '../../api';
import { hookOf } from '../objects/hook-jobs';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { causesOf, type ChangeCause, type ExpansionSource } from './change-causes';
import { type FieldDifference } from './field-differences';
import { effectOn, hasPods, podEffects, type ObjectEffect, type PodEffect } from './pod-effect';

/** One side of a comparison: objects as expanded, or as a cluster stores them. */
export interface ComparedObjects {
  readonly objects: readonly KubernetesObject[];
  /** Workload and context that the objects were expanded from. @default - causes are not traced to inputs */
  readonly source?: ExpansionSource | undefined;
}

/** Options of `podChanges`. */
export interface PodChangeOptions {
  /** Whether to trace causes, which expands the workload once for each changed field. @default true */
  readonly traceCauses?: boolean;
}

/** What a change does to the pods of one object, and why. */
export interface PodChange {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  /** Variant of the workload that the pods belong to. @default - the workload has no variants */
  readonly variant?: string | undefined;
  readonly effect: PodEffect;
  /** Whether running pods are replaced or removed. */
  readonly restarts: boolean;
  /** Fields of the object that cause the effect, such as `spec.template.spec.containers[app].image`. */
  readonly fields: readonly FieldDifference[];
  /** Fields of the workload, Project, Platform and RuntimeProfile behind them; empty if they are not known. */
  readonly causes: readonly ChangeCause[];
}

/**
 * Returns what a change does to the pods of each object that has pods: whether they restart, and because of which fields.
 *
 * Objects are matched by kind, namespace and name. Causes are found by undoing one changed field of the inputs at a time,
 * so both sides need their sources.
 */
export function podChanges(
  before: ComparedObjects,
  after: ComparedObjects,
  { traceCauses = true }: PodChangeOptions = {},
): PodChange[] {
  const earlier = byKey(before.objects);
  const later = byKey(after.objects);
  const keys = [...new Set([...earlier.keys(), ...later.keys()])];
  const changes = keys.map((key) => podChange(earlier.get(key), later.get(key), isSameWork(before, after)));
  if (!traceCauses || !before.source || !after.source || !changes.some(({ effect }) => effect !== 'unchanged'))
    return changes;
  const find = (key: string) => (objects: readonly KubernetesObject[]) =>
    objects.find((object) => keyOf(object) === key);
  const traced = changes.map((change, index) => ({ ...change, find: find(keys[index] ?? '') }));
  const causes = causesOf(before.source, after.source, traced);
  return changes.map((change, index) => ({ ...change, causes: causes[index] ?? [] }));
}

/** Returns the distinct manifests and fields behind changes. */
export function distinctCauses(changes: readonly Pick<PodChange, 'causes'>[]): ChangeCause[] {
  const found = changes.flatMap(({ causes }) => causes);
  return [...new Map(found.map((cause) => [`${cause.object} ${cause.path ?? ''}`, cause])).values()];
}

function podChange(
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
  isSameWorkload: boolean,
): PodChange {
  const { kind, metadata } = (after ?? before) as KubernetesObject;
  const { effect, fields } = pairEffect(before, after, isSameWorkload);
  const restarts = podEffects[effect].restarts && !(effect === 'removed' && isSchedule(before));
  const { namespace, name, labels } = metadata;
  return { kind, namespace, name, variant: labels?.[metadataKeys.variant], effect, restarts, fields, causes: [] };
}

function pairEffect(
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
  isSameWorkload: boolean,
): ObjectEffect {
  if (!before) return { effect: 'created', fields: [] };
  if (!after) return { effect: 'removed', fields: [] };
  const found = effectOn(before, after);
  // A run in progress keeps the Platform and the profile that it started with.
  return found.effect === 'newRun' && isSameWorkload ? { ...found, effect: 'nextRun' } : found;
}

/** Returns whether an object starts pods later, so that it may have none. */
const isSchedule = (object: KubernetesObject | undefined): boolean => object?.kind === 'CronJob';

const isSameWork = (before: ComparedObjects, after: ComparedObjects): boolean =>
  before.source !== undefined &&
  after.source !== undefined &&
  isDeepStrictEqual(before.source.workload.spec, after.source.workload.spec);

const byKey = (objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> =>
  new Map(objects.filter(isTracked).map((object) => [keyOf(object), object]));

/** Returns whether an object has pods that a change may replace; each deployed spec has its own Jobs of hooks. */
const isTracked = (object: KubernetesObject): boolean => hasPods(object) && hookOf(object) === undefined;

const keyOf = ({ kind, metadata: { namespace, name } }: KubernetesObject): string =>
  `${kind}/${namespace ?? ''}/${name}`;
