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
  /** Parts of the sentences that are the same for other workloads. @default - none */
  readonly commonParts?: readonly string[];
}

/** Why a workload is recreated. */
const immutable =
  ". Selectors are immutable and the pods lack pinion's labels, so it cannot be adopted without recreating its pods: as long as it exists, the custom resource waits and reports it";

/** Returns the effect of applying the custom resource on a native workload, its name and its pods. */
export function adoptionOf(object: NativeObject, target: ImportTarget, name: string): Adoption {
  const { kind, replacePods, commonParts = [], isRun } = target;
  const { kind: native, metadata } = object;
  const namespaceFlag = metadata.namespace === undefined ? '' : ` -n ${metadata.namespace}`;
  const reference = `${native.toLowerCase()}/${metadata.name}`;
  if (isRun) return newRun(object, name, `kubectl delete ${reference}${namespaceFlag}`);
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
  const newLabels = `${metadataKeys.kind}=${kind} ${metadataKeys.workload}=${labelOf(name)}`;
  return replacingPods(object, { replacePods, commonParts }, { reference, namespaceFlag, newLabels });
}

/** A run cannot change. */
const newRun = ({ kind, metadata }: NativeObject, name: string, deleteCommand: string): Adoption => ({
  adopt: false,
  inPlace: false,
  sentences: [
    `Nothing is adopted: ${kind} ${metadata.name} cannot change, and ${name} is a new run that starts from the beginning when this file is applied.`,
    `${name === metadata.name ? 'Objects of the same names block it until they are deleted' : 'Once the old run is not needed'}: ${deleteCommand}`,
  ],
});

const adoptNothing = ({ kind, metadata }: NativeObject, name: string, deleteCommand: string): Adoption => ({
  adopt: false,
  inPlace: false,
  sentences: [
    `Nothing is adopted: ${name} starts its own pods alongside ${kind} ${metadata.name}, which keeps running.`,
    `Once clients have moved, delete the old one: ${deleteCommand}`,
  ],
});

type Replacement = Required<Pick<ImportTarget, 'replacePods' | 'commonParts'>>;

function replacingPods(
  object: NativeObject,
  { replacePods, commonParts }: Replacement,
  { reference, namespaceFlag, newLabels }: Readonly<Record<'reference' | 'namespaceFlag' | 'newLabels', string>>,
): Adoption {
  const { kind, metadata } = object;
  const selector = Object.entries(labelsAt(object, 'spec', 'selector', 'matchLabels')).map(
    ([key, value]) => `${key}=${value}`,
  );
  const chosen = selector.length > 0 ? selector.join(',') : 'an expression';
  const oldPods = [...selector, `!${metadataKeys.workload}`].join(',');
  const orphanCommand = `kubectl delete ${reference}${namespaceFlag} --cascade=orphan`;
  const reason = `${kind} ${metadata.name} selects its pods by ${chosen}${immutable}.`;
  return {
    adopt: true,
    inPlace: false,
    sentences: [
      reason,
      ...replacePods({ object: reference, orphan: orphanCommand, oldPods, newLabels, namespace: namespaceFlag }),
    ],
    commonParts: [immutable, ...commonParts],
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
