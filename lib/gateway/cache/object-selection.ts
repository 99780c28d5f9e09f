import { type CachedObject } from './cached-object';
import { type FieldSelector } from '../selectors/field-selector';
import { type LabelSelector } from '../selectors/label-selector';

/** Which objects of a resource a read asks for. */
export interface ObjectSelection {
  /** @default - all namespaces */
  readonly namespace: string | undefined;
  /** Whether it asks for all objects of the resource. */
  readonly isAll: boolean;
  /** Whether it asks for some objects of its namespaces only. */
  readonly isSelective: boolean;
  /** Returns whether it asks for an object. */
  matches(object: CachedObject): boolean;
}

/** Returns the selection of a namespace, labels and fields; without any of them, of all objects. */
export function selectionOf(
  namespace: string | undefined,
  labels: LabelSelector | undefined,
  fields: FieldSelector | undefined,
): ObjectSelection {
  const isSelective = labels !== undefined || fields !== undefined;
  return {
    namespace,
    isAll: namespace === undefined && !isSelective,
    isSelective,
    matches: (object) =>
      (namespace === undefined || object.namespace === namespace) &&
      (fields === undefined || fields.matches(object.fields)) &&
      (labels === undefined || labels(object.labels)),
  };
}
