import { waitFor } from '../../test/control-plane/wait-for';
import { ratio } from '../ratio';
import { auditTime } from './audit-time';
import { editOne } from './drift';
import { type Fleet } from './fleet';
import { progress, printLine } from './progress';
import { sleep } from './sleep';
import { type Sizes } from './sizes';

/** Lease duration in seconds. */
const leaseDuration = 15;

/** Measures the time from the death of the leader to the first write of its successor. */
export async function failover(fleet: Fleet, { rounds }: Sizes): Promise<void> {
  const { bench } = fleet;
  await bench.stopControllers();
  let leader = bench.startController();
  await leader.leads();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    progress(`failover: ${round} of ${rounds}`);
    const successor = bench.startController();
    await waitFor('the successor to be ready', async () => (await successor.get('/readyz')).status === 200, {
      timeout: 120_000,
    });
    await bench.quiet(3);
    // At a random moment between two renewals.
    await sleep(Math.random() * 2000);
    const mark = bench.cluster.audit.mark();
    const killed = Date.now();
    await leader.kill();
    await editOne(fleet, Math.floor(Math.random() * fleet.services.length), 1_000_000 + round);
    const write = await waitFor(
      'the first write of the successor',
      () => Promise.resolve(bench.controllerRequests(mark).find(({ verb }) => verb !== 'get' && verb !== 'list')),
      { timeout: 120_000, interval: 500 },
    );
    times.push((auditTime(write.stageTimestamp) - killed) / 1000);
    leader = successor;
  }
  printLine(`failover: first write after ${times.map((time) => time.toFixed(1)).join(', ')} s`);
  ratio('failover-seconds-to-first-write', Math.max(...times), '<=', leaseDuration + 4);
}
