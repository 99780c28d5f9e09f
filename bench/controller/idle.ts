import { ratio } from '../ratio';
import { auditTime } from './audit-time';
import { controllerUser } from './bench-cluster';
import { describeRequests } from './describe-requests';
import { type Fleet } from './fleet';
import { runMeasuredController, measuredControllerAgent } from './measured-controller';
import { progress, printLine } from './progress';
import { sleep } from './sleep';
import { type Sizes } from './sizes';

/** Measures an idle controller: requests, CPU of reconciles without changes, memory. */
export async function idle({ bench, services }: Fleet, sizes: Sizes): Promise<void> {
  await idleRequests();
  await bench.stopControllers();
  await reconciles();
  await memory();

  async function idleRequests(): Promise<void> {
    await bench.quiet(10);
    const mark = bench.cluster.audit.mark();
    for (let second = 0; second < sizes['idle-seconds']; second += 5) {
      progress(`idle: ${second} of ${sizes['idle-seconds']} s`);
      await sleep(5000);
    }
    const requests = bench.controllerRequests(mark);
    printLine(`idle: ${describeRequests(requests)} in ${sizes['idle-seconds']} s`);
    ratio('idle-requests', requests.length, '<=', 0);
  }

  async function reconciles(): Promise<void> {
    progress('reconciles in process');
    const mark = bench.cluster.audit.mark();
    const { phases } = await runMeasuredController(bench.controllerKubeconfig, 'reconciles');
    const events = bench.cluster.audit.since(mark, { user: controllerUser, userAgent: measuredControllerAgent });
    let requests = 0;
    for (const { name, startedAt, endedAt, cpu } of phases) {
      const within = events.filter(({ requestReceivedTimestamp, verb }) => {
        const time = auditTime(requestReceivedTimestamp);
        return verb !== 'watch' && time >= startedAt && time <= endedAt;
      });
      if (name === 'resync' || name === 'cached resync') requests += within.length;
      const each = (cpu / services.length).toFixed(3);
      printLine(`idle: ${name}: ${each} ms of CPU a workload, ${describeRequests(within)}`);
    }
    const cpuOf = (name: string) => (phases.findLast((phase) => phase.name === name)?.cpu ?? NaN) / services.length;
    ratio('idle-requests-of-resyncs', requests, '<=', 0);
    ratio('idle-milliseconds-per-cached-reconcile', cpuOf('cached resync'), '<=', 0.5);
    ratio('idle-milliseconds-per-resync-reconcile', cpuOf('resync'), '<=', 0.5);
    ratio('idle-milliseconds-per-first-reconcile', cpuOf('first reconcile'), '<=', 0.5);
  }

  async function memory(): Promise<void> {
    progress('memory in process');
    const { heaps, counts } = await runMeasuredController(bench.controllerKubeconfig, 'memory');
    const kilobytes = (what: keyof typeof heaps, each: number): number => heaps[what] / each / 1024;
    printLine(
      `idle: ${counts.children} children ${megabytes(heaps.children)}, ${counts.pods} pods ${megabytes(heaps.pods)}, ` +
        `${counts.resources} custom resources ${megabytes(heaps.resources)}, ` +
        `reconcile cache ${megabytes(heaps.reconcileCache)}`,
    );
    ratio('idle-kilobytes-per-child', kilobytes('children', counts.children), '<=', 8);
    ratio(
      'idle-kilobytes-per-child-with-reconcile-cache',
      (heaps.children + heaps.reconcileCache) / counts.children / 1024,
      '<=',
      8,
    );
    if (counts.pods > 0) ratio('idle-kilobytes-per-pod', kilobytes('pods', counts.pods), '<=', 4);
  }
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
