import { nativeKinds, type NativeKind, type ObjectMeta } from '../../api';

/** An object as the API server takes it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly [field: string]: unknown;
}

/** What varies of an object's metadata before the names and labels of its workload are set. */
export interface ObjectDraft {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Makes an object of a native kind, its apiVersion from the table of kinds. */
export function draftObject(
  kind: NativeKind,
  metadata: ObjectDraft,
  body: Readonly<Record<string, unknown>>,
): KubernetesObject {
  return { apiVersion: nativeKinds[kind].apiVersion, kind, metadata, ...body };
}

const order = new Map<string, number>(Object.keys(nativeKinds).map((kind, index) => [kind, index]));
// Not in every cluster, so not in the table; pods wait for the group that they name.
order.set('PodGroup', (order.get('Job') ?? 0) - 0.5);

/** The order in which objects are applied: by kind, then by name. */
export function inApplyOrder(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const rank = (object: KubernetesObject) => order.get(object.kind) ?? order.size;
  return [...objects].sort(
    (a, b) => rank(a) - rank(b) || (a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0),
  );
}
