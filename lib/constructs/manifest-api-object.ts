import { ApiObject } from 'cdk8s';
import { type Construct } from 'constructs';
import { nativeKinds, isPlatformKind } from '../api';
import { type KubernetesObject } from '../expand';

/** Private fields of cdk8s that show whether an object was changed after its construction. */
interface ChangeableFields {
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
 * Finished object in the tree of an app: an ApiObject like any other for stock synth, Jest snapshots and JSON patches.
 */
export class ManifestApiObject extends ApiObject {
  readonly #isPlaced = true;

  constructor(
    scope: Construct,
    id: string,
    /** The object as created, without the labels of its chart and later changes. */
    readonly object: KubernetesObject,
  ) {
    super(scope, id, object as ConstructorParameters<typeof ApiObject>[2]);
    // A chart's namespace is for namespaced objects.
    if (!isNamespaced(object.kind) && this.metadata.namespace !== undefined) {
      Object.assign(this.metadata, { namespace: undefined });
    }
  }

  /** Returns true for a `ManifestApiObject`; `instanceof` is true for every ApiObject. */
  static isPlaced(object: ApiObject): object is ManifestApiObject {
    return #isPlaced in object;
  }

  /** Returns the object itself if it is unchanged, so that no copy is needed; undefined otherwise. */
  untouched(): KubernetesObject | undefined {
    const { metadata } = this.object;
    const { patches, metadata: now } = this as unknown as ChangeableFields;
    if (patches.length > 0 || now.finalizers.length > 0 || now.ownerReferences.length > 0) return undefined;
    if (now.namespace !== metadata.namespace) return undefined;
    if (!same(now.labels, metadata.labels) || !same(now.annotations, metadata.annotations)) return undefined;
    const added = now._additionalAttributes;
    for (const key of Object.keys(added)) {
      if (key !== 'labels' && key !== 'namespace' && added[key] !== metadata[key as keyof typeof metadata])
        return undefined;
    }
    return this.object;
  }
}

const isNamespaced = (kind: string): boolean =>
  kind in nativeKinds ? nativeKinds[kind as keyof typeof nativeKinds].namespaced : !isPlatformKind(kind);

function same(now: Readonly<Record<string, string>>, made: Readonly<Record<string, string>> | undefined): boolean {
  const keys = Object.keys(now);
  if (keys.length !== (made === undefined ? 0 : Object.keys(made).length)) return false;
  return keys.every((key) => now[key] === made?.[key]);
}
