import { givenKubeconfig, unavailable } from '../control-plane/given-cluster';
import { describeRunning } from '../control-plane/running-suite';
import { Rehearsal, type RehearsalOptions } from './rehearsal';
import { rehearsalBinaries } from './tools';

/**
 * A suite with a rehearsal of its own, begun before its first test and ended after its last.
 * Where it cannot be had its tests are reported as skipped, and the title says why. When a test fails the logs stay.
 */
export function describeRehearsal(
  title: string,
  options: Omit<RehearsalOptions, 'paths'>,
  define: (rehearsal: () => Rehearsal) => void,
): void {
  const isGiven = givenKubeconfig() !== undefined;
  const binaries = isGiven ? { skipped: unavailable.kills } : rehearsalBinaries(options.kubernetes ?? '1.36');
  const start = 'skipped' in binaries ? binaries : () => Rehearsal.start({ ...options, paths: binaries.paths });
  describeRunning(title, { what: 'the rehearsal', start, timeout: 180_000 }, define);
}
