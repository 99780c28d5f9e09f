import { ratio } from '../ratio';
import { auditTime } from './audit-time';
import { controllerUser } from './bench-cluster';
import { describeRequests } from './describe-requests';
import { type Fleet } from './fleet';
import { askInnerController, innerAgent } from './inner-controller';
import { progress, say } from './progress';
import { sleep } from './sleep';
import { type Sizes } from './sizes';

/** Measures an idle controller: requests, CPU of reconciles without changes, memory. */
export async function rest({ bench, services }: Fleet, sizes: Sizes): Promise<void> {
  await requestsAtRest();
  await bench.stopControllers();
  await passes();
  await memory();

  async function requestsAtRest(): Promise<void> {
    await bench.quiet(10);
    const mark = bench.cluster.audit.mark();
    for (let second = 0; second < sizes['rest-seconds']; second += 5) {
      progress(`at rest: ${second} of ${sizes['rest-seconds']} s`);
      await sleep(5000);
    }
    const requests = bench.controllerRequests(mark);
    say(`rest: ${describeRequests(requests)} in ${sizes['rest-seconds']} s`);
    ratio('rest-requests', requests.length, '<=', 0);
  }

  async function passes(): Promise<void> {
    progress('reconciles in process');
    const mark = bench.cluster.audit.mark();
    const { phases } = await askInnerController(bench.controllerKubeconfig, 'passes');
    const events = bench.cluster.audit.since(mark, { user: controllerUser, userAgent: innerAgent });
    let requests = 0;
    for (const { name, begun, ended, cpu } of phases) {
      const within = events.filter(({ requestReceivedTimestamp, verb }) => {
        const time = auditTime(requestReceivedTimestamp);
        return verb !== 'watch' && time >= begun && time <= ended;
      });
      if (name === 'resync' || name === 'remembered') requests += within.length;
      const each = (cpu / services.length).toFixed(3);
      say(`rest: ${name}: ${each} ms of CPU a workload, ${describeRequests(within)}`);
    }
    const cpuOf = (name: string) => (phases.findLast((phase) => phase.name === name)?.cpu ?? NaN) / services.length;
    ratio('rest-requests-of-a-resync', requests, '<=', 0);
    ratio('rest-milliseconds-of-a-remembered-pass', cpuOf('remembered'), '<=', 0.5);
    ratio('rest-milliseconds-of-a-resync-pass', cpuOf('resync'), '<=', 0.5);
    ratio('rest-milliseconds-of-a-pass-with-nothing-remembered', cpuOf('anew'), '<=', 0.5);
  }

  async function memory(): Promise<void> {
    progress('memory in process');
    const { heaps, counts } = await askInnerController(bench.controllerKubeconfig, 'memory');
    const kilobytes = (what: keyof typeof heaps, each: number): number => heaps[what] / each / 1024;
    say(
      `rest: ${counts.children} children ${megabytes(heaps.children)}, ${counts.pods} pods ${megabytes(heaps.pods)}, ` +
        `${counts.documents} documents ${megabytes(heaps.documents)}, ` +
        `reconcile state ${megabytes(heaps.remembered)}`,
    );
    ratio('rest-kilobytes-per-child', kilobytes('children', counts.children), '<=', 8);
    ratio(
      'rest-kilobytes-per-child-with-what-passes-remember',
      (heaps.children + heaps.remembered) / counts.children / 1024,
      '<=',
      8,
    );
    if (counts.pods > 0) ratio('rest-kilobytes-per-pod', kilobytes('pods', counts.pods), '<=', 4);
  }
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
