import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../api';
import { hookOf, immutableFieldsOf, type KubernetesObject } from '../expand';

/** Requests of the controller that change objects, by verb; writes of statuses and events are not among them. */
export interface WriteCounts {
  /** Server-side applies, which create objects, too. */
  readonly patch: number;
  readonly delete: number;
  /** ConfigMaps that are deleted once no revision refers to them. */
  readonly deleteLater: number;
  /** Applies that record a change which a running Job cannot take; only the first such change of a Job needs one. */
  readonly patchOnce: number;
}

/** No writes. */
export const noWrites: WriteCounts = { patch: 0, delete: 0, deleteLater: 0, patchOnce: 0 };

/** Object that a change creates, changes or removes. */
export interface ChangedObject {
  /** Its kind and name, such as `Deployment/cart`. */
  readonly object: string;
  readonly change: 'created' | 'changed' | 'removed' | 'replaced' | 'removedLater' | 'kept';
}

/** Fields whose change has the controller delete and create an object. */
const replacedFields: Readonly<Record<string, readonly (readonly string[])[]>> = {
  RoleBinding: [['roleRef']],
  PriorityClass: [['value'], ['preemptionPolicy']],
  StatefulSet: immutableFieldsOf('StatefulSet').map((field) => ['spec', field]),
};

/** Returns the objects that differ between two expansions; Jobs of hooks are not among them. */
export function changedObjects(
  before: readonly KubernetesObject[],
  after: readonly KubernetesObject[],
): readonly ChangedObject[] {
  const [earlier, later] = [byKey(before), byKey(after)];
  const changed = [...later].flatMap(([key, object]): ChangedObject[] => {
    const one = earlier.get(key);
    if (!one) return [{ object: titleOf(object), change: 'created' }];
    return isDeepStrictEqual(one, object) ? [] : [{ object: titleOf(object), change: changeOf(one, object) }];
  });
  const removed = [...earlier].flatMap(([key, object]): ChangedObject[] =>
    later.has(key) ? [] : [{ object: titleOf(object), change: removalOf(object) }],
  );
  return [...changed, ...removed];
}

/** Returns the writes that change objects. */
export function writesOf(changed: readonly ChangedObject[]): WriteCounts {
  const count = (...changes: readonly ChangedObject['change'][]): number =>
    changed.filter(({ change }) => changes.includes(change)).length;
  return {
    patch: count('created', 'changed', 'replaced'),
    delete: count('removed', 'replaced'),
    deleteLater: count('removedLater'),
    patchOnce: count('kept'),
  };
}

/** Adds the writes of several objects. */
export const sumOfWrites = (all: readonly WriteCounts[]): WriteCounts => ({
  patch: sum(all.map(({ patch }) => patch)),
  delete: sum(all.map((one) => one.delete)),
  deleteLater: sum(all.map(({ deleteLater }) => deleteLater)),
  patchOnce: sum(all.map(({ patchOnce }) => patchOnce)),
});

/** Returns how the controller changes the Job of a run in progress, whose pods stay. */
export const changeOfRunningJob = (before: KubernetesObject, after: KubernetesObject): ChangedObject['change'] =>
  isDeepStrictEqual(mutablePart(before), mutablePart(after)) ? 'kept' : 'changed';

function mutablePart({ metadata, spec, ...others }: KubernetesObject): unknown {
  const fields = Object.entries(spec ?? {}).filter(([name]) => !immutableFieldsOf('Job').includes(name));
  return { ...others, metadata, spec: Object.fromEntries(fields) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const changeOf = (before: KubernetesObject, after: KubernetesObject): ChangedObject['change'] =>
  (replacedFields[after.kind] ?? []).some((path) => !isDeepStrictEqual(valueAt(before, path), valueAt(after, path)))
    ? 'replaced'
    : 'changed';

/** Pods of earlier revisions may still start with a ConfigMap that is named by its content. */
const removalOf = ({ kind }: KubernetesObject): ChangedObject['change'] =>
  kind === 'ConfigMap' ? 'removedLater' : 'removed';

const byKey = (objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> =>
  new Map(objects.filter((object) => hookOf(object) === undefined).map((object) => [keyOf(object), object]));

const keyOf = ({ kind, metadata: { namespace = '', name } }: KubernetesObject): string =>
  `${kind}/${namespace}/${name}`;

const titleOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;
