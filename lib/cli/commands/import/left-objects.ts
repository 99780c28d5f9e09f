import { group } from '../../../api';
import { entriesAt, fieldsAt } from './fields';
import { isImportable } from './kinds/native-kinds';
import { type NativeObject } from './native-object';

/** An object that is not imported, and why. */
export interface LeftObject {
  readonly object: NativeObject;
  readonly reason: string;
}

/** Objects of a folder or namespace, by what an import does with them. */
export interface PartedObjects {
  /** Objects that are imported, or belong to those. */
  readonly own: readonly NativeObject[];
  /** Objects that are named with a reason. */
  readonly left: readonly LeftObject[];
}

/**
 * Separates the objects that an import of all workloads leaves alone: those of custom resources and of operators, and
 * Helm hooks. What a native workload or the cluster itself creates is in neither list.
 */
export function partObjects(objects: readonly NativeObject[]): PartedObjects {
  const left: LeftObject[] = [];
  const own = objects.filter((object) => {
    if (isCreatedByCluster(object)) return false;
    const reason = reasonToLeave(object);
    if (reason !== undefined) left.push({ object, reason });
    return reason === undefined && !isCreatedByNative(object);
  });
  return { own, left };
}

/** Kinds whose controllers create other objects, and are imported or kept themselves. */
const nativeOwners = ['ReplicaSet', 'Node', 'Service', 'Certificate'];

const controllerOf = (object: NativeObject) =>
  entriesAt(object, 'metadata', 'ownerReferences').find(({ controller }) => controller === true);

/** Returns whether a native workload or another native object creates an object. */
export function isCreatedByNative(object: NativeObject): boolean {
  const owner = controllerOf(object);
  return owner !== undefined && (isImportable(owner['kind']) || nativeOwners.includes(String(owner['kind'])));
}

/** Returns the name of the custom resource of pinion that an object belongs to. */
export function customResourceOf(object: NativeObject): string | undefined {
  const owner = controllerOf(object);
  return owner !== undefined && String(owner['apiVersion']).startsWith(`${group}/`) ? String(owner['name']) : undefined;
}

/** Returns why an import of all workloads leaves an object alone. */
export function reasonToLeave(object: NativeObject): string | undefined {
  const hook = helmHookOf(object);
  if (hook !== undefined)
    return `is a Helm hook (${hook}), which Helm runs and pinion does not; keep it for Helm, or run it yourself`;
  const owner = controllerOf(object);
  if (owner === undefined || isCreatedByNative(object)) return undefined;
  const title = `${String(owner['kind'])} ${String(owner['name'])}`;
  return customResourceOf(object) !== undefined
    ? `is managed by ${title}, a custom resource of pinion`
    : `belongs to ${title}, whose controller would create it again; import it by its name only if that is deleted`;
}

/** Returns the events at which Helm runs an object; undefined if it is not a hook. */
export const helmHookOf = ({ metadata: { annotations = {} } }: NativeObject): string | undefined =>
  annotations['helm.sh/hook'];

/** Objects that Kubernetes or a mesh creates in every namespace. */
const clusterObjects = [
  'ConfigMap/kube-root-ca.crt',
  'ConfigMap/istio-ca-root-cert',
  'ConfigMap/openshift-service-ca.crt',
  'ServiceAccount/default',
];

const isCreatedByCluster = (object: NativeObject): boolean =>
  clusterObjects.includes(`${object.kind}/${object.metadata.name}`) ||
  ['Endpoints', 'EndpointSlice', 'Event'].includes(object.kind) ||
  fieldsAt(object)['type'] === 'helm.sh/release.v1';
