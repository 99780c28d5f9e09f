/** Metadata of a stored object. */
export interface LiveMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  /** Version of the object; versions of one resource compare as integers. */
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFields[];
}

/** Owner of an object; `controller` marks the managing owner. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Fields that one field manager owns. */
export interface ManagedFields {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

/** Object as the API server stores it. */
export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: LiveMetadata;
  readonly [field: string]: unknown;
}

/** Object to send, without the fields that the server adds. */
export interface SentObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
  readonly [field: string]: unknown;
}

/** Returns the key of an object within its resource: `namespace/name`, or the name of a cluster-scoped object. */
export const keyOf = ({
  metadata,
}: {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}): string => (metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name);
