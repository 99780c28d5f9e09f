import { group, isPlainObject, isWorkloadKind, metadataKeys, manager, recommended } from '../../api';
import { contentDigest, ingressRoutesOf, podTemplateSpecOf, type ServedRoute } from '../../expand';
import { type LiveObject, type ManagedFields, type OwnerReference } from '../../client';
import { type Child, type ScaleFacts } from './child';
import { packText, unpackText } from './packed-text';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Maximum compressed size of a cached ConfigMap. Anyone with write access to a project may create ConfigMaps with pinion's
 * labels that do not compress, so that their contents would fill the memory of the controller.
 */
const maxPackedConfigMap = 32 * 1024;

/** Child with compressed content. */
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
  declare readonly expansion?: string;
  declare readonly profile?: string;
  declare readonly run?: string;
  declare readonly managers?: readonly string[];
  declare readonly routes?: readonly ServedRoute[];
  declare readonly scale?: ScaleFacts;
  declare readonly isPartial?: boolean;
  readonly digest: string;
  readonly status: Fields;
  /** Compressed JSON of the content; undefined if the object has another owner or is too large. */
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
    const isManaged = isManagedByPinion(object, controller);
    this.status = isManaged ? statusOf(object['status']) : {};
    const packed = isManaged ? packText(text) : undefined;
    const isPartial = packed !== undefined && object.kind === 'ConfigMap' && packed.length > maxPackedConfigMap;
    this.#packed = isPartial ? undefined : packed;
    const scale = isManaged ? scaleOf(object) : undefined;
    const { [metadataKeys.lastAppliedHash]: applied, [metadataKeys.run]: run } = metadata.annotations ?? {};
    // Fields that most children lack are omitted: there are tens of thousands of children.
    const workload = workloadOf(metadata.labels);
    const rest = {
      controller,
      workload,
      managedBy,
      applied,
      expansion: managedBy === manager ? expansionOf(object) : undefined,
      profile: isManaged ? profileOf(object) : undefined,
      run,
      routes: routesOf(object, controller),
      scale,
      isPartial: isPartial || undefined,
      managers: isManaged ? undefined : managersOf(object),
    };
    Object.assign(this, Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)));
  }

  content(): LiveObject {
    if (this.#packed === undefined) return this.#identityOnly();
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

  #identityOnly(): LiveObject {
    const { kind, name, namespace, uid, resourceVersion } = this;
    return { apiVersion: '', kind, metadata: { name, ...(namespace && { namespace }), uid, resourceVersion } };
  }
}

/**
 * Converts a native object for the cache; the transform of its informer.
 *
 * For objects that pinion neither created nor owns, `content()` has only the name and namespace.
 */
export const childOf = (object: LiveObject): Child => new PackedChild(object);

/** Returns the record of an expansion; the controller writes it only to objects with pods, and members can write other ones. */
const expansionOf = (object: LiveObject): string | undefined =>
  podTemplateSpecOf(object) ? object.metadata.annotations?.[metadataKeys.expansion] : undefined;

/** Returns the runtime profile of the pods that an object creates. */
const profileOf = (object: LiveObject): string | undefined =>
  podTemplateSpecOf(object)?.metadata?.annotations?.[metadataKeys.profile];

/** Returns the routes of an Ingress of a workload; undefined if there are none. */
function routesOf(object: LiveObject, controller: OwnerReference | undefined): Child['routes'] {
  if (object.kind !== 'Ingress' || !controller || !isWorkloadKind(controller.kind)) return undefined;
  const routes = ingressRoutesOf(object);
  return routes.length === 0 ? undefined : routes;
}

function workloadOf(labels: LiveObject['metadata']['labels']): Child['workload'] {
  const { [metadataKeys.kind]: kind, [metadataKeys.workload]: label } = labels ?? {};
  return kind === undefined || label === undefined ? undefined : { kind, label };
}

const isManagedByPinion = ({ metadata }: LiveObject, controller: OwnerReference | undefined): boolean =>
  metadata.labels?.[recommended.managedBy] === manager ||
  // Claims of a StatefulSet have only the labels of its selector.
  metadata.labels?.[metadataKeys.workload] !== undefined ||
  controller?.apiVersion.startsWith(`${group}/`) === true;

/** Returns the desired part of an object, in a stable field order. */
function contentOf({ metadata, status: _, ...body }: LiveObject & { readonly status?: unknown }): object {
  const { managedFields, resourceVersion, generation, uid, creationTimestamp, annotations, ...kept } = metadata;
  void [managedFields, resourceVersion, generation, uid, creationTimestamp];
  const { [metadataKeys.lastAppliedHash]: applied, [metadataKeys.expansion]: expansion, ...others } = annotations ?? {};
  void [applied, expansion];
  return {
    ...body,
    metadata: { ...kept, ...(annotations && Object.keys(others).length > 0 && { annotations: others }) },
  };
}

/** Status fields that are unused, and change often or are large. */
const unusedFields = new Set(['currentMetrics', 'uncountedTerminatedPods', 'managedFields']);

function statusOf(status: unknown): Fields {
  if (!isPlainObject(status)) return {};
  const kept = Object.entries(status).filter(([field]) => !unusedFields.has(field));
  return kept.length === Object.keys(status).length ? status : Object.fromEntries(kept);
}

/** Returns whether a managed fields entry is from pinion's server-side apply. */
export const isPinionEntry = ({ manager: name, operation, subresource }: ManagedFields): boolean =>
  name === manager && operation === 'Apply' && subresource === undefined;

function scaleOf({ kind, spec, metadata }: LiveObject & { readonly spec?: unknown }): ScaleFacts | undefined {
  if (kind !== 'Deployment' && kind !== 'StatefulSet') return undefined;
  const owners = (metadata.managedFields ?? []).filter((entry) => ownsReplicas(entry.fieldsV1));
  return {
    replicas: Number((spec as Fields | undefined)?.['replicas'] ?? 1),
    ownedByPinion: owners.some(isPinionEntry),
    ownedByOthers: owners.some((entry) => !isPinionEntry(entry)),
  };
}

const ownsReplicas = (fields: Fields | undefined): boolean => {
  const spec = fields?.['f:spec'];
  return isPlainObject(spec) && spec['f:replicas'] !== undefined;
};

/** Returns the managers of an object, except those that only write its status. */
const managersOf = ({ metadata }: LiveObject): readonly string[] => [
  ...new Set((metadata.managedFields ?? []).filter((entry) => !entry.subresource).map((entry) => entry.manager)),
];
