import { apiVersion, nativeKinds, pinionKinds } from '../../api';

/** API resource of one kind. */
export interface Resource {
  /** Group and version, or only the version for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Kinds that pinion reads and never creates. */
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
  ServiceMonitor: { apiVersion: 'monitoring.coreos.com/v1', plural: 'servicemonitors', namespaced: true },
  PodMonitor: { apiVersion: 'monitoring.coreos.com/v1', plural: 'podmonitors', namespaced: true },
  ScaledObject: { apiVersion: 'keda.sh/v1alpha1', plural: 'scaledobjects', namespaced: true },
  VerticalPodAutoscaler: { apiVersion: 'autoscaling.k8s.io/v1', plural: 'verticalpodautoscalers', namespaced: true },
  JobSet: { apiVersion: 'jobset.x-k8s.io/v1alpha2', plural: 'jobsets', namespaced: true },
  TFJob: { apiVersion: 'kubeflow.org/v1', plural: 'tfjobs', namespaced: true },
  PyTorchJob: { apiVersion: 'kubeflow.org/v1', plural: 'pytorchjobs', namespaced: true },
  JAXJob: { apiVersion: 'kubeflow.org/v1', plural: 'jaxjobs', namespaced: true },
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

/** Returns the resource of a kind. Throws for an unknown kind. */
export function resourceOf(kind: string): Resource {
  const resource = resources.get(kind);
  if (!resource) throw new Error(`unknown kind ${kind}`);
  return resource;
}

/** Returns the path of a resource, in one namespace or in all. */
export function collectionPath({ apiVersion: version, plural, namespaced }: Resource, namespace?: string): string {
  const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  return namespaced && namespace !== undefined
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`
    : `${root}/${plural}`;
}

/** Returns the path of an object or of its subresource. */
export function objectPath(
  resource: Resource,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
  subresource?: string,
): string {
  const path = `${collectionPath(resource, resource.namespaced ? (namespace ?? 'default') : undefined)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
