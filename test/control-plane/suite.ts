import { controlPlanePrograms, findBinaries } from './binaries';
import { type ControlPlane, type ControlPlaneOptions } from './control-plane';
import { existingClusterKubeconfig, unavailable } from './existing-cluster';
import { describeRunning } from './running-suite';
import { startControlPlane } from './start-control-plane';

/** A started control plane takes 4 s on a 2-core machine, and must not fail on a busy one. */
const hookTimeout = 120_000;

/**
 * Defines a suite with a control plane of its own, started before its first test and stopped after its last.
 * Where the programs are unavailable, its tests are skipped with the reason in the title.
 * After a failure the logs are kept and their folder is printed.
 */
export function describeControlPlane(
  title: string,
  define: (controlPlane: () => ControlPlane) => void,
  options: Omit<ControlPlaneOptions, 'paths'> = {},
): void {
  const isGiven = existingClusterKubeconfig() !== undefined;
  const binaries = isGiven ? { skipped: unavailable.platform } : findBinaries(controlPlanePrograms);
  const start = 'skipped' in binaries ? binaries : () => startControlPlane({ ...options, paths: binaries.paths });
  describeRunning(title, { what: 'the control plane', start, timeout: hookTimeout }, define);
}
