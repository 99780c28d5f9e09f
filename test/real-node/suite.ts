import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findBinaries } from '../control-plane/binaries';
import { reasonWithoutCgroups } from './cgroups';
import { nodePrograms } from './node-init';
import { startRealNode, type RealNode, type RealNodeOptions } from './real-node';

/** Programs of the operating system that a node needs, with the Debian packages that bring them. */
const tools = {
  containerd: 'containerd',
  'containerd-shim-runc-v2': 'containerd',
  ctr: 'containerd',
  runc: 'runc',
  nft: 'nftables',
  ip: 'iproute2',
  busybox: 'busybox-static',
  unshare: 'util-linux',
  nsenter: 'util-linux',
} as const;

/** Why a machine lacks what a node needs beside the programs that are built; undefined where it does not. */
export function reasonWithoutNodeTools(): string | undefined {
  if (process.platform !== 'linux') return 'a node needs Linux';
  if (process.getuid?.() !== 0) return 'a node needs root';
  const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const missing = Object.entries(tools).find(([tool]) => !places.some((place) => existsSync(join(place, tool))));
  if (missing) return `there is no "${missing[0]}" on PATH; the Debian package ${missing[1]} brings it`;
  if (!existsSync('/usr/lib/cni/bridge'))
    return 'there is no /usr/lib/cni; the Debian package containernetworking-plugins brings it';
  return reasonWithoutCgroups();
}

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
  let running: RealNode | undefined;
  const node = (): RealNode => {
    if (!running) throw new Error('the node runs only while the tests of its suite run');
    return running;
  };
  const reason = reasonWithoutRealNode();
  if (reason) {
    describe.skip(`${title} (skipped: ${reason})`, () => define(node));
    return;
  }
  describe(title, () => {
    beforeAll(async () => {
      const binaries = findBinaries(nodePrograms);
      if ('skipped' in binaries) throw new Error(binaries.skipped);
      running = await startRealNode({ ...options, paths: binaries.paths });
    }, hookTimeout);
    afterAll(async () => {
      const kept = await running?.stop({ keepLogs: globalThis.pinionTestFailed === true });
      if (kept) process.stderr.write(`a test failed; the node's logs are kept in ${kept}/logs\n`);
    }, hookTimeout);
    define(node);
  });
}
