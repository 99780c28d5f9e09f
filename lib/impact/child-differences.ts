import { metadataKeys, valueAt } from '../api';
import { appliedObjectHash, firstDifference, type KubernetesObject, type ObjectOwner } from '../expand';
import { type SnapshotObject } from './cluster-snapshot';

/** Objects with pods of a cluster, by their key. */
export type LiveChildren = ReadonlyMap<string, SnapshotObject>;

/** How an object of a cluster differs from what this version of pinion expands. */
export interface ChildDifference {
  /** Its kind and name, such as `Deployment/cart`. */
  readonly object: string;
  readonly kind: string;
  /**
   * `missing`: it does not exist; `pods`: its pods would change; `applied`: something else was applied, and only fields
   * that this version no longer sets could change its pods.
   */
  readonly difference: 'missing' | 'pods' | 'applied';
  /** Field of the pods that differs. */
  readonly path?: string;
}

/** Kinds whose objects follow the spec of a workload; the Jobs of a run keep what they started with. */
const followingKinds: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob'];

/** Returns the key of an object among the children of a cluster. */
export const childKeyOf = ({ kind, metadata: { namespace = '', name } }: SnapshotObject): string =>
  `${kind} ${namespace}/${name}`;

/** Returns how the objects of a workload in a cluster differ from its expansion by this version. */
export function childDifferences(
  objects: readonly KubernetesObject[],
  owner: ObjectOwner,
  children: LiveChildren,
): readonly ChildDifference[] {
  return objects
    .filter(({ kind }) => followingKinds.includes(kind))
    .flatMap((object): ChildDifference[] => {
      const { kind, metadata } = object;
      const child = children.get(childKeyOf(object as SnapshotObject));
      const head = { object: `${kind}/${metadata.name}`, kind };
      if (!child) return [{ ...head, difference: 'missing' }];
      if (isApplied(object, owner, child)) return [];
      const path = firstDifference(podPart(object), podPart(child));
      return [path === undefined ? { ...head, difference: 'applied' } : { ...head, difference: 'pods', path }];
    });
}

/** Returns whether exactly this object was applied; the number of pods may be that of an autoscaler. */
function isApplied(object: KubernetesObject, owner: ObjectOwner, child: SnapshotObject): boolean {
  const applied = child.metadata.annotations?.[metadataKeys.lastAppliedHash];
  if (applied === appliedObjectHash(object, owner)) return true;
  const spec = object['spec'] as Readonly<Record<string, unknown>>;
  if (spec['replicas'] !== undefined) return false;
  const scaled = { ...object, spec: { ...spec, replicas: valueAt(child, ['spec', 'replicas']) } };
  return applied === appliedObjectHash(scaled, owner);
}

/** Returns the part of an object that describes its pods. */
function podPart({ kind, spec }: { readonly kind: string; readonly spec?: unknown }): object {
  const { template, jobTemplate } = (spec ?? {}) as { readonly template?: unknown; readonly jobTemplate?: unknown };
  const jobPods = { spec: { jobTemplate: { spec: { template: valueAt(jobTemplate, ['spec', 'template']) } } } };
  return { kind, ...(jobTemplate === undefined ? { spec: { template } } : jobPods) };
}
