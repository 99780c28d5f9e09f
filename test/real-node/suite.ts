import { findBinaries } from '../control-plane/binaries';
import { describeRunning } from '../control-plane/running-suite';
import { nodePrograms } from './node-init';
import { reasonWithoutNodeTools } from './node-tools';
import { startRealNode, type RealNode, type RealNodeOptions } from './real-node';

/** Returns why a real node cannot run on this machine; undefined if it can. */
export function reasonWithoutRealNode(): string | undefined {
  const binaries = findBinaries(nodePrograms);
  return reasonWithoutNodeTools() ?? ('skipped' in binaries ? binaries.skipped : undefined);
}

/** Timeout of the start and stop. A start takes 15 s on an idle 2-core machine, and much longer on a busy one. */
const hookTimeout = 180_000;

/**
 * Defines a suite with its own real node, which is started before its first test and stopped after its last.
 * If it cannot run, its tests are skipped with the reason in the title. After a failure the logs are kept.
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
