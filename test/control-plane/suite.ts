import { controlPlanePrograms, findBinaries } from './binaries';
import { type ControlPlane, type ControlPlaneOptions } from './control-plane';
import { givenKubeconfig, unavailable } from './given-cluster';
import { startControlPlane } from './start-control-plane';

declare global {
  /** Set by the end-to-end environment as soon as a test or a hook of the file failed. */
  var pinionTestFailed: boolean | undefined;
}

/** A started control plane takes 4 s on a 2-core machine, and must not fail on a busy one. */
const hookTimeout = 120_000;

/**
 * A suite with a control plane of its own, started before its first test and stopped after its last.
 * Where the programs cannot be had its tests are reported as skipped, and the title says why.
 * When a test fails the logs stay and their folder is printed.
 */
export function describeControlPlane(
  title: string,
  define: (controlPlane: () => ControlPlane) => void,
  options: Omit<ControlPlaneOptions, 'paths'> = {},
): void {
  const isGiven = givenKubeconfig() !== undefined;
  const binaries = isGiven ? { skipped: unavailable.platform } : findBinaries(controlPlanePrograms);
  let running: ControlPlane | undefined;
  const controlPlane = (): ControlPlane => {
    if (!running) throw new Error('the control plane runs only while the tests of its suite run');
    return running;
  };
  if ('skipped' in binaries) {
    describe.skip(`${title} (skipped: ${binaries.skipped})`, () => define(controlPlane));
    return;
  }
  describe(title, () => {
    beforeAll(async () => {
      running = await startControlPlane({ ...options, paths: binaries.paths });
    }, hookTimeout);
    afterAll(async () => {
      const kept = await running?.stop({ keepLogs: globalThis.pinionTestFailed === true });
      if (kept) process.stderr.write(`a test failed; the control plane's logs are kept in ${kept}/logs\n`);
    }, hookTimeout);
    define(controlPlane);
  });
}
