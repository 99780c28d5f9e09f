import { metadataKeys } from '../../api';
import { hookJobName, hookOf, type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { unchangedObject } from '../run/job-of-attempt';
import { policyWithHooks } from './hook-access';
import { isSuccessFor, hookRunOf } from './hook-attempt';
import { withHistory, type HookRecord } from './hook-record';
import { type HookInput, type HookJob, type HookObjects } from './hook-plan';

/** Kinds of objects that pods need to start, and that change no pod that serves. */
export const neededKinds: ReadonlySet<string> = new Set(['ServiceAccount', 'ConfigMap']);

/**
 * Returns the desired objects while hooks run or have failed: what exists stays as it is, except its number of pods and that
 * hooks reach them, and only what the hook needs is applied. `mayStart` is false while the Job of another attempt ends.
 */
export function gatedObjects(
  { workload, desired, observed }: HookInput,
  jobs: readonly HookJob[],
  record: HookRecord,
  mayStart: boolean,
): HookObjects {
  const needed = desired.filter((object) => neededKinds.has(object.kind) || isOfHooks(object));
  const names = new Set(needed.map(keyOf));
  const { hook, phase, attempt } = record;
  const next = phase === 'Running' && mayStart ? desired.find((object) => hook === hookOf(object)) : undefined;
  const job = next && hook !== undefined ? jobOf(next, hookJobName(workload, hook, attempt), record) : undefined;
  const others = observed.owned.filter(({ kind, name }) => kind !== 'Job' && !names.has(`${kind}/${name}`));
  const scaled = others.flatMap((child) => scaledObject(child, desired, observed.owned) ?? []);
  const policies = others.flatMap((child) => policyWithHooks(workload, child) ?? []);
  const changed = [...needed, ...policies, ...(job ? [job] : []), ...scaled];
  const kept = [...keptJobs(jobs, record.spec), ...others].filter(
    ({ kind, name }) => ![...policies, ...scaled].some((object) => keyOf(object) === `${kind}/${name}`),
  );
  const isKept = (object: KubernetesObject) => kept.some(({ kind, name }) => keyOf(object) === `${kind}/${name}`);
  return unchanged(
    changed.filter((object) => !isKept(object)),
    kept,
  );
}

/** Returns the desired objects once all hooks have succeeded; objects with pods carry the history. */
export function openObjects(
  { desired }: HookInput,
  jobs: readonly HookJob[],
  { spec, history = [] }: HookRecord,
): HookObjects {
  const objects = desired
    .filter((object) => hookOf(object) === undefined)
    .map((object) => withHistory(object, history));
  return unchanged(objects, keptJobs(jobs, spec));
}

/** Returns an existing object with another number of pods, if that is all that changes: a scale needs no hook. */
function scaledObject(
  child: Child,
  desired: readonly KubernetesObject[],
  owned: readonly Child[],
): KubernetesObject | undefined {
  if (!child.scale || child.deleting || owned.some((other) => isScaledBy(child, other))) return undefined;
  const next = desired.find((object) => keyOf(object) === `${child.kind}/${child.name}`);
  const replicas = (next?.['spec'] as { readonly replicas?: number } | undefined)?.replicas;
  if (replicas === undefined || replicas === child.scale.replicas) return undefined;
  const object = unchangedObject(child);
  return { ...object, spec: { ...(object['spec'] as object), replicas } };
}

/** Returns whether an object is an autoscaler of another one. */
function isScaledBy({ kind, name }: Child, autoscaler: Child): boolean {
  if (autoscaler.kind !== 'HorizontalPodAutoscaler') return false;
  const spec = autoscaler.content()['spec'] as
    { readonly scaleTargetRef?: { readonly kind?: string; readonly name?: string } } | undefined;
  // A target that is unknown could be any object.
  return !spec?.scaleTargetRef || (spec.scaleTargetRef.kind === kind && spec.scaleTargetRef.name === name);
}

function unchanged(desired: readonly KubernetesObject[], kept: readonly Child[]): HookObjects {
  const present = kept.filter(({ deleting }) => !deleting);
  return {
    desired: [...desired, ...present.map(unchangedObject)],
    untouched: new Set(present.map(({ kind, name }) => `${kind}/${name}`)),
  };
}

/**
 * Returns the Jobs that are kept: those of the current attempt, those that succeeded for the spec, in case its record is lost,
 * and the last one that failed, for its logs.
 */
function keptJobs(jobs: readonly HookJob[], spec: string): readonly Child[] {
  const failed = jobs
    .filter(({ progress }) => progress.finished?.outcome === 'Failed')
    .sort((a, b) => (b.progress.finished?.at ?? 0) - (a.progress.finished?.at ?? 0));
  return jobs
    .filter((job) => job.isCurrent || job === failed[0] || isSuccessFor(job.child, spec))
    .map(({ child }) => child);
}

/** Returns whether an object is for pods of hooks only, such as their NetworkPolicy; Jobs are chosen one by one. */
const isOfHooks = ({ kind, metadata }: KubernetesObject): boolean =>
  kind !== 'Job' && metadata.labels?.[metadataKeys.hook] !== undefined;

function jobOf(object: KubernetesObject, name: string, record: HookRecord): KubernetesObject {
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, name, annotations: { ...metadata.annotations, [metadataKeys.run]: hookRunOf(record) } },
  };
}

const keyOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;
