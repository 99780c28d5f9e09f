import { Registry } from 'prom-client';
import { QueueMetrics, WorkQueue } from '../../lib/kube';
import { ManualClock } from './manual-clock';

test("a queue reports metrics under client-go's names and removes them on shutdown", async () => {
  const registry = new Registry();
  const clock = new ManualClock();
  const queue = new WorkQueue({ clock, meter: new QueueMetrics(registry, clock).meter('workloads') });
  const value = async (line: string): Promise<string | undefined> =>
    (await registry.metrics())
      .split('\n')
      .find((one) => one.startsWith(`${line}{`) && !one.includes('_bucket'))
      ?.split(' ')[1];
  for (const key of ['a', 'b', 'c', 'a']) queue.add(key);
  await clock.advance(3_000);
  expect([await value('workqueue_depth'), await value('workqueue_adds_total')]).toEqual(['3', '3']);
  await queue.get();
  await clock.advance(2_000);
  await queue.get();
  await clock.advance(1_000);
  expect(await value('workqueue_depth')).toBe('1');
  expect(await value('workqueue_queue_duration_seconds_sum')).toBe('8');
  expect(await value('workqueue_unfinished_work_seconds')).toBe('4');
  expect(await value('workqueue_longest_running_processor_seconds')).toBe('3');
  queue.addRateLimited('a');
  queue.done('a');
  queue.done('b');
  expect(await value('workqueue_work_duration_seconds_sum')).toBe('4');
  expect(await value('workqueue_retries_total')).toBe('1');
  await queue.shutDown({ discard: true });
  expect(await value('workqueue_depth')).toBeUndefined();
});
