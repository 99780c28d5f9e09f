import { metadataKeys, valueAt, type WorkloadKind } from '../../../api';
import { labelOf } from '../../../expand';
import { fieldsAt, isSame, labelsAt } from './fields';
import { type ImportTarget } from './kinds/kind-imports';
import { type NativeObject } from './native-object';

/** Whether and how pinion can adopt a native workload. */
export interface Adoption {
  /** Whether the custom resource sets `adopt: true`. */
  readonly adopt: boolean;
  /** Whether the pods keep running when the resource is applied. */
  readonly inPlace: boolean;
  readonly sentences: readonly string[];
}

/** Returns the effect of applying the custom resource on a native workload, its name and its pods. */
export function adoptionOf(object: NativeObject, { kind, replacePods }: ImportTarget, name: string): Adoption {
  const { kind: native, metadata } = object;
  const place = metadata.namespace === undefined ? '' : ` -n ${metadata.namespace}`;
  const it = `${native.toLowerCase()}/${metadata.name}`;
  if (name !== metadata.name) return besideIt(object, name, `kubectl delete ${it}${place}`);
  if (!replacePods)
    return {
      adopt: true,
      inPlace: true,
      sentences: [`The ${native} and its name are kept. Active runs finish unchanged; pinion creates the next run.`],
    };
  if (hasPinionSelector(object, kind, name))
    return {
      adopt: true,
      inPlace: true,
      sentences: [
        `The ${native} and its name are kept, and its selector already matches pinion's: pods are replaced only if this changes them.`,
      ],
    };
  return replacingPods(object, replacePods, it, place);
}

const besideIt = ({ kind, metadata }: NativeObject, name: string, end: string): Adoption => ({
  adopt: false,
  inPlace: false,
  sentences: [
    `Nothing is adopted: ${name} starts its own pods beside ${kind} ${metadata.name}, which keeps running.`,
    `Once clients have moved, delete the old one: ${end}`,
  ],
});

function replacingPods(
  object: NativeObject,
  replacePods: NonNullable<ImportTarget['replacePods']>,
  it: string,
  place: string,
): Adoption {
  const { kind, metadata } = object;
  const selector = Object.entries(labelsAt(object, 'spec', 'selector', 'matchLabels')).map(
    ([key, value]) => `${key}=${value}`,
  );
  const chosen = selector.length > 0 ? selector.join(',') : 'an expression';
  const old = [...selector, `!${metadataKeys.workload}`].join(',');
  const first = `kubectl delete ${it}${place} --cascade=orphan`;
  const why = `${kind} ${metadata.name} selects its pods by ${chosen}. A selector cannot change and the pods lack pinion's labels, so it cannot be adopted without new pods: as long as it exists, the custom resource waits and reports it.`;
  return {
    adopt: true,
    inPlace: false,
    sentences: [why, ...replacePods({ object: it, orphan: first, oldPods: old, namespace: place })],
  };
}

/** Returns whether the selector is one that pinion generates, as in workloads deployed from its constructs. */
function hasPinionSelector(object: NativeObject, kind: WorkloadKind, name: string): boolean {
  const selector = fieldsAt(object, 'spec', 'selector');
  const labels = labelsAt(selector, 'matchLabels');
  return (
    valueAt(selector, ['matchExpressions']) === undefined &&
    isSame(
      Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)),
      Object.entries({ [metadataKeys.kind]: kind, [metadataKeys.workload]: labelOf(name) }).sort(([a], [b]) =>
        a < b ? -1 : 1,
      ),
    )
  );
}
