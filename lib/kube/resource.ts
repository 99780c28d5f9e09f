import { apiVersion, nativeKinds, pinionKinds } from '../api';

/** A resource of the API server: where objects of one kind live. */
export interface Resource {
  /** Group and version, or the version alone for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Resources that pinion reads and never makes. */
const readKinds = {
  Pod: { apiVersion: 'v1', plural: 'pods', namespaced: true },
  Node: { apiVersion: 'v1', plural: 'nodes', namespaced: false },
  Event: { apiVersion: 'v1', plural: 'events', namespaced: true },
  Lease: { apiVersion: 'coordination.k8s.io/v1', plural: 'leases', namespaced: true },
  ReplicaSet: { apiVersion: 'apps/v1', plural: 'replicasets', namespaced: true },
  ControllerRevision: { apiVersion: 'apps/v1', plural: 'controllerrevisions', namespaced: true },
  CertificateSigningRequest: {
    apiVersion: 'certificates.k8s.io/v1',
    plural: 'certificatesigningrequests',
    namespaced: false,
  },
  PodGroup: { apiVersion: 'scheduling.k8s.io/v1alpha2', plural: 'podgroups', namespaced: true },
} as const;

const resources = new Map<string, Resource>([
  ...Object.entries({ ...nativeKinds, ...readKinds }).map(([kind, names]): [string, Resource] => [
    kind,
    { kind, ...names },
  ]),
  ...Object.entries(pinionKinds).map(([kind, { plural, scope }]): [string, Resource] => [
    kind,
    { apiVersion, kind, plural, namespaced: scope === 'Namespaced' },
  ]),
]);

/** The resource of a kind that pinion knows. Throws for any other kind. */
export function resourceOf(kind: string): Resource {
  const resource = resources.get(kind);
  if (!resource) throw new Error(`no resource is known for kind ${kind}`);
  return resource;
}

/** Path of all objects of a resource, in one namespace or in all. */
export function collectionPath({ apiVersion: version, plural, namespaced }: Resource, namespace?: string): string {
  const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  return namespaced && namespace !== undefined
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`
    : `${root}/${plural}`;
}

/** Path of one object, or of a subresource of it. */
export function objectPath(
  resource: Resource,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
  subresource?: string,
): string {
  const path = `${collectionPath(resource, resource.namespaced ? (namespace ?? 'default') : undefined)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
