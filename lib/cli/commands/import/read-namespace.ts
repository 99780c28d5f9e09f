import { type ReadCluster } from '../../cluster/cluster-connection';
import { importTargets } from './kinds/kind-imports';
import { nativeObject, type NativeObject } from './native-object';

/** Kinds of objects that are converted with their workload, so that access to them is required. */
const convertedKinds = ['Service', 'Ingress', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'ServiceAccount'];
/**
 * Kinds of objects that comments name; a user may lack access to them. Secrets are not read: the pods that use them name
 * them.
 */
const namedKinds = [
  'ConfigMap',
  'PersistentVolumeClaim',
  'NetworkPolicy',
  'RoleBinding',
  'ServiceMonitor',
  'PodMonitor',
  'ScaledObject',
  'VerticalPodAutoscaler',
];

/** What a namespace holds, as far as it can be read. */
export interface NamespaceObjects {
  readonly objects: readonly NativeObject[];
  /** Kinds that the user may not read. */
  readonly denied: readonly string[];
}

/** Reads the objects of a namespace that an import needs, with one request for each kind. */
export async function readNamespace(cluster: ReadCluster, namespace: string): Promise<NamespaceObjects> {
  const denied: string[] = [];
  const optionalKinds = [...namedKinds, ...importTargets.map(({ nativeKind }) => nativeKind)];
  // Items of lists may lack their kind.
  const required = async (kind: string) =>
    (await cluster.list(kind, { namespace })).map((object) => nativeObject(object, kind));
  const optional = async (kind: string) =>
    (await cluster.listIfKnown(kind, { namespace }, () => denied.push(kind))).map((object) =>
      nativeObject(object, kind),
    );
  const lists = await Promise.all([...convertedKinds.map(required), ...optionalKinds.map(optional)]);
  const objects = lists.flat();
  // There may be many pods; only the peers of policies require them.
  const pods = objects.some(({ kind }) => kind === 'NetworkPolicy') ? await optional('Pod') : [];
  return { objects: [...objects, ...pods], denied };
}
