import { valueAt } from '../../../api';
import { labelsAt } from './fields';
import { importTargetOf } from './kinds/kind-imports';
import { customResourceOf, isCreatedByNative, reasonToLeave } from './left-objects';
import { type NativeObject } from './native-object';
import { templatesOf } from './pod-references';
import { type PeerWorkload } from './related-objects';

/** Returns what creates pods among objects, as peers of a workload; but not what another of them creates. */
export const peerWorkloadsOf = (objects: readonly NativeObject[], own: NativeObject): readonly PeerWorkload[] =>
  objects
    .filter((object) => !isCreatedByNative(object))
    .flatMap((object) => {
      const podLabels = podLabelsOf(object);
      const owner = customResourceOf(object);
      const name = owner ?? object.metadata.name;
      const title = `${object.kind} ${object.metadata.name}`;
      const isImported = owner !== undefined || isSame(object, own) || canBeImported(object);
      return podLabels.length === 0 ? [] : [{ name, title, podLabels, isImported }];
    });

const isSame = (one: NativeObject, other: NativeObject): boolean =>
  one.kind === other.kind && one.metadata.name === other.metadata.name;

function canBeImported(object: NativeObject): boolean {
  const target = importTargetOf(object);
  return target !== undefined && target.unsupported?.(object) === undefined && reasonToLeave(object) === undefined;
}

/** Returns the labels of the pods of each template of an object; those of a Pod are its own. */
const podLabelsOf = (object: NativeObject): PeerWorkload['podLabels'] =>
  object.kind === 'Pod'
    ? [object.metadata.labels ?? {}]
    : templatesOf(object)
        .filter((template) => valueAt(template, ['spec', 'containers']) !== undefined)
        .map((template) => labelsAt(template, 'metadata', 'labels'));
