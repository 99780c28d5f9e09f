import { clusterPrograms, findBinaries } from './binaries';
import { type Cluster, type ClusterOptions } from './cluster';
import { type ClusterNeed, GivenCluster, givenKubeconfig, unavailable } from './given-cluster';
import { startCluster } from './start-cluster';
import './suite';

/** A started cluster takes 5 s on a 2-core machine, and must not fail on a busy one. */
const hookTimeout = 180_000;

/** How a suite's cluster starts, and what of it the suite needs. */
export interface ClusterSuiteOptions extends Omit<ClusterOptions, 'paths'> {
  /**
   * What only a cluster of the tests' own has: on a given one a suite that needs any of it is skipped.
   * An empty list: the suite works in `cluster().namespace()` alone, and runs on any cluster.
   * @default - all
   */
  readonly needs?: readonly ClusterNeed[];
}

/**
 * A suite with a cluster of its own, started before its first test and stopped after its last;
 * or on the cluster whose kubeconfig PINION_E2E_CLUSTER names, where the suite needs nothing that it has not.
 * Where neither can be had its tests are reported as skipped, and the title says why.
 * When a test fails the logs stay and their folder is printed.
 */
export function describeCluster(
  title: string,
  define: (cluster: () => Cluster) => void,
  options: ClusterSuiteOptions = {},
): void {
  let running: Cluster | undefined;
  const cluster = (): Cluster => {
    if (!running) throw new Error('the cluster runs only while the tests of its suite run');
    return running;
  };
  const start = howToStart(options);
  if ('skipped' in start) {
    describe.skip(`${title} (skipped: ${start.skipped})`, () => define(cluster));
    return;
  }
  describe(`${title}${start.where}`, () => {
    beforeAll(async () => {
      running = await start.run();
    }, hookTimeout);
    afterAll(async () => {
      const kept = await running?.stop({ keepLogs: globalThis.pinionTestFailed === true });
      if (kept) process.stderr.write(`a test failed; the cluster's logs are kept in ${kept}/logs\n`);
    }, hookTimeout);
    define(cluster);
  });
}

type Start = { readonly skipped: string } | { readonly where: string; readonly run: () => Promise<Cluster> };

function howToStart({ needs, ...options }: ClusterSuiteOptions): Start {
  const kubeconfig = givenKubeconfig();
  if (kubeconfig !== undefined) {
    const [missing] = needs ?? (Object.keys(unavailable) as ClusterNeed[]);
    if (missing !== undefined) return { skipped: `on a given cluster ${unavailable[missing]}` };
    return { where: ` (on the given cluster of ${kubeconfig})`, run: async () => new GivenCluster(kubeconfig) };
  }
  const binaries = findBinaries(clusterPrograms);
  if ('skipped' in binaries) return binaries;
  return { where: '', run: () => startCluster({ ...options, paths: binaries.paths }) };
}
