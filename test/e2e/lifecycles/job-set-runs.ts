import { type ManifestInput } from '../../../lib/api';
import { defaultPlatform, defaultProfile } from '../../../lib/expand';
import { expectStatus } from '../../control-plane/api-response';
import { waitFor } from '../../control-plane/wait-for';
import {
  controllerUser,
  type PinionCluster,
  isTrue,
  type LiveCustomResource,
  smallTemplate,
  workloadOf,
} from '../pinion-suite';
import { indexOf, longRunningTemplate, ControlledPods } from '../controlled-pods';

type Spec = ManifestInput<'PinterestJobSet'>['spec'];

/** Gives every shard its own Job. */
const oneJobPerShard = { configTemplates: [{ name: 'input', mountPath: '/etc/input', data: { shard: '1' } }] };

interface Job {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly spec: { readonly suspend?: boolean };
}

const readyCondition = (document: LiveCustomResource) =>
  document.status?.conditions?.find(({ type }) => type === 'Ready');

/** Defines the tests of the runs of a job set on a cluster that other tests use, too. */
export const jobSetRuns = (pinion: () => PinionCluster): void =>
  describe('runs of a job set', () => {
    let namespace = '';
    beforeAll(async () => {
      namespace = await pinion().project('runs');
    }, 120_000);

    const untilJobSet = (name: string, holds: (document: LiveCustomResource) => boolean) =>
      pinion().until('PinterestJobSet', namespace, name, holds, 120_000);
    const untilEnded = (name: string, type: 'Complete' | 'Failed') =>
      untilJobSet(name, (document) => isTrue(document, type));

    async function startJobSet(name: string, spec: Spec): Promise<ControlledPods> {
      await pinion().apply(workloadOf('PinterestJobSet', namespace, name, spec));
      return new ControlledPods(pinion().cluster, namespace, name);
    }

    const jobsPath = () => `/apis/batch/v1/namespaces/${namespace}/jobs`;

    async function jobsOf(name: string): Promise<readonly Job[]> {
      const query = { labelSelector: `pinterest.com/workload=${name}` };
      const { body } = expectStatus(
        await pinion().cluster.client.request('GET', jobsPath(), undefined, { query }),
        [200],
      );
      return (body as { items: readonly Job[] }).items;
    }

    const deleteJob = (name: string) =>
      pinion().cluster.kubectl(['delete', 'job', name, '-n', namespace, '--cascade=foreground', '--timeout=120s']);

    /** Rejects Job deletions by the controller until the returned function is called. */
    async function denyJobDeletion(): Promise<() => Promise<void>> {
      const name = 'keep-jobs';
      const parts = [
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name },
          spec: {
            matchConstraints: {
              resourceRules: [
                { apiGroups: ['batch'], apiVersions: ['v1'], operations: ['DELETE'], resources: ['jobs'] },
              ],
            },
            matchConditions: [{ name: 'controller', expression: `request.userInfo.username == '${controllerUser}'` }],
            validations: [{ expression: 'false', message: 'denied by the test' }],
          },
        },
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata: { name },
          spec: { policyName: name, validationActions: ['Deny'] },
        },
      ];
      const { cluster } = pinion();
      for (const part of parts) expectStatus(await cluster.client.apply(part), [200, 201]);
      const token = await cluster.serviceAccountToken('pinion-controller', 'pinion-controller');
      const rejected = async () =>
        (await cluster.withToken(token).request('DELETE', `${jobsPath()}/probe`, undefined, { dryRun: true })).status;
      await cluster.kubectl([
        'create',
        'job',
        'probe',
        '--image=probe',
        '-n',
        namespace,
        '--dry-run=client',
        '-o',
        'name',
      ]);
      expectStatus(
        await cluster.client.apply({
          ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'probe', namespace } },
          spec: {
            suspend: true,
            template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } },
          },
        } as Parameters<typeof cluster.client.apply>[0]),
        [200, 201],
      );
      await waitFor('the policy to be in force', async () => (await rejected()) === 422, { timeout: 60_000 });
      return async () => {
        for (const part of [...parts].reverse()) expectStatus(await cluster.client.delete(part), [200]);
        await waitFor('the policy to be gone', async () => (await rejected()) === 200, { timeout: 60_000 });
      };
    }

    test.each([
      ['one Job', {}],
      ['one Job per shard', oneJobPerShard],
    ])('restart up to the restart limit after failures, over %s', async (title, shape) => {
      const name = title === 'one Job' ? 'again' : 'again-apart';
      const pods = await startJobSet(name, {
        ...{ shards: 2, retries: 0, failurePolicy: { maxFailedShards: 0, maxRestarts: 1 } },
        ...{ template: longRunningTemplate(), ...shape },
      });
      const first = (await pods.running(2)).map(({ metadata }) => metadata.uid);
      await pods.end(0, 1);
      const again = await untilJobSet(name, ({ status }) => status?.['restarts'] === 1);
      expect(again.status?.['failedIndexes'] ?? {}).toEqual({});
      const second = await waitFor('new pods', async () => {
        const running = await pods.running(2);
        return running.some(({ metadata }) => first.includes(metadata.uid)) ? undefined : running;
      });
      expect(second.map(indexOf).sort()).toEqual([0, 1]);
      await pods.end(1, 1);
      const failed = await untilEnded(name, 'Failed');
      expect(failed.status).toMatchObject({ restarts: 1, phase: 'Failed' });
    });

    test('count one restart when the controller crashes between recording it and deleting the Jobs', async () => {
      const name = 'killed';
      const pods = await startJobSet(name, {
        ...{ shards: 2, retries: 0, failurePolicy: { maxFailedShards: 0, maxRestarts: 5 } },
        ...{ template: longRunningTemplate(), ...oneJobPerShard },
      });
      await pods.running(2);
      const before = (await jobsOf(name)).map(({ metadata }) => metadata.uid);
      const allowDeletion = await denyJobDeletion();
      await pods.end(0, 1);
      await untilJobSet(name, ({ status }) => status?.['restarts'] === 1);
      await pinion().replaceController();
      await allowDeletion();
      await waitFor(
        'Jobs of the second attempt',
        async () => {
          const jobs = await jobsOf(name);
          return jobs.length === 2 && jobs.every(({ metadata }) => !before.includes(metadata.uid));
        },
        { timeout: 120_000 },
      );
      for (const index of [0, 1]) await pods.end(index);
      const complete = await untilEnded(name, 'Complete');
      expect(complete.status).toMatchObject({ restarts: 1 });
    }, 240_000);

    test.each([
      ['one Job', {}],
      ['one Job per shard', oneJobPerShard],
    ])('do not change while they run unless the user allows the loss of progress, over %s', async (title, shape) => {
      const name = title === 'one Job' ? 'changed' : 'changed-apart';
      const spec: Spec = { shards: 3, template: longRunningTemplate(), ...shape };
      const pods = await startJobSet(name, spec);
      await pods.running(3);
      await pods.end(2);
      await untilJobSet(name, ({ status }) => (status?.['shards'] as { succeeded?: number }).succeeded === 1);
      const before = await jobsOf(name);
      const other: Spec = { ...spec, template: longRunningTemplate({ other: 'work' }) };
      await startJobSet(name, other);
      const blocked = await untilJobSet(
        name,
        (document) => readyCondition(document)?.reason === 'DestructiveChangeBlocked',
      );
      expect(readyCondition(blocked)?.message).toContain('spec.allowLoss');
      expect(isTrue(blocked, 'Stalled')).toBe(true);
      await startJobSet(name, { ...other, suspend: true });
      await waitFor('its pods to stop', async () => (await pods.alive()).length === 0, { timeout: 120_000 });
      await startJobSet(name, other);
      await pods.running(2);
      const uids = (jobs: readonly Job[]) => jobs.map(({ metadata }) => metadata.uid).sort();
      expect(uids(await jobsOf(name))).toEqual(uids(before));
      await startJobSet(name, { ...other, allowLoss: ['Progress'] });
      await waitFor(
        'pods of the changed spec',
        async () => (await pods.running(3)).every(({ metadata }) => metadata.annotations?.['other'] === 'work'),
        { timeout: 120_000 },
      );
      for (const index of [0, 1, 2]) await pods.end(index);
      await untilEnded(name, 'Complete');
    });

    test('start again when the spec changes after completion', async () => {
      const pods = await startJobSet('next', { shards: 1, template: smallTemplate() });
      const first = await untilEnded('next', 'Complete');
      await startJobSet('next', { shards: 2, template: smallTemplate({ other: 'work' }) });
      const second = await untilJobSet(
        'next',
        (document) => isTrue(document, 'Complete') && document.status?.['run'] !== first.status?.['run'],
      );
      expect(Object.values(second.status?.['succeededIndexes'] as object)).toEqual(['0-1']);
      expect((await pods.all()).every(({ metadata }) => metadata.annotations?.['other'] === 'work')).toBe(true);
    });

    test('do not start again after completion when Jobs are deleted, the controller restarts or the profile changes', async () => {
      const names = { whole: 'over', apart: 'over-apart', half: 'half' };
      const whole = await startJobSet(names.whole, { shards: 2, template: smallTemplate() });
      const split = await startJobSet(names.apart, { shards: 2, template: smallTemplate(), ...oneJobPerShard });
      const half = await startJobSet(names.half, { shards: 2, template: longRunningTemplate(), ...oneJobPerShard });
      await untilEnded(names.whole, 'Complete');
      await untilEnded(names.apart, 'Complete');
      await half.running(2);
      await half.end(0);
      await untilJobSet(names.half, ({ status }) => (status?.['shards'] as { succeeded?: number }).succeeded === 1);
      for (const job of [names.whole, `${names.apart}-0`, `${names.half}-0`]) await deleteJob(job);
      await pinion().replaceController();
      await pinion().apply({
        ...defaultProfile,
        metadata: { name: 'default-2' },
        spec: { ...defaultProfile.spec, version: '2.0.0' },
      });
      await pinion().apply({
        ...defaultPlatform,
        spec: { ...defaultPlatform.spec, runtime: { ...defaultPlatform.spec.runtime, profile: 'default-2' } },
      });
      await pinion().ready('Platform', '', 'cluster', 120_000);
      // By now the controller has reconciled this one too.
      const otherJobSet = await startJobSet('other', { shards: 1, template: smallTemplate() });
      await untilEnded('other', 'Complete');
      expect((await otherJobSet.all())[0]?.metadata.annotations?.['pinterest.com/runtime-profile']).toContain(
        'default-2',
      );
      expect(await jobsOf(names.whole)).toEqual([]);
      expect((await jobsOf(names.apart)).map(({ metadata }) => metadata.name)).toEqual([`${names.apart}-1`]);
      expect(await whole.all()).toEqual([]);
      expect((await split.all()).map(indexOf)).toEqual([1]);
      expect((await half.alive()).map(indexOf)).toEqual([1]);
      await half.end(1);
      const complete = await untilEnded(names.half, 'Complete');
      expect(Object.values(complete.status?.['succeededIndexes'] as object)).toEqual(['0-1']);
      expect((await jobsOf(names.half)).map(({ metadata }) => metadata.name)).toEqual([`${names.half}-1`]);
    }, 240_000);
  });
