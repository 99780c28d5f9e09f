import { type ManifestInput } from '../../../lib/api';
import { expectStatus } from '../../control-plane/api-response';
import { waitFor } from '../../control-plane/wait-for';
import { type PinionCluster, isTrue, type LiveCustomResource, smallTemplate, workloadOf } from '../pinion-suite';
import { indexOf, longRunningTemplate, ControlledPods } from '../controlled-pods';

type Spec = ManifestInput<'PinterestJobSet'>['spec'];

/** Gives every shard its own Job. */
const oneJobPerShard = {
  configTemplates: [{ name: 'input', mountPath: '/etc/input', data: { shard: '$(PINION_SHARD_INDEX)' } }],
};

interface Job {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly suspend?: boolean };
}

const conditionOf = (document: LiveCustomResource, type: string) =>
  document.status?.conditions?.find((condition) => condition.type === type);

/** Defines the tests of the lifecycle of a job set on a cluster that other tests use, too. */
export const jobSetLifecycle = (pinion: () => PinionCluster): void =>
  describe('lifecycle of a job set', () => {
    let namespace = '';
    beforeAll(async () => {
      namespace = await pinion().project('batch');
    }, 120_000);

    const kubectl = (...args: readonly string[]) => pinion().cluster.kubectl([...args, '-n', namespace]);
    const untilJobSet = (name: string, holds: (document: LiveCustomResource) => boolean) =>
      pinion().until('PinterestJobSet', namespace, name, holds, 120_000);
    const untilEnded = (name: string, type: 'Complete' | 'Failed') =>
      untilJobSet(name, (document) => isTrue(document, type));

    async function startJobSet(name: string, spec: Spec): Promise<ControlledPods> {
      await pinion().apply(workloadOf('PinterestJobSet', namespace, name, spec));
      return new ControlledPods(pinion().cluster, namespace, name);
    }

    async function jobsOf(name: string): Promise<readonly Job[]> {
      const query = { labelSelector: `pinterest.com/workload=${name}` };
      const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
      const { body } = expectStatus(await pinion().cluster.client.request('GET', path, undefined, { query }), [200]);
      return (body as { items: readonly Job[] }).items;
    }

    test('runs equal shards to completion and reports it to kubectl', async () => {
      const pods = await startJobSet('equal', { shards: 3, template: longRunningTemplate() });
      const running = await pinion().ready('PinterestJobSet', namespace, 'equal', 120_000);
      expect(running.status).toMatchObject({ phase: 'Running', startTime: expect.any(String) as string });
      await pods.running(3);
      for (const index of [2, 0]) await pods.end(index);
      await untilJobSet('equal', ({ status }) => (status?.['shards'] as { succeeded?: number }).succeeded === 2);
      await pods.end(1);
      const waited = await kubectl('wait', '--for=condition=Complete', 'pjs/equal', '--timeout=120s');
      expect(waited.stdout).toContain('condition met');
      const complete = await untilEnded('equal', 'Complete');
      expect(complete.status).toMatchObject({
        phase: 'Succeeded',
        restarts: 0,
        shards: { active: 0, succeeded: 3, failed: 0 },
        completionTime: expect.any(String) as string,
      });
      expect(Object.values(complete.status?.['succeededIndexes'] as object)).toEqual(['0-2']);
      expect(isTrue(complete, 'Ready')).toBe(true);
      expect(await jobsOf('equal')).toHaveLength(1);
      const { stdout: table } = await kubectl('get', 'pjs', 'equal');
      expect(table.split('\n')[0]?.split(/\s+/)).toEqual(
        expect.arrayContaining(['NAME', 'READY', 'PHASE', 'SHARDS', 'ACTIVE', 'SUCCEEDED', 'FAILED', 'AGE']),
      );
      expect(table.split('\n')[1]?.split(/\s+/).slice(0, 7)).toEqual([
        'equal',
        'True',
        'Succeeded',
        '3',
        '0',
        '3',
        '0',
      ]);
      const { stdout: described } = await kubectl('describe', 'pjs', 'equal');
      for (const part of [/Succeeded Indexes:/, /Type: +Complete/, /Job\/equal:/, /Job equal succeeded/])
        expect(described).toMatch(part);
    });

    test('gives shards that differ their own Jobs and files within the parallelism limit', async () => {
      const pods = await startJobSet('differ', {
        shards: 4,
        parallelism: 2,
        ...oneJobPerShard,
        overrides: [{ shards: [3], env: { LAST: 'yes' }, config: { input: { shard: 'the last' } } }],
        template: longRunningTemplate(),
      });
      let maxAlive = 0;
      const order: number[] = [];
      for (const remaining of [4, 3, 2, 1]) {
        const alive = await pods.running(Math.min(2, remaining));
        maxAlive = Math.max(maxAlive, alive.length);
        const next = [...alive].sort((a, b) => indexOf(a) - indexOf(b))[0];
        if (!next) throw new Error('no pod is running');
        order.push(indexOf(next));
        await pods.endPod(next);
        await waitFor('the job set to finish', async () =>
          (await pods.alive()).every(({ metadata }) => metadata.uid !== next.metadata.uid),
        );
      }
      expect(order).toEqual([0, 1, 2, 3]);
      const complete = await untilEnded('differ', 'Complete');
      expect(Object.values(complete.status?.['succeededIndexes'] as object)).toEqual(['0-3']);
      expect((await jobsOf('differ')).map(({ metadata }) => metadata.name).sort()).toEqual(
        [0, 1, 2, 3].map((index) => `differ-${index}`),
      );
      const { stdout } = await kubectl(
        'get',
        'configmap',
        '-l',
        'pinterest.com/workload=differ',
        '-o',
        'jsonpath={.items[*].data.shard}',
      );
      expect(stdout.split(' ').slice(0, 3).sort()).toEqual(['0', '1', '2']);
      expect(stdout).toContain('the last');
      const last = (await pods.all()).find((pod) => indexOf(pod) === 3);
      expect(last?.spec.containers[0]?.env).toContainEqual({ name: 'LAST', value: 'yes' });
      expect(maxAlive).toBe(2);
    });

    test.each([
      ['one Job', {}],
      ['one Job per shard', oneJobPerShard],
    ])('stops all shards when one fails and no failures are allowed, over %s', async (title, shape) => {
      const name = title === 'one Job' ? 'strict' : 'strict-apart';
      const pods = await startJobSet(name, {
        shards: 3,
        retries: 0,
        failurePolicy: { maxFailedShards: 0 },
        template: longRunningTemplate(),
        ...shape,
      });
      await pods.running(3);
      await pods.end(1, 3);
      const failed = await untilEnded(name, 'Failed');
      expect(conditionOf(failed, 'Failed')?.reason).toMatch(/MaxFailed(Shards|Indexes)Exceeded/);
      expect(Object.values(failed.status?.['failedIndexes'] as object)).toEqual(['1']);
      expect(failed.status).toMatchObject({ phase: 'Failed', shards: { succeeded: 0, failed: 1 } });
      expect(isTrue(failed, 'Ready')).toBe(false);
      await waitFor('the others to end', async () => (await pods.alive()).length === 0, { timeout: 120_000 });
    });

    test('continues with the other shards when failures are allowed and reports the failed ones', async () => {
      const pods = await startJobSet('lenient', {
        shards: 3,
        retries: 0,
        template: longRunningTemplate(),
        ...oneJobPerShard,
      });
      await pods.running(3);
      await pods.end(2, 9);
      await untilJobSet('lenient', ({ status }) => (status?.['shards'] as { failed?: number }).failed === 1);
      await pods.end(0);
      await pods.end(1);
      const failed = await untilEnded('lenient', 'Failed');
      expect(conditionOf(failed, 'Failed')).toMatchObject({ reason: 'FailedShards', message: 'shards 2 failed' });
      expect(failed.status?.cause).toMatchObject({ owner: 'application' });
      expect(failed.status?.cause?.message).toMatch(/9/);
    });

    test('fails at once by an exit code rule and retries without one', async () => {
      const pods = await startJobSet('rules', {
        shards: 2,
        retries: 3,
        podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] },
        template: longRunningTemplate(),
        ...oneJobPerShard,
      });
      await pods.running(2);
      const first = await pods.end(0, 1);
      await waitFor(
        'a replacement pod',
        async () => (await pods.alive()).some((pod) => indexOf(pod) === 0 && pod.metadata.uid !== first.metadata.uid),
        { timeout: 120_000 },
      );
      await pods.running(2);
      await pods.end(1, 42);
      const failed = await untilEnded('rules', 'Failed');
      expect(conditionOf(failed, 'Failed')?.reason).toBe('PodFailurePolicy');
      await waitFor('the others to end', async () => (await pods.alive()).length === 0, { timeout: 120_000 });
    });

    test.each([
      ['a given shard, over one Job', 'chosen', { successPolicy: { shards: [1] } }, 1],
      [
        'a given shard, over one Job per shard',
        'chosen-apart',
        { successPolicy: { shards: [1] }, ...oneJobPerShard },
        1,
      ],
      [
        'a number of shards, over one Job per shard',
        'some-apart',
        { successPolicy: { count: 1 }, ...oneJobPerShard },
        2,
      ],
    ])('succeeds early by a success policy with %s', async (_, name, shape, index) => {
      const pods = await startJobSet(name, { shards: 3, template: longRunningTemplate(), ...shape });
      await pods.running(3);
      await pods.end(index);
      const complete = await untilEnded(name, 'Complete');
      expect(Object.values(complete.status?.['succeededIndexes'] as object)).toEqual([String(index)]);
      await waitFor('the others to end', async () => (await pods.alive()).length === 0, { timeout: 120_000 });
      expect((await pinion().read('PinterestJobSet', namespace, name))?.status?.phase).toBe('Succeeded');
    });

    test('stops while suspended and resumes where it stopped', async () => {
      const spec: Spec = { shards: 2, template: longRunningTemplate(), ...oneJobPerShard };
      const pods = await startJobSet('pause', spec);
      await pods.running(2);
      await pods.end(0);
      await untilJobSet('pause', ({ status }) => (status?.['shards'] as { succeeded?: number }).succeeded === 1);
      await startJobSet('pause', { ...spec, suspend: true });
      await untilJobSet('pause', ({ status }) => status?.phase === 'Suspended');
      await waitFor('no pod to run', async () => (await pods.alive()).length === 0, { timeout: 120_000 });
      await startJobSet('pause', spec);
      expect((await pods.running(1)).map(indexOf)).toEqual([1]);
      await pods.end(1);
      await untilEnded('pause', 'Complete');
    });

    test('fails at its deadline', async () => {
      const pods = await startJobSet('late', {
        shards: 2,
        activeDeadline: '5s',
        template: longRunningTemplate(),
        ...oneJobPerShard,
      });
      const failed = await untilEnded('late', 'Failed');
      expect(conditionOf(failed, 'Failed')?.reason).toBe('DeadlineExceeded');
      await waitFor('its pods to end', async () => (await pods.alive()).length === 0, { timeout: 120_000 });
    });

    test('is deleted with all its objects after ttlAfterFinished', async () => {
      const pods = await startJobSet('brief', {
        shards: 2,
        ttlAfterFinished: '3s',
        template: smallTemplate(),
        ...oneJobPerShard,
      });
      await waitFor(
        'the job set to be deleted',
        async () => (await pinion().read('PinterestJobSet', namespace, 'brief')) === undefined,
        { timeout: 120_000 },
      );
      await pods.gone();
      await waitFor(
        'all its objects to be deleted',
        async () =>
          (await kubectl('get', 'job,configmap,serviceaccount', '-l', 'pinterest.com/workload=brief', '-o', 'name'))
            .stdout === '',
        { timeout: 120_000 },
      );
    });

    test.each([
      ['are deleted with it', 'Delete', 0],
      ['are retained', 'Retain', 2],
    ] as const)('creates volume claims that %s', async (_, claimRetention, remaining) => {
      const name = `claims-${claimRetention.toLowerCase()}`;
      const claims = async () =>
        (await kubectl('get', 'pvc', '-l', `pinterest.com/workload=${name}`, '-o', 'name')).stdout
          .split('\n')
          .filter(Boolean);
      await startJobSet(name, {
        shards: 2,
        claimRetention,
        volumeClaimTemplates: [{ name: 'data', size: '1Gi', mountPath: '/data' }],
        template: smallTemplate(),
      });
      await untilEnded(name, 'Complete');
      expect(await claims()).toHaveLength(2);
      await kubectl('delete', 'pjs', name);
      await waitFor('its Jobs to be gone', async () => (await jobsOf(name)).length === 0, { timeout: 120_000 });
      await waitFor(`${remaining} claims to be left`, async () => (await claims()).length === remaining, {
        timeout: 120_000,
      });
      if (remaining > 0) {
        await kubectl('annotate', 'namespace', namespace, 'test.pinion/looked-at=yes');
        expect(await claims()).toHaveLength(remaining);
      }
    });
  });
