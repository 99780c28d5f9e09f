import { nativeKinds, type NativeKind, type ObjectMeta } from '../../api';

/** Kubernetes object to apply. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly [field: string]: unknown;
}

/** Metadata of an object without the common metadata of its workload. */
export interface ObjectDraft {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Creates an object of a native kind, with the apiVersion from the table of native kinds. */
export function draftObject(
  kind: NativeKind,
  metadata: ObjectDraft,
  body: Readonly<Record<string, unknown>>,
): KubernetesObject {
  return { apiVersion: nativeKinds[kind].apiVersion, kind, metadata, ...body };
}

const order = new Map<string, number>(Object.keys(nativeKinds).map((kind, index) => [kind, index]));
// PodGroup does not exist in every cluster, so it is not in the table; pods stay pending until their group exists.
order.set('PodGroup', (order.get('Job') ?? 0) - 0.5);

/** Sorts objects in the order in which they are applied: by kind, then by name. */
export function inApplyOrder(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const rank = (object: KubernetesObject) => order.get(object.kind) ?? order.size;
  return [...objects].sort(
    (a, b) => rank(a) - rank(b) || (a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0),
  );
}
