import { type ManifestInput } from '../../lib/api';
import { ProblemResponse } from '../../lib/submission';
import { podBehavior } from '../control-plane/pod-behavior';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';
import { EngineInProcess, home, userOf } from './submission-engine';

const project = 'shop';
const dev = userOf('mia@example.com', 'shop-developers');

const service = (tag: string, spec: Partial<ManifestInput<'PinterestService'>['spec']> = {}) => {
  const { spec: pod } = smallTemplate();
  const template = { spec: { ...pod, containers: [{ name: 'app', image: `registry.example.com/app:${tag}` }] } };
  return workloadOf('PinterestService', project, 'cart', { replicas: 2, template, ...spec });
};
/** Returns a template whose pods crash at once on simulated nodes. */
const crashing = (tag: string) => {
  const { spec } = service(tag).spec.template;
  return { metadata: { annotations: { [podBehavior.crashLoop]: 'app' } }, spec };
};
const quick = { timeout: '10s', onFailure: 'Rollback' as const };
const stages = [{ name: 'prod', stop: { timeout: '60s', onFailure: 'Rollback' as const } }];

describePinion('deployments by the submission service', (pinion) => {
  // A nested suite, whose hooks run before the cluster stops.
  describe('in one process', () => {
    let submission: EngineInProcess;
    beforeAll(async () => {
      await pinion().cluster.client.request('POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: home },
      });
      await pinion().project(project, {
        members: [
          { kind: 'Group', name: 'shop-developers', role: 'edit' },
          { kind: 'Group', name: 'shop-viewers', role: 'view' },
        ],
        quota: { pods: '6' },
      });
      submission = new EngineInProcess(pinion());
      await submission.start();
    }, 120_000);
    afterAll(async () => {
      await submission.stop();
      expect(submission.errors).toEqual([]);
    });

    test('deploys a published version and reports every step', async () => {
      const artifact = await submission.publishing.publish(project, '1.0.0', [service('1.0.0')], stages);
      const { deployment, messages } = await submission.deploy(dev, artifact, 'prod');
      expect(messages).toEqual(
        expect.arrayContaining(['started', 'applied on main: 1 created', 'all workloads are Ready']),
      );
      expect(deployment).toMatchObject({
        phase: 'ready',
        version: '1.0.0',
        targets: [{ name: 'main', phase: 'ready' }],
      });
    });

    test('stops a version that cannot become Ready and restores the previous one', async () => {
      const bad = service('1.1.0', { template: crashing('1.1.0') });
      const artifact = await submission.publishing.publish(project, '1.1.0', [bad], [{ name: 'prod', stop: quick }]);
      const { deployment, messages } = await submission.deploy(dev, artifact, 'prod');
      expect(messages.at(-1)).toBe('rolled back to 1.0.0');
      expect(deployment).toMatchObject({
        phase: 'rolledBack',
        previous: { version: '1.0.0' },
        cause: { owner: 'application' },
        targets: [{ name: 'main', phase: 'rolledBack' }],
      });
      const live = await pinion().read('PinterestService', project, 'cart');
      expect(JSON.stringify(live?.spec)).toContain('registry.example.com/app:1.0.0');
    });

    test('a repeated idempotency key returns the same deployment, and is rejected with another request', async () => {
      const artifact = await submission.publishing.publish(project, '1.2.0', [service('1.2.0')], stages);
      const context = { caller: dev, idempotencyKey: 'run-4711-deploy' };
      const first = await submission.engine.deploy(context, { artifact, stage: 'prod' });
      const again = await submission.engine.deploy(context, { artifact, stage: 'prod' });
      expect(again.id).toBe(first.id);
      const other = { artifact: `${project}/web@1.0.0`, stage: 'prod' };
      await expect(submission.engine.deploy(context, other)).rejects.toMatchObject({ status: 409 });
      expect((await submission.whenEnded(dev, first.id)).deployment.phase).toBe('ready');
      // Idempotency keys are scoped to the caller.
      const colleague = { ...context, caller: userOf('noa@example.com', 'shop-developers') };
      expect((await submission.engine.deploy(colleague, { artifact, stage: 'prod' })).id).toBe(first.id);
    });

    test('a user rolls back to the version that was Ready before', async () => {
      const context = { caller: dev, idempotencyKey: 'back-to-before' };
      const { id } = await submission.engine.rollBack(context, { project, workflow: 'web', stage: 'prod' });
      const { deployment } = await submission.whenEnded(dev, id);
      expect(deployment).toMatchObject({ phase: 'ready', intent: 'rollBack', version: '1.0.0' });
    });

    test('removes workloads that the workflow no longer has once the rest is Ready', async () => {
      const till = { ...service('1.3.0'), metadata: { name: 'till', namespace: project } };
      const both = await submission.publishing.publish(project, '1.3.0', [service('1.3.0'), till], stages);
      expect((await submission.deploy(dev, both, 'prod')).deployment.phase).toBe('ready');
      const one = await submission.publishing.publish(project, '1.4.0', [service('1.4.0')], stages);
      const { deployment } = await submission.deploy(dev, one, 'prod');
      expect(deployment.targets[0]?.workloads).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'till', change: 'removed' })]),
      );
      expect(await pinion().read('PinterestService', project, 'till')).toBeUndefined();
    });

    test('returns 404 to non-members and 403 to viewers', async () => {
      const outsider = userOf('eve@example.com', 'others');
      await expect(submission.deploy(outsider, `${project}/web@1.0.0`, 'prod')).rejects.toMatchObject({ status: 404 });
      const viewer = userOf('wim@example.com', 'shop-viewers');
      await expect(submission.deploy(viewer, `${project}/web@1.0.0`, 'prod')).rejects.toMatchObject({ status: 403 });
    });

    test('rejects a deployment that exceeds the quota, with the numbers', async () => {
      const artifact = await submission.publishing.publish(
        project,
        '2.0.0',
        [service('2.0.0', { replicas: 7 })],
        stages,
      );
      const rejection = await submission.deploy(dev, artifact, 'prod').catch((error: unknown) => error);
      expect(rejection).toBeInstanceOf(ProblemResponse);
      expect((rejection as ProblemResponse).details.preview?.targets[0]?.resources).toEqual(
        expect.arrayContaining([expect.objectContaining({ resource: 'pods', hard: '6', fits: false })]),
      );
    });
  });
});
