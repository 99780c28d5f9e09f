import { controlPlanePrograms, findBinaries } from './binaries';
import { type ControlPlane, type ControlPlaneOptions } from './control-plane';
import { existingClusterKubeconfig, unavailable } from './existing-cluster';
import { describeRunning } from './running-suite';
import { startControlPlane } from './start-control-plane';

/** Timeout of the start and stop. A start takes 4 s on an idle 2-core machine, and much longer on a busy one. */
const hookTimeout = 120_000;

/**
 * Defines a suite with its own control plane, which is started before its first test and stopped after its last.
 * If the programs are unavailable, its tests are skipped with the reason in the title.
 * After a failure the logs are kept and their folder is printed.
 */
export function describeControlPlane(
  title: string,
  define: (controlPlane: () => ControlPlane) => void,
  options: Omit<ControlPlaneOptions, 'paths'> = {},
): void {
  const hasExistingCluster = existingClusterKubeconfig() !== undefined;
  const binaries = hasExistingCluster ? { skipped: unavailable.platform } : findBinaries(controlPlanePrograms);
  const start = 'skipped' in binaries ? binaries : () => startControlPlane({ ...options, paths: binaries.paths });
  describeRunning(title, { what: 'the control plane', start, timeout: hookTimeout }, define);
}
