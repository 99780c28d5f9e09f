import { apiVersion } from '../api';
import { isProtectedProject, type KubernetesObject, type ProjectContext } from '../expand';
import { childDifferences, type ChildDifference, type LiveChildren } from './child-differences';
import { type ImpactDocument } from './impact-side';
import { writesOf, type ChangedObject } from './object-writes';
import { type ObjectImpact, type WorkloadImpact } from './workload-impact';

/** Returns how the objects of a cluster differ from their expansion by this version, or why this is not known. */
export function storedDifferences(
  { kind, metadata: { uid, name } }: ImpactDocument,
  objects: readonly KubernetesObject[],
  context: ProjectContext,
  { children, isHeld }: { readonly children: LiveChildren | undefined; readonly isHeld: boolean },
): readonly ChildDifference[] | string {
  if (!children || uid === undefined) return [];
  const found = childDifferences(objects, { apiVersion, kind, name, uid }, children);
  const [first] = found;
  if (first && isProtectedProject(context))
    return `${first.object} differs from its spec; in a protected project it follows the verified one`;
  const missing = found.find(({ difference }) => difference === 'missing');
  if (missing) return `${missing.object} does not exist in the cluster`;
  // The record of a held workload says that its pods differ.
  if (isHeld) return found;
  const other = found.find(({ difference }) => difference === 'applied');
  return other && !found.some(({ difference }) => difference === 'pods')
    ? `${other.object} was applied by another version, or with other inputs; this version may remove fields of its pods`
    : found;
}

/** Adds the pods that change because this version expands them differently from the one that applied them. */
export function withStoredDifferences(impact: WorkloadImpact, stored: readonly ChildDifference[]): WorkloadImpact {
  const pods = stored.filter(({ difference }) => difference === 'pods');
  if (pods.length === 0) return impact;
  const restarts = impact.outcome === 'restarts' || pods.some(({ kind }) => kind !== 'CronJob');
  const known = new Set(impact.changed.map(({ object }) => object));
  const written = pods.filter(({ object }) => !known.has(object));
  const changed = [...impact.changed, ...written.map(({ object }): ChangedObject => ({ object, change: 'changed' }))];
  const objects = pods.map(({ object, kind, path = '' }): ObjectImpact => ({
    ...{ object, fields: [path], isLater: false },
    effect: kind === 'CronJob' ? 'nextRun' : 'restarted',
  }));
  return {
    ...impact,
    outcome: restarts ? 'restarts' : 'waits',
    ...(!restarts && { waitsFor: impact.waitsFor ?? 'run' }),
    objects: [...impact.objects, ...objects],
    changed,
    writes: writesOf(changed),
    causes: [...impact.causes, ...pods.map(({ object, path }) => `this version of pinion (${object} ${path})`)],
  };
}
