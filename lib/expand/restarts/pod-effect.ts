import { isPlainObject, metadataKeys, valueAt } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { podSpecOf } from '../objects/pod-spec-of';
import { fieldDifferences, type FieldDifference } from './field-differences';
import { immutableFieldsOf } from './immutable-fields';

/** What a change of an object does to its pods. */
export type PodEffect = keyof typeof podEffects;

/** Whether an effect replaces or removes running pods, and a clause that completes "its pods". */
export const podEffects = {
  created: { restarts: false, pods: 'start' },
  removed: { restarts: true, pods: 'are deleted' },
  restarted: { restarts: true, pods: 'are replaced by a rolling update' },
  replaced: { restarts: true, pods: 'are deleted with their object, which is created again' },
  newRun: { restarts: true, pods: 'are those of a new run' },
  nextRun: { restarts: false, pods: 'keep running; the next run has the change' },
  onDelete: { restarts: false, pods: 'keep running; each has the change once it is deleted' },
  paused: { restarts: false, pods: 'keep running until the rollout resumes' },
  recreated: { restarts: false, pods: 'keep running while their object is created again' },
  suspended: { restarts: false, pods: 'are deleted until the run resumes' },
  scaled: { restarts: false, pods: 'keep running; only their number changes' },
  unchanged: { restarts: false, pods: 'keep running' },
} as const;

/** What a change does to the pods of one object, and the fields of the object that cause it. */
export interface ObjectEffect {
  readonly effect: PodEffect;
  readonly fields: readonly FieldDifference[];
}

/** Kinds that never replace pods which they already have. */
const onDeleteKinds: readonly string[] = ['ReplicaSet', 'ReplicationController'];

/** Returns whether an object has pods: it is one, or has a pod template. */
export const hasPods = (object: KubernetesObject): boolean =>
  object.kind === 'Pod' ? valueAt(object, ['spec', 'containers']) !== undefined : podSpecOf(object) !== undefined;

/** Returns what a change does to the pods of an object that exists before and after it. */
export function effectOn(before: KubernetesObject, after: KubernetesObject): ObjectEffect {
  const pods = fieldDifferences(podsOf(before), podsOf(after), []);
  const immutable = immutableDifferences(before, after);
  const found = (effect: PodEffect, fields: readonly FieldDifference[] = pods): ObjectEffect => ({ effect, fields });
  if (after.kind === 'Job' && pods.length + immutable.length > 0) return found('newRun', [...pods, ...immutable]);
  const selector = immutable.filter(({ path }) => path.startsWith('spec.selector'));
  if (selector.length > 0) return found('replaced', [...selector, ...pods]);
  if (pods.length > 0) return found(rolloutOf(after));
  if (immutable.length > 0) return found('recreated', immutable);
  return scaleOf(before, after);
}

/** Returns how pods follow a change of their template. */
function rolloutOf(object: KubernetesObject): PodEffect {
  const at = (...path: string[]): unknown => valueAt(object, ['spec', ...path]);
  if (object.kind === 'Pod') return 'replaced';
  if (at('jobTemplate') !== undefined) return 'nextRun';
  if (at('updateStrategy', 'type') === 'OnDelete' || onDeleteKinds.includes(object.kind)) return 'onDelete';
  const partition = Number(at('updateStrategy', 'rollingUpdate', 'partition') ?? 0);
  const isHeld = partition > 0 && partition >= Number(at('replicas') ?? 1);
  return at('paused') === true || isHeld ? 'paused' : 'restarted';
}

function scaleOf(before: KubernetesObject, after: KubernetesObject): ObjectEffect {
  const of = (field: string) =>
    fieldDifferences(valueAt(before, ['spec', field]), valueAt(after, ['spec', field]), ['spec', field]);
  const suspended = of('suspend');
  if (after.kind === 'Job' && suspended.length > 0 && valueAt(after, ['spec', 'suspend']) === true)
    return { effect: 'suspended', fields: suspended };
  const scale = [...of('replicas'), ...of('parallelism')];
  return scale.length > 0 ? { effect: 'scaled', fields: scale } : { effect: 'unchanged', fields: [] };
}

function immutableDifferences(before: KubernetesObject, after: KubernetesObject): FieldDifference[] {
  return immutableFieldsOf(after.kind)
    .filter((field) => field !== 'template')
    .flatMap((field) =>
      fieldDifferences(valueAt(before, ['spec', field]), valueAt(after, ['spec', field]), ['spec', field]),
    );
}

/** Annotations of a restart that an operator requested, which a deployment keeps. */
const restartKeys: readonly string[] = [metadataKeys.restart, 'kubectl.kubernetes.io/restartedAt'];

/** Returns what describes the pods of an object, without a restart that an operator requested. */
function podsOf({ kind, spec }: KubernetesObject): unknown {
  if (kind === 'Pod') return { spec };
  const { template, jobTemplate } = (spec ?? {}) as { readonly template?: unknown; readonly jobTemplate?: unknown };
  if (jobTemplate !== undefined) return { spec: { jobTemplate } };
  const metadata = valueAt(template, ['metadata']);
  if (!isPlainObject(metadata) || !isPlainObject(template)) return { spec: { template } };
  const { annotations, ...rest } = metadata;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !restartKeys.includes(key));
  const own = kept.length > 0 ? { ...rest, annotations: Object.fromEntries(kept) } : rest;
  return { spec: { template: { ...template, metadata: own } } };
}
