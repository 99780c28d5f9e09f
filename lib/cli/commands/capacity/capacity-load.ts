import { type FieldPath, isPlainObject, nearest, type Problem } from '../../../api';

/** The load described by a manifest, and the paths of its fields. */
export interface CapacityLoad {
  readonly value: unknown;
  /** Returns a problem of the load with its path in the manifest. */
  readonly inDocument: (problem: Problem) => Problem;
  /** Problem to report if the stack configuration contains no cluster. */
  readonly missing?: Problem;
}

/** Load fields that come from the cluster configuration, with their names there. */
const clusterFields: Readonly<Record<string, string>> = {
  cluster: 'name',
  region: 'region',
  zones: 'zones',
  kubernetes: 'kubernetesVersion',
};

/**
 * Finds the load in a document: either the load itself, or a Pulumi stack file whose value `<project>:cluster`
 * describes a cluster with its `load`.
 */
export function capacityLoad(document: unknown): CapacityLoad {
  const config = isPlainObject(document) ? document['config'] : undefined;
  const [key, cluster] =
    Object.entries(isPlainObject(config) ? config : {}).find(([key]) => /^[^:]+:cluster$/.test(key)) ?? [];
  if (key === undefined || !isPlainObject(cluster)) {
    const unchanged: CapacityLoad = { value: document, inDocument: (problem) => problem };
    return isPlainObject(config) ? { ...unchanged, missing: missingCluster(config) } : unchanged;
  }
  const { load } = cluster;
  const own = Object.entries(clusterFields).map(([field, name]) => [field, cluster[name]] as const);
  const defined = own.filter(([, value]) => value !== undefined);
  return {
    value: isPlainObject(load) ? { ...load, ...Object.fromEntries(defined) } : load,
    inDocument: (problem) => ({ ...problem, path: ['config', key, ...documentPath(problem.path)] }),
  };
}

function documentPath(path: FieldPath): FieldPath {
  const [first, ...rest] = path;
  const own = typeof first === 'string' && Object.hasOwn(clusterFields, first) ? clusterFields[first] : undefined;
  return own === undefined ? ['load', ...path] : [own, ...rest];
}

function missingCluster(config: Readonly<Record<string, unknown>>): Problem {
  const keys = Object.keys(config);
  const similarKey = nearest('pinion:cluster', keys);
  return {
    code: 'required',
    path: ['config', 'pinion:cluster'],
    reason: 'is missing: this stack file does not describe a cluster',
    remedy:
      similarKey === undefined
        ? 'use the file of the cluster stack, such as Pulumi.cluster-prod.yaml'
        : `rename "${similarKey}" to "pinion:cluster"`,
  };
}
