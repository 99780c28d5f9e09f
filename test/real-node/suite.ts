import { findBinaries } from '../control-plane/binaries';
import { describeRunning } from '../control-plane/running-suite';
import { nodePrograms } from './node-init';
import { reasonWithoutNodeTools } from './node-tools';
import { startRealNode, type RealNode, type RealNodeOptions } from './real-node';

/** Why no real node can run on this machine; undefined where one can. */
export function reasonWithoutRealNode(): string | undefined {
  const binaries = findBinaries(nodePrograms);
  return reasonWithoutNodeTools() ?? ('skipped' in binaries ? binaries.skipped : undefined);
}

/** A started node takes 15 s on a 2-core machine, and must not fail on a busy one. */
const hookTimeout = 180_000;

/**
 * A suite with a real node of its own, started before its first test and stopped after its last.
 * Where it cannot run its tests are reported as skipped, and the title says why. When a test fails the logs stay.
 */
export function describeRealNode(
  title: string,
  define: (node: () => RealNode) => void,
  options: Omit<RealNodeOptions, 'paths'> = {},
): void {
  const start = async (): Promise<RealNode> => {
    const binaries = findBinaries(nodePrograms);
    if ('skipped' in binaries) throw new Error(binaries.skipped);
    return startRealNode({ ...options, paths: binaries.paths });
  };
  const skipped = reasonWithoutRealNode();
  const suite = { what: 'the node', start: skipped === undefined ? start : { skipped }, timeout: hookTimeout };
  describeRunning(title, suite, define);
}
