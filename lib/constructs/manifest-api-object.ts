import { ApiObject } from 'cdk8s';
import { type Construct } from 'constructs';
import { nativeKinds, isPlatformKind } from '../api';
import { type KubernetesObject } from '../expand';

/** Private fields of cdk8s that reveal whether an object was changed after its construction. */
interface MutableFields {
  readonly patches: readonly unknown[];
  readonly metadata: {
    readonly namespace?: string;
    readonly finalizers: readonly unknown[];
    readonly ownerReferences: readonly unknown[];
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly _additionalAttributes: Readonly<Record<string, unknown>>;
  };
}

/**
 * Complete object in the tree of an app. Stock synthesis, Jest snapshots and JSON patches handle it like any ApiObject.
 */
export class ManifestApiObject extends ApiObject {
  readonly #isManifestApiObject = true;

  constructor(
    scope: Construct,
    id: string,
    /** The object as created, without labels from its chart or later changes. */
    readonly object: KubernetesObject,
  ) {
    super(scope, id, object as ConstructorParameters<typeof ApiObject>[2]);
    // A chart's namespace applies only to namespaced objects.
    if (!isNamespaced(object.kind) && this.metadata.namespace !== undefined) {
      Object.assign(this.metadata, { namespace: undefined });
    }
  }

  /** Replaces the content of the object, but not its metadata; later patches and metadata still apply. */
  replaceContent(object: KubernetesObject): void {
    // cdk8s renders the private field.
    Object.assign(this, { object, props: object });
  }

  /** Returns true for a `ManifestApiObject`; `instanceof` is true for every ApiObject. */
  static isManifestApiObject(object: ApiObject): object is ManifestApiObject {
    return #isManifestApiObject in object;
  }

  /** Returns the object itself if it was not changed after creation, which saves a copy; undefined otherwise. */
  unmodifiedObject(): KubernetesObject | undefined {
    const { metadata } = this.object;
    const { patches, metadata: current } = this as unknown as MutableFields;
    if (patches.length > 0 || current.finalizers.length > 0 || current.ownerReferences.length > 0) return undefined;
    if (current.namespace !== metadata.namespace) return undefined;
    if (!isSameMap(current.labels, metadata.labels) || !isSameMap(current.annotations, metadata.annotations))
      return undefined;
    const additional = current._additionalAttributes;
    for (const key of Object.keys(additional)) {
      if (key !== 'labels' && key !== 'namespace' && additional[key] !== metadata[key as keyof typeof metadata])
        return undefined;
    }
    return this.object;
  }
}

const isNamespaced = (kind: string): boolean =>
  kind in nativeKinds ? nativeKinds[kind as keyof typeof nativeKinds].namespaced : !isPlatformKind(kind);

function isSameMap(
  current: Readonly<Record<string, string>>,
  original: Readonly<Record<string, string>> | undefined,
): boolean {
  const keys = Object.keys(current);
  if (keys.length !== (original === undefined ? 0 : Object.keys(original).length)) return false;
  return keys.every((key) => current[key] === original?.[key]);
}
