import { type FieldPath, isPlainObject, nearest, type Problem } from '../../../api';

/** The load that a manifest describes, and where its fields were written. */
export interface CapacityLoad {
  readonly value: unknown;
  /** Returns a problem of the load with its path in the manifest. */
  readonly inDocument: (problem: Problem) => Problem;
  /** Reported if the configuration of a stack contains no load. */
  readonly missing?: Problem;
}

/** Load fields that the configuration of a cluster contains itself, with their names there. */
const clusterFields: Readonly<Record<string, string>> = {
  cluster: 'name',
  region: 'region',
  zones: 'zones',
  kubernetes: 'kubernetesVersion',
};

/**
 * Finds the load in a document: it is the load itself, or the file of a stack of Pulumi whose value `<project>:cluster`
 * describes a cluster with its `load`.
 */
export function capacityLoad(document: unknown): CapacityLoad {
  const config = isPlainObject(document) ? document['config'] : undefined;
  const [key, cluster] =
    Object.entries(isPlainObject(config) ? config : {}).find(([key]) => /^[^:]+:cluster$/.test(key)) ?? [];
  if (key === undefined || !isPlainObject(cluster)) {
    const asItIs: CapacityLoad = { value: document, inDocument: (problem) => problem };
    return isPlainObject(config) ? { ...asItIs, missing: withoutCluster(config) } : asItIs;
  }
  const { load } = cluster;
  const own = Object.entries(clusterFields).map(([field, name]) => [field, cluster[name]] as const);
  const said = own.filter(([, value]) => value !== undefined);
  return {
    value: isPlainObject(load) ? { ...load, ...Object.fromEntries(said) } : load,
    inDocument: (problem) => ({ ...problem, path: ['config', key, ...placeOf(problem.path)] }),
  };
}

function placeOf(path: FieldPath): FieldPath {
  const [first, ...rest] = path;
  const own = typeof first === 'string' && Object.hasOwn(clusterFields, first) ? clusterFields[first] : undefined;
  return own === undefined ? ['load', ...path] : [own, ...rest];
}

function withoutCluster(config: Readonly<Record<string, unknown>>): Problem {
  const keys = Object.keys(config);
  const like = nearest('pinion:cluster', keys);
  return {
    code: 'required',
    path: ['config', 'pinion:cluster'],
    reason: 'is missing: this is the file of a stack that describes no cluster',
    remedy:
      like === undefined
        ? 'name the file of the stack that makes the cluster, such as Pulumi.cluster-prod.yaml'
        : `write "pinion:cluster" where "${like}" is`,
  };
}
