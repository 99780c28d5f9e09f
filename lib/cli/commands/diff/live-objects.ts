import { isPlainObject } from '../../../api';
import { type KubernetesObject } from '../../../expand';
import { type ApiError, type LiveObject } from '../../../kube';
import { type ClusterConnection } from '../../cluster/cluster-connection';
import { hasName, shownIdentity } from '../../cluster/shown-identity';

/** An object as the cluster has it, and as it would be after the input is applied. */
export interface LivePair {
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject;
}

/** Returns the name of an object as messages show it. */
export function messageName(object: KubernetesObject | LiveObject): string {
  const { namespace, name } = shownIdentity(object);
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/**
 * Reads an object and applies it without storing the result, so that both sides have the defaults of the API server.
 * Returns the reason if it cannot be compared.
 */
export async function livePair(
  given: KubernetesObject,
  { client, kube, settings }: ClusterConnection,
): Promise<LivePair | string> {
  if (given.kind === 'Secret') return 'is a Secret: its values are not read';
  if (!hasName(given)) return 'has no name, so it cannot be found in the cluster';
  const resource = resourceFor(given, kube);
  if (!resource) return 'has a kind that pinion does not know';
  const object = resource.namespaced ? inNamespace(given, settings.namespace) : given;
  const { name, namespace } = object.metadata;
  const live = await client.get(resource, { name, ...(namespace !== undefined && { namespace }) });
  if (!live) return { before: undefined, after: object };
  try {
    const applied = await client.apply(object, { dryRun: true, force: true, fieldManager: managerOf(live) });
    return { before: stored(live), after: stored(applied) };
  } catch (error) {
    if (!kube.isApiError(error, 400, 403, 409, 422)) throw error;
    return `cannot be compared: ${rejectionOf(error)}`;
  }
}

/** Returns why the API server rejects an object; without its message, which repeats values, which may be secrets. */
function rejectionOf({ reason, status, details: { causes = [] } }: ApiError): string {
  const fields = [...new Set(causes.flatMap(({ field }) => (field === undefined || field === '' ? [] : [field])))];
  const at = fields.length === 0 ? '' : ` because of ${fields.join(', ')}`;
  return `the API server rejects it${at} (${reason || status})`;
}

/** Returns an object in its namespace, or in that of the context, as kubectl applies it. */
const inNamespace = (object: KubernetesObject, fallback: string): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, namespace: object.metadata.namespace || fallback },
});

function resourceFor({ apiVersion, kind }: KubernetesObject, kube: ClusterConnection['kube']) {
  try {
    const resource = kube.resourceOf(kind);
    return resource.apiVersion === apiVersion ? resource : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the client that applied an object, so that fields that it no longer sets count as removed. */
function managerOf({ metadata: { managedFields = [] } }: LiveObject): string {
  const own = managedFields.filter(({ subresource }) => subresource === undefined || subresource === '');
  const appliers = own.filter(({ operation }) => operation === 'Apply').map(({ manager }) => manager);
  // The API server moves the fields of kubectl's client-side apply to its manager of server-side apply.
  const isByKubectl = own.some(({ manager }) => manager === 'kubectl-client-side-apply');
  return appliers.find((manager) => manager === 'kubectl') ?? appliers[0] ?? (isByKubectl ? 'kubectl' : 'pinion-cli');
}

/** Metadata and annotations that change without a change of the manifest. */
const volatileMetadata = ['managedFields', 'resourceVersion', 'generation', 'uid', 'creationTimestamp', 'selfLink'];
const volatileAnnotation =
  /^kubectl\.kubernetes\.io\/last-applied-configuration$|^deployment\.kubernetes\.io\/revision$/;

/** Returns a stored object without its status, and without metadata that the API server sets. */
function stored({ status: _, metadata, ...body }: LiveObject): KubernetesObject {
  const kept = Object.entries(metadata).flatMap(([key, value]) => {
    if (volatileMetadata.includes(key)) return [];
    if (key !== 'annotations' || !isPlainObject(value)) return [[key, value] as const];
    const own = Object.entries(value).filter(([annotation]) => !volatileAnnotation.test(annotation));
    return own.length > 0 ? [[key, Object.fromEntries(own)] as const] : [];
  });
  return { ...body, metadata: Object.fromEntries(kept) } as unknown as KubernetesObject;
}
