import { existingClusterKubeconfig, unavailable } from '../control-plane/existing-cluster';
import { describeRunning } from '../control-plane/running-suite';
import { Rehearsal, type RehearsalOptions } from './rehearsal';
import { rehearsalBinaries } from './tools';

/**
 * Defines a suite with its own rehearsal, set up before its first test and torn down after its last.
 * If prerequisites are missing, its tests are skipped with the reason in the title. After a failure the logs are
 * kept.
 */
export function describeRehearsal(
  title: string,
  options: Omit<RehearsalOptions, 'paths'>,
  define: (rehearsal: () => Rehearsal) => void,
): void {
  const hasExistingCluster = existingClusterKubeconfig() !== undefined;
  const binaries = hasExistingCluster
    ? { skipped: unavailable.kills }
    : rehearsalBinaries(options.kubernetes ?? '1.36');
  const start = 'skipped' in binaries ? binaries : () => Rehearsal.start({ ...options, paths: binaries.paths });
  describeRunning(title, { what: 'the rehearsal', start, timeout: 180_000 }, define);
}
