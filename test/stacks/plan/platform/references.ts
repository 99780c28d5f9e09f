import { type KubernetesObject } from '../../../../lib/expand';

/** Reference to an object: `Kind namespace/name`, or `Kind name` for a cluster-scoped one. */
export type Reference = string;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (value ?? {}) as Fields;
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);
const nameIn = (value: unknown): string => String(fieldsOf(value)['name']);

/** Returns the reference of an object. */
export const nameOf = ({ kind, metadata }: KubernetesObject): Reference =>
  metadata.namespace === undefined ? `${kind} ${metadata.name}` : `${kind} ${metadata.namespace}/${metadata.name}`;

/** Objects that every new cluster has. */
export const isBuiltIn = (reference: Reference): boolean =>
  /^(Namespace (kube-system|default)|ClusterRole system:\S+|Role kube-system\/extension-apiserver-authentication-reader|PriorityClass system-(node|cluster)-critical)$/.test(
    reference,
  );

/**
 * Lists what an object provides: a Project its namespace, the Platform its tiers, a CRD its kind, a workload its
 * account and Service.
 */
export function providedBy(object: KubernetesObject): Reference[] {
  const { kind, metadata } = object;
  const spec = fieldsOf(object['spec']);
  const own = nameOf(object);
  if (kind === 'CustomResourceDefinition') return [own, `Kind ${String(fieldsOf(spec['names'])['kind'])}`];
  if (kind === 'Project') return [own, `Namespace ${metadata.name}`];
  if (kind === 'Platform') return [own, ...listOf(spec['tiers']).map((tier) => `PriorityClass ${nameIn(tier)}`)];
  if (!kind.startsWith('Pinterest')) return [own];
  const key = `${metadata.namespace}/${metadata.name}`;
  return [own, `ServiceAccount ${key}`, ...(listOf(spec['ports']).length > 0 ? [`Service ${key}`] : [])];
}

/** Lists what an object references. */
export function referencesOf(object: KubernetesObject): Reference[] {
  const { apiVersion, kind, metadata } = object;
  const spec = fieldsOf(object['spec']);
  return [
    ...(apiVersion.startsWith('pinterest.com/') ? [`Kind ${kind}`] : []),
    ...(metadata.namespace === undefined ? [] : [`Namespace ${metadata.namespace}`]),
    ...boundRole(object),
    ...subjects(object),
    ...referencesOfKind(kind, spec, metadata.namespace ?? ''),
  ];
}

function boundRole(object: KubernetesObject): Reference[] {
  if (object['roleRef'] === undefined) return [];
  const { kind, name } = fieldsOf(object['roleRef']);
  return [kind === 'Role' ? `Role ${object.metadata.namespace}/${String(name)}` : `ClusterRole ${String(name)}`];
}

const subjects = (object: KubernetesObject): Reference[] =>
  listOf(object['subjects'])
    .filter(({ kind }) => kind === 'ServiceAccount')
    .map(({ namespace, name }) => `ServiceAccount ${String(namespace)}/${String(name)}`);

function referencesOfKind(kind: string, spec: Fields, namespace: string): Reference[] {
  if (kind === 'Deployment' || kind === 'DaemonSet')
    return podReferences(fieldsOf(fieldsOf(spec['template'])['spec']), namespace);
  if (kind === 'HorizontalPodAutoscaler') {
    const { kind: target, name } = fieldsOf(spec['scaleTargetRef']);
    return [`${String(target)} ${namespace}/${String(name)}`];
  }
  if (kind === 'APIService') {
    const { namespace: serviceNamespace, name } = fieldsOf(spec['service']);
    return [`Service ${String(serviceNamespace)}/${String(name)}`];
  }
  if (kind === 'Platform') return [`RuntimeProfile ${String(fieldsOf(spec['runtime'])['profile'] ?? 'default-1')}`];
  return kind.startsWith('Pinterest') && spec['tier'] !== undefined ? [`PriorityClass ${String(spec['tier'])}`] : [];
}

function podReferences(pod: Fields, namespace: string): Reference[] {
  const maps = listOf(pod['volumes']).flatMap(({ configMap }) => (configMap === undefined ? [] : [nameIn(configMap)]));
  return [
    `ServiceAccount ${namespace}/${String(pod['serviceAccountName'])}`,
    ...(pod['priorityClassName'] === undefined ? [] : [`PriorityClass ${String(pod['priorityClassName'])}`]),
    ...maps.map((name) => `ConfigMap ${namespace}/${name}`),
  ];
}
