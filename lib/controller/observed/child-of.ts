import { group, isPlainObject, metadataKeys, manager, recommended } from '../../api';
import { type LiveObject, type ManagedFields, type OwnerReference } from '../../kube';
import { type Child, type ScaleFacts } from './child';
import { contentDigest } from './content-digest';
import { packText, unpackText } from './packed-text';

type Fields = Readonly<Record<string, unknown>>;

/** A child whose content lies packed beside it. */
class PackedChild implements Child {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly deleting: boolean;
  declare readonly controller?: OwnerReference;
  declare readonly workload?: { readonly kind: string; readonly label: string };
  declare readonly managedBy?: string;
  declare readonly applied?: string;
  declare readonly run?: string;
  declare readonly managers?: readonly string[];
  declare readonly scale?: ScaleFacts;
  readonly digest: string;
  readonly status: Fields;
  /** Packed JSON of the content; undefined where the object has another owner. */
  readonly #packed: string | undefined;

  constructor(object: LiveObject) {
    const { metadata } = object;
    const controller = metadata.ownerReferences?.find((owner) => owner.controller);
    const managedBy = metadata.labels?.[recommended.managedBy];
    const text = JSON.stringify(contentOf(object));
    this.kind = object.kind;
    this.name = metadata.name;
    this.namespace = metadata.namespace ?? '';
    this.uid = metadata.uid;
    this.resourceVersion = metadata.resourceVersion;
    this.generation = metadata.generation ?? 0;
    this.deleting = metadata.deletionTimestamp !== undefined;
    this.digest = contentDigest(text);
    const ours = isOurs(object, controller);
    this.status = ours ? statusOf(object['status']) : {};
    this.#packed = ours ? packText(text) : undefined;
    const scale = ours ? scaleOf(object) : undefined;
    const { [metadataKeys.lastAppliedHash]: applied, [metadataKeys.run]: run } = metadata.annotations ?? {};
    // Fields that most children lack are not set at all: there are tens of thousands of them.
    const workload = workloadOf(metadata.labels);
    const rest = {
      controller,
      workload,
      managedBy,
      applied,
      run,
      scale,
      managers: ours ? undefined : managersOf(object),
    };
    Object.assign(this, Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)));
  }

  content(): LiveObject {
    if (this.#packed === undefined) return this.#bare();
    const object = JSON.parse(unpackText(this.#packed)) as LiveObject;
    const { metadata } = object;
    const annotations =
      this.applied === undefined
        ? metadata.annotations
        : { ...metadata.annotations, [metadataKeys.lastAppliedHash]: this.applied };
    const { uid, resourceVersion, generation } = this;
    return {
      ...object,
      metadata: { ...metadata, uid, resourceVersion, generation, ...(annotations && { annotations }) },
    };
  }

  #bare(): LiveObject {
    const { kind, name, namespace, uid, resourceVersion } = this;
    return { apiVersion: '', kind, metadata: { name, ...(namespace && { namespace }), uid, resourceVersion } };
  }
}

/**
 * What the controller keeps of a native object; the transform of its informers.
 *
 * Of objects that pinion neither made nor owns no content is kept: their `content()` is their place alone.
 */
export const childOf = (object: LiveObject): Child => new PackedChild(object);

function workloadOf(labels: LiveObject['metadata']['labels']): Child['workload'] {
  const { [metadataKeys.kind]: kind, [metadataKeys.workload]: label } = labels ?? {};
  return kind === undefined || label === undefined ? undefined : { kind, label };
}

const isOurs = ({ metadata }: LiveObject, controller: OwnerReference | undefined): boolean =>
  metadata.labels?.[recommended.managedBy] === manager ||
  // Claims of a StatefulSet carry the labels of its selector and no other.
  metadata.labels?.[metadataKeys.workload] !== undefined ||
  controller?.apiVersion.startsWith(`${group}/`) === true;

/** What of an object says how it should be, always in the same order. */
function contentOf({ metadata, status: _, ...body }: LiveObject & { readonly status?: unknown }): object {
  const { managedFields, resourceVersion, generation, uid, creationTimestamp, annotations, ...kept } = metadata;
  void [managedFields, resourceVersion, generation, uid, creationTimestamp];
  const { [metadataKeys.lastAppliedHash]: applied, ...others } = annotations ?? {};
  void applied;
  return {
    ...body,
    metadata: { ...kept, ...(annotations && Object.keys(others).length > 0 && { annotations: others }) },
  };
}

/** Parts of status that change often or are large, and that are not used. */
const unasked = new Set(['currentMetrics', 'uncountedTerminatedPods', 'managedFields']);

function statusOf(status: unknown): Fields {
  if (!isPlainObject(status)) return {};
  const kept = Object.entries(status).filter(([field]) => !unasked.has(field));
  return kept.length === Object.keys(status).length ? status : Object.fromEntries(kept);
}

/** Whether a managed field entry is that of our server-side apply. */
export const isOurEntry = ({ manager: name, operation, subresource }: ManagedFields): boolean =>
  name === manager && operation === 'Apply' && subresource === undefined;

function scaleOf({ kind, spec, metadata }: LiveObject & { readonly spec?: unknown }): ScaleFacts | undefined {
  if (kind !== 'Deployment' && kind !== 'StatefulSet') return undefined;
  const owners = (metadata.managedFields ?? []).filter((entry) => ownsReplicas(entry.fieldsV1));
  return {
    replicas: Number((spec as Fields | undefined)?.['replicas'] ?? 1),
    ours: owners.some(isOurEntry),
    others: owners.some((entry) => !isOurEntry(entry)),
  };
}

const ownsReplicas = (fields: Fields | undefined): boolean => {
  const spec = fields?.['f:spec'];
  return isPlainObject(spec) && spec['f:replicas'] !== undefined;
};

/** Who wrote an object, without those who only report its status. */
const managersOf = ({ metadata }: LiveObject): readonly string[] => [
  ...new Set((metadata.managedFields ?? []).filter((entry) => !entry.subresource).map((entry) => entry.manager)),
];
