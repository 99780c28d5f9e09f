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
  const namespaceFlag = metadata.namespace === undefined ? '' : ` -n ${metadata.namespace}`;
  const reference = `${native.toLowerCase()}/${metadata.name}`;
  if (name !== metadata.name) return adoptNothing(object, name, `kubectl delete ${reference}${namespaceFlag}`);
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
  return replacingPods(object, replacePods, reference, namespaceFlag);
}

const adoptNothing = ({ kind, metadata }: NativeObject, name: string, deleteCommand: string): Adoption => ({
  adopt: false,
  inPlace: false,
  sentences: [
    `Nothing is adopted: ${name} starts its own pods alongside ${kind} ${metadata.name}, which keeps running.`,
    `Once clients have moved, delete the old one: ${deleteCommand}`,
  ],
});

function replacingPods(
  object: NativeObject,
  replacePods: NonNullable<ImportTarget['replacePods']>,
  reference: string,
  namespaceFlag: string,
): Adoption {
  const { kind, metadata } = object;
  const selector = Object.entries(labelsAt(object, 'spec', 'selector', 'matchLabels')).map(
    ([key, value]) => `${key}=${value}`,
  );
  const chosen = selector.length > 0 ? selector.join(',') : 'an expression';
  const oldPods = [...selector, `!${metadataKeys.workload}`].join(',');
  const orphanCommand = `kubectl delete ${reference}${namespaceFlag} --cascade=orphan`;
  const reason = `${kind} ${metadata.name} selects its pods by ${chosen}. Selectors are immutable and the pods lack pinion's labels, so it cannot be adopted without recreating its pods: as long as it exists, the custom resource waits and reports it.`;
  return {
    adopt: true,
    inPlace: false,
    sentences: [
      reason,
      ...replacePods({ object: reference, orphan: orphanCommand, oldPods, namespace: namespaceFlag }),
    ],
  };
}

/** Returns whether pinion generated the selector, as in workloads deployed from its constructs. */
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
