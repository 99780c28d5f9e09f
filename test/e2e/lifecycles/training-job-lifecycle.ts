import { type ManifestInput } from '../../../lib/api';
import { waitFor } from '../../control-plane/wait-for';
import { type PinionCluster, isTrue, type LiveCustomResource, workloadOf } from '../pinion-suite';
import { indexOf, longRunningTemplate, type ControlledPod, ControlledPods } from '../controlled-pods';

type Spec = ManifestInput<'PinterestTrainingJob'>['spec'];

const conditionOf = (document: LiveCustomResource, type: string) =>
  document.status?.conditions?.find((condition) => condition.type === type);

const variableOf = (pod: ControlledPod, name: string) =>
  pod.spec.containers[0]?.env?.find((variable) => variable.name === name);

const jobOf = ({ metadata }: ControlledPod): string => metadata.ownerReferences?.[0]?.name ?? '';

/** Defines the tests of a training job on a cluster that other tests use, too. */
export const trainingJobLifecycle = (pinion: () => PinionCluster): void =>
  describe('a training job', () => {
    let namespace = '';
    beforeAll(async () => {
      namespace = await pinion().project('training');
    }, 120_000);

    const kubectl = (...words: readonly string[]) => pinion().cluster.kubectl([...words, '-n', namespace]);
    const until = (name: string, holds: (document: LiveCustomResource) => boolean) =>
      pinion().until('PinterestTrainingJob', namespace, name, holds, 120_000);
    const ended = (name: string, type: 'Complete' | 'Failed') => until(name, (document) => isTrue(document, type));

    async function start(name: string, spec: Omit<Spec, 'template'> & Partial<Spec>): Promise<ControlledPods> {
      await pinion().apply(
        workloadOf('PinterestTrainingJob', namespace, name, { template: longRunningTemplate(), ...spec }),
      );
      return new ControlledPods(pinion().cluster, namespace, name);
    }

    const stopped = (pods: ControlledPods) =>
      waitFor('all members to end', async () => (await pods.alive()).length === 0, { timeout: 120_000 });

    test('of TensorFlow ends all workers and parameter servers with its leader', async () => {
      const pods = await start('leader', {
        framework: 'tensorflow',
        roles: { chief: {}, worker: { replicas: 2 }, ps: { replicas: 1 }, evaluator: {} },
      });
      const running = await pods.running(5);
      const ready = await pinion().ready('PinterestTrainingJob', namespace, 'leader', 120_000);
      expect(ready.status).toMatchObject({ phase: 'Running', readyMembers: '5/5' });
      for (const pod of running) {
        const config = variableOf(pod, 'TF_CONFIG')?.value ?? '';
        const role = jobOf(pod).replace('leader-', '');
        expect(config).toContain(`"task":{"type":"${role}","index":$(`);
        const cluster = (JSON.parse(config.replace(/\$\([A-Z_]+\)/, '0')) as { cluster: Record<string, string[]> })
          .cluster;
        expect(Object.fromEntries(Object.entries(cluster).map(([of, hosts]) => [of, hosts.length]))).toEqual({
          ...{ chief: 1, ps: 1, worker: 2 },
        });
        expect(cluster['worker']?.[1]).toMatch(/^leader-worker-1\.leader\.training\.svc:23456$/);
      }
      const { stdout: table } = await kubectl('get', 'ptj', 'leader');
      expect(table.split('\n')[0]?.split(/\s+/)).toEqual(
        expect.arrayContaining(['NAME', 'READY', 'PHASE', 'FRAMEWORK', 'MEMBERS', 'RESTARTS', 'AGE']),
      );
      expect(table.split('\n')[1]?.split(/\s+/).slice(0, 6)).toEqual([
        'leader',
        'True',
        'Running',
        'tensorflow',
        '5/5',
        '0',
      ]);
      await pods.end(0, 0, 'leader-chief');
      const waited = await kubectl('wait', '--for=condition=Complete', 'ptj/leader', '--timeout=120s');
      expect(waited.stdout).toContain('condition met');
      await stopped(pods);
      const complete = await ended('leader', 'Complete');
      expect(complete.status).toMatchObject({ phase: 'Succeeded' });
      expect((await pods.all()).map(jobOf)).toContain('leader-chief');
      const { stdout: described } = await kubectl('describe', 'ptj', 'leader');
      for (const part of [
        /Type: +Complete/,
        /Framework: +tensorflow/,
        /Job\/leader-chief:/,
        /leader, .*Job leader-chief, succeeded/,
      ])
        expect(described).toMatch(part);
    });

    test('with AllWorkers waits for all workers and the evaluator, but not for parameter servers', async () => {
      const pods = await start('all', {
        ...{ framework: 'tensorflow', successPolicy: 'AllWorkers' },
        roles: { chief: {}, worker: { replicas: 1 }, ps: {}, evaluator: {} },
      });
      await pods.running(4);
      for (const job of ['all-chief', 'all-worker']) await pods.end(0, 0, job);
      await until(
        'all',
        ({ status }) => (status?.['succeededIndexes'] as Record<string, string> | undefined)?.['worker'] === '0',
      );
      expect((await pods.alive()).map(jobOf).sort()).toEqual(['all-evaluator', 'all-ps']);
      await pods.end(0, 0, 'all-evaluator');
      await ended('all', 'Complete');
      await stopped(pods);
    });

    test.each([
      ['All', 0, 0],
      ['Running', 0, 1],
      ['None', 2, 3],
    ] as const)('cleans up pods after success with policy %s', async (cleanPodPolicy, alive, left) => {
      const name = `clean-${cleanPodPolicy.toLowerCase()}`;
      const pods = await start(name, {
        framework: 'pytorch',
        cleanPodPolicy,
        roles: { master: {}, worker: { replicas: 2 } },
      });
      await pods.running(3);
      await pods.end(0);
      await ended(name, 'Complete');
      await waitFor(
        `${left} pods to be left`,
        async () => {
          const all = await pods.all();
          const counted = all.filter(
            ({ metadata, status }) => metadata.deletionTimestamp === undefined && status.phase !== 'Failed',
          );
          return counted.length === left && (await pods.alive()).length === alive;
        },
        { timeout: 120_000 },
      );
    });

    test('of PyTorch passes each member its rank', async () => {
      const pods = await start('ranks', { framework: 'pytorch', roles: { master: {}, worker: { replicas: 2 } } });
      const running = await pods.running(3);
      expect(running.map(indexOf).sort()).toEqual([0, 1, 2]);
      for (const pod of running) {
        expect(variableOf(pod, 'WORLD_SIZE')?.value).toBe('3');
        const rank = variableOf(pod, 'RANK');
        expect(rank?.value ?? rank?.valueFrom?.fieldRef?.fieldPath).toMatch(/job-completion-index|\$\(/);
        expect(variableOf(pod, 'MASTER_ADDR')?.value).toBe('ranks-0.ranks.training.svc');
        expect(pod.spec).toMatchObject({ hostname: `ranks-${indexOf(pod)}`, subdomain: 'ranks' });
      }
      await kubectl('delete', 'ptj', 'ranks');
      await pods.gone();
    });

    test('of JAX passes each member the coordinator and its process ID, and restarts a member', async () => {
      const pods = await start('encoder', {
        framework: 'jax',
        successPolicy: 'AllWorkers',
        roles: { worker: { replicas: 3 } },
      });
      const running = await pods.running(3);
      expect(running.map(indexOf).sort()).toEqual([0, 1, 2]);
      for (const pod of running) {
        const valueOf = (name: string) => variableOf(pod, name)?.value;
        expect(valueOf('COORDINATOR_ADDRESS')).toBe('encoder-0.encoder.training.svc');
        expect([valueOf('COORDINATOR_PORT'), valueOf('NUM_PROCESSES')]).toEqual(['23456', '3']);
        expect(valueOf('JAX_COORDINATOR_ADDRESS')).toBe('encoder-0.encoder.training.svc:23456');
        for (const name of ['PROCESS_ID', 'JAX_PROCESS_ID'])
          expect(variableOf(pod, name)?.valueFrom?.fieldRef?.fieldPath).toMatch(/job-completion-index/);
        expect(pod.spec).toMatchObject({ hostname: `encoder-${indexOf(pod)}`, subdomain: 'encoder' });
      }
      const coordinator = await pods.end(0, 134);
      await waitFor(
        'another coordinator of the same name',
        async () =>
          (await pods.running(3)).some(
            (pod) => pod.spec.hostname === 'encoder-0' && pod.metadata.uid !== coordinator.metadata.uid,
          ),
        { timeout: 120_000 },
      );
      for (const index of [0, 1, 2]) await pods.end(index);
      const complete = await ended('encoder', 'Complete');
      expect(complete.status?.['succeededIndexes']).toMatchObject({ worker: '0-2' });
    });

    test('fails as a whole when a role fails for good', async () => {
      const pods = await start('broken', {
        ...{ framework: 'tensorflow', retries: 0 },
        roles: { chief: {}, worker: { replicas: 2 }, ps: {} },
      });
      await pods.running(4);
      await pods.end(1, 7, 'broken-worker');
      const failed = await ended('broken', 'Failed');
      expect(conditionOf(failed, 'Failed')?.message).toContain('Job broken-worker failed');
      expect(failed.status?.['failedIndexes']).toMatchObject({ worker: '1' });
      expect(failed.status?.cause).toMatchObject({ owner: 'application' });
      await stopped(pods);
    });

    test('with ExitCode restarts a killed member, and fails on a permanent exit code', async () => {
      const pods = await start('codes', {
        ...{ framework: 'tensorflow', retries: 3 },
        roles: { chief: { restartPolicy: 'ExitCode' }, worker: { replicas: 1, restartPolicy: 'ExitCode' } },
      });
      await pods.running(2);
      const killed = await pods.end(0, 137, 'codes-worker');
      await waitFor(
        'another worker',
        async () => (await pods.running(2)).every(({ metadata }) => metadata.uid !== killed.metadata.uid),
        { timeout: 120_000 },
      );
      await pods.end(0, 3, 'codes-worker');
      const failed = await ended('codes', 'Failed');
      expect(conditionOf(failed, 'Failed')?.reason).toBe('PodFailurePolicy');
      await stopped(pods);
    });

    test('that is elastic continues with fewer members, down to minReplicas', async () => {
      const pods = await start('elastic', {
        ...{ framework: 'pytorch', retries: 0, successPolicy: 'AllWorkers' },
        ...{ elastic: { minReplicas: 2, maxReplicas: 3 }, roles: { worker: { replicas: 3 } } },
      });
      const [one] = await pods.running(3);
      expect(one && variableOf(one, 'PET_NNODES')?.value).toBe('2:3');
      await pods.end(2, 1);
      await until('elastic', ({ status }) => Object.values((status?.['failedIndexes'] ?? {}) as object).includes('2'));
      expect((await pods.running(2)).map(indexOf).sort()).toEqual([0, 1]);
      await pods.end(1, 1);
      const failed = await ended('elastic', 'Failed');
      expect(conditionOf(failed, 'Failed')?.reason).toBe('MaxFailedIndexesExceeded');
      await stopped(pods);
    });
  });
