import { clusterPrograms, findBinaries } from './binaries';
import { type Cluster, type ClusterOptions } from './cluster';
import { type ClusterNeed, ExistingCluster, existingClusterKubeconfig, unavailable } from './existing-cluster';
import { describeRunning, type RunningSuite } from './running-suite';
import { startCluster } from './start-cluster';

/** Timeout of the start and stop. A start takes 5 s on an idle 2-core machine, and much longer on a busy one. */
const hookTimeout = 180_000;

/** Options of a suite's cluster, and its requirements. */
export interface ClusterSuiteOptions extends Omit<ClusterOptions, 'paths'> {
  /**
   * Features that only a dedicated cluster has: on an existing cluster, a suite that needs any of them is skipped.
   * With an empty list, the suite uses only `cluster().namespace()` and runs on any cluster.
   * @default - all
   */
  readonly needs?: readonly ClusterNeed[];
}

/**
 * Defines a suite with a cluster of its own, started before its first test and stopped after its last;
 * or with the existing cluster of the kubeconfig in PINION_E2E_CLUSTER if that has all needed features.
 * If neither is available, its tests are skipped with the reason in the title.
 * After a failure the logs are kept and their folder is printed.
 */
export function describeCluster(
  title: string,
  define: (cluster: () => Cluster) => void,
  options: ClusterSuiteOptions = {},
): void {
  const kubeconfig = existingClusterKubeconfig();
  const start = kubeconfig === undefined ? startOwn(options) : startExisting(kubeconfig, options);
  const suffix = kubeconfig !== undefined && typeof start === 'function' ? ` (on the cluster of ${kubeconfig})` : '';
  describeRunning(`${title}${suffix}`, { what: 'the cluster', start, timeout: hookTimeout }, define);
}

type Start = RunningSuite<Cluster>['start'];

function startExisting(
  kubeconfig: string,
  { needs = Object.keys(unavailable) as ClusterNeed[] }: ClusterSuiteOptions,
): Start {
  const [missing] = needs;
  if (missing !== undefined) return { skipped: `on an existing cluster ${unavailable[missing]}` };
  return async () => new ExistingCluster(kubeconfig);
}

function startOwn({ needs: _, ...options }: ClusterSuiteOptions): Start {
  const binaries = findBinaries(clusterPrograms);
  return 'skipped' in binaries ? binaries : () => startCluster({ ...options, paths: binaries.paths });
}
