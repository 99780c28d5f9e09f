import { type ManifestInput } from '../../../lib/api';
import { waitFor } from '../../control-plane/wait-for';
import { ControlledPods, longRunningTemplate, type ControlledPod } from '../controlled-pods';
import { type PinionCluster, isTrue, type LiveCustomResource, workloadOf } from '../pinion-suite';

type Spec = ManifestInput<'PinterestJobSet'>['spec'];
type Job = NonNullable<Spec['replicatedJobs']>[number];

const job = (name: string, fields: Partial<Job> = {}): Job => ({ name, template: longRunningTemplate(), ...fields });
const conditionOf = (document: LiveCustomResource, type: string) =>
  document.status?.conditions?.find((condition) => condition.type === type);
const jobOf = ({ metadata }: ControlledPod): string => metadata.ownerReferences?.[0]?.name ?? '';
const jobsOf = (pods: readonly ControlledPod[]): string[] => [...new Set(pods.map(jobOf))].sort();

/** Defines the tests of job sets with several jobs on a cluster that other tests use, too. */
export const jobSetJobs = (pinion: () => PinionCluster): void =>
  describe('job sets with several jobs', () => {
    let namespace = '';
    beforeAll(async () => {
      namespace = await pinion().project('sets');
    }, 120_000);

    const kubectl = (...args: readonly string[]) => pinion().cluster.kubectl([...args, '-n', namespace]);
    const untilJobSet = (name: string, holds: (document: LiveCustomResource) => boolean) =>
      pinion().until('PinterestJobSet', namespace, name, holds, 120_000);
    const untilEnded = (name: string, type: 'Complete' | 'Failed') =>
      untilJobSet(name, (document) => isTrue(document, type));
    const countsOf = ({ status }: LiveCustomResource) =>
      (status?.['jobs'] ?? {}) as Readonly<Record<string, { ready?: number; succeeded?: number; failed?: number }>>;

    async function startJobSet(name: string, spec: Spec): Promise<ControlledPods> {
      await pinion().apply(workloadOf('PinterestJobSet', namespace, name, spec));
      return new ControlledPods(pinion().cluster, namespace, name);
    }

    test('a driver decides the success of its workers, although the controller was killed', async () => {
      const pods = await startJobSet('crawl', {
        coordinator: { job: 'driver' },
        successPolicy: { operator: 'All', jobs: ['driver'] },
        replicatedJobs: [job('driver'), job('workers', { replicas: 2, shards: 2 })],
      });
      const running = await pods.running(5);
      expect(jobsOf(running)).toEqual(['crawl-driver-0', 'crawl-workers-0', 'crawl-workers-1']);
      for (const { spec } of running)
        expect(spec.containers[0]?.env).toContainEqual({ name: 'PINION_COORDINATOR', value: 'crawl-driver-0-0.crawl' });
      const ready = await untilJobSet('crawl', (document) => countsOf(document)['workers']?.ready === 2);
      expect(countsOf(ready)).toMatchObject({ driver: { ready: 1 }, workers: { ready: 2, succeeded: 0 } });
      for (const index of [0, 1]) await pods.end(index, 0, 'crawl-workers-1');
      await untilJobSet('crawl', (document) => countsOf(document)['workers']?.succeeded === 1);
      await pinion().controller.kill();
      await pods.end(0, 0, 'crawl-driver-0');
      await pinion().replaceController();
      const complete = await untilEnded('crawl', 'Complete');
      expect(conditionOf(complete, 'Complete')?.message).toBe('1 of 1 Jobs of driver succeeded');
      expect(complete.status).toMatchObject({ succeededIndexes: { driver: '0', workers: '2-3' } });
      await waitFor('the other workers to end', async () => (await pods.alive()).length === 0, { timeout: 120_000 });
      const { stdout } = await kubectl('get', 'pjs', 'crawl');
      expect(stdout.split('\n')[1]?.split(/\s+/).slice(0, 4)).toEqual(['crawl', 'True', 'Succeeded', '5']);
    });

    test('jobs start once those that they depend on are complete or ready', async () => {
      const pods = await startJobSet('ordered', {
        replicatedJobs: [
          job('data'),
          job('driver', { dependsOn: [{ name: 'data', status: 'Complete' }] }),
          job('workers', { shards: 2, dependsOn: [{ name: 'driver', status: 'Ready' }] }),
        ],
      });
      expect(jobsOf(await pods.running(1))).toEqual(['ordered-data-0']);
      const waiting = await untilJobSet('ordered', (document) =>
        (conditionOf(document, 'Ready')?.message ?? '').includes('Waiting: driver for data (Complete)'),
      );
      expect(Object.keys(waiting.status?.['children'] as object)).not.toContain('Job/ordered-driver-0');
      await pinion().controller.kill();
      await pods.end(0, 0, 'ordered-data-0');
      await pinion().replaceController();
      expect(jobsOf(await pods.running(3))).toEqual(['ordered-driver-0', 'ordered-workers-0']);
      const created = (await pods.all()).map((pod) => [
        jobOf(pod),
        (pod.metadata as { creationTimestamp?: string }).creationTimestamp,
      ]);
      expect(created.find(([name]) => name === 'ordered-driver-0')?.[1]).toBeDefined();
      await pods.end(0, 0, 'ordered-driver-0');
      for (const index of [0, 1]) await pods.end(index, 0, 'ordered-workers-0');
      const complete = await untilEnded('ordered', 'Complete');
      expect(countsOf(complete)).toMatchObject({
        data: { succeeded: 1 },
        driver: { succeeded: 1 },
        workers: { succeeded: 1 },
      });
    });

    test('failures restart the whole set, by rules of jobs and reasons, and a controller that is killed counts them once', async () => {
      const pods = await startJobSet('restarted', {
        retries: 0,
        failurePolicy: {
          maxRestarts: 1,
          rules: [
            { action: 'RestartJobSetAndIgnoreMaxRestarts', jobs: ['leader'] },
            { action: 'RestartJobSet', jobs: ['workers'] },
          ],
        },
        replicatedJobs: [job('leader'), job('workers', { shards: 2, maxFailedShards: 0 })],
      });
      await pods.running(3);
      await pods.end(0, 1, 'restarted-leader-0');
      await pinion().replaceController();
      const first = await untilJobSet('restarted', ({ status }) => status?.['restarts'] === 1);
      expect(first.status).toMatchObject({ uncountedRestarts: 1 });
      expect(first.status?.['restartCause']).toMatch(/^Job restarted-leader-0 failed/);
      await untilJobSet('restarted', (document) => countsOf(document)['workers']?.ready === 1);
      await pods.running(3);
      await pods.end(1, 1, 'restarted-workers-0');
      await untilJobSet('restarted', ({ status }) => status?.['restarts'] === 2);
      await untilJobSet('restarted', (document) => countsOf(document)['workers']?.ready === 1);
      await pods.running(3);
      await pods.end(0, 1, 'restarted-workers-0');
      const failed = await untilEnded('restarted', 'Failed');
      expect(failed.status).toMatchObject({ restarts: 2, uncountedRestarts: 1, phase: 'Failed' });
      expect(conditionOf(failed, 'Failed')?.message).toMatch(/^Job restarted-workers-0 failed/);
      const events = await kubectl(
        'get',
        'events',
        '--field-selector=reason=Restarted',
        '-o',
        'jsonpath={.items[*].message}',
      );
      expect(events.stdout).toContain('Job restarted-leader-0 failed');
    });

    test('each Job of an exclusive topology has a domain to itself', async () => {
      const pods = await startJobSet('slices', {
        replicatedJobs: [job('slice', { replicas: 2, shards: 2, exclusiveTopology: 'kubernetes.io/hostname' })],
      });
      const nodes = new Map<string, Set<string | undefined>>();
      for (const pod of await pods.running(4))
        nodes.set(jobOf(pod), (nodes.get(jobOf(pod)) ?? new Set()).add(pod.spec.nodeName));
      expect([...nodes.values()].map(({ size }) => size)).toEqual([1, 1]);
      expect(new Set([...nodes.values()].flatMap((names) => [...names])).size).toBe(2);
      await kubectl('delete', 'pjs', 'slices');
      await pods.gone();
    });
  });
