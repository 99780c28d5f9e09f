import { clusterPrograms, findBinaries } from './binaries';
import { type Cluster, type ClusterOptions } from './cluster';
import { startCluster } from './start-cluster';
import './suite';

/** A started cluster takes 6 s on a 2-core machine, and must not fail on a busy one. */
const hookTimeout = 180_000;

/**
 * A suite with a cluster of its own, started before its first test and stopped after its last.
 * Where the programs cannot be had its tests are reported as skipped, and the title says why.
 * When a test fails the logs stay and their folder is printed.
 */
export function describeCluster(
  title: string,
  define: (cluster: () => Cluster) => void,
  options: Omit<ClusterOptions, 'paths'> = {},
): void {
  const binaries = findBinaries(clusterPrograms);
  let running: Cluster | undefined;
  const cluster = (): Cluster => {
    if (!running) throw new Error('the cluster runs only while the tests of its suite run');
    return running;
  };
  if ('skipped' in binaries) {
    describe.skip(`${title} (skipped: ${binaries.skipped})`, () => define(cluster));
    return;
  }
  describe(title, () => {
    beforeAll(async () => {
      running = await startCluster({ ...options, paths: binaries.paths });
    }, hookTimeout);
    afterAll(async () => {
      const kept = await running?.stop({ keepLogs: globalThis.pinionTestFailed === true });
      if (kept) process.stderr.write(`a test failed; the cluster's logs are kept in ${kept}/logs\n`);
    }, hookTimeout);
    define(cluster);
  });
}
