/** Metadata as the API server keeps it. */
export interface LiveMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  /** Version of the object; versions of one resource compare as whole numbers. */
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

/** Who owns an object; with `controller` the one owner that manages it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Which fields one manager owns, as the API server notes them. */
export interface ManagedFields {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

/** An object as the API server holds it. */
export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: LiveMetadata;
  readonly [field: string]: unknown;
}

/** An object to send: what a person or a door writes, without what the server adds. */
export interface SentObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
  readonly [field: string]: unknown;
}

/** Key of an object within its resource: `namespace/name`, or the name alone where it has no namespace. */
export const keyOf = ({
  metadata,
}: {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}): string => (metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name);
