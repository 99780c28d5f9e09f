import { type ManifestInput } from '../../lib/api';
import { ProblemResponse } from '../../lib/submission';
import { behaviour } from '../control-plane/pod-behaviour';
import { describePinion, smallTemplate, workloadOf } from './pinion-suite';
import { EngineInProcess, home, person } from './submission-engine';

const project = 'shop';
const dev = person('mia@example.com', 'shop-developers');

const service = (tag: string, spec: Partial<ManifestInput<'PinterestService'>['spec']> = {}) => {
  const { spec: pod } = smallTemplate();
  const template = { spec: { ...pod, containers: [{ name: 'app', image: `registry.example.com/app:${tag}` }] } };
  return workloadOf('PinterestService', project, 'cart', { replicas: 2, template, ...spec });
};
/** Pods that crash at once, as the simulated nodes play it. */
const crashing = (tag: string) => {
  const { spec } = service(tag).spec.template;
  return { metadata: { annotations: { [behaviour.crashLoop]: 'app' } }, spec };
};
const quick = { timeout: '10s', onFailure: 'Rollback' as const };
const stages = [{ name: 'prod', stop: { timeout: '60s', onFailure: 'Rollback' as const } }];

describePinion('deployments by the submission service', (pinion) => {
  // Hooks of its own, which end before the cluster does.
  describe('in one process', () => {
    let service_: EngineInProcess;
    beforeAll(async () => {
      await pinion().cluster.client.request('POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: home },
      });
      await pinion().project(project, {
        members: [
          { kind: 'Group', name: 'shop-developers', role: 'edit' },
          { kind: 'Group', name: 'shop-watchers', role: 'view' },
        ],
        quota: { pods: '6' },
      });
      service_ = new EngineInProcess(pinion());
      await service_.start();
    }, 120_000);
    afterAll(async () => {
      await service_.stop();
      expect(service_.errors).toEqual([]);
    });

    test('a published version becomes Ready, and every step is told', async () => {
      const artifact = await service_.publishing.publish(project, '1.0.0', [service('1.0.0')], stages);
      const { deployment, messages } = await service_.deploy(dev, artifact, 'prod');
      expect(messages).toEqual(expect.arrayContaining(['begins', 'applied on main: 1 created', 'all of it is Ready']));
      expect(deployment).toMatchObject({
        phase: 'ready',
        version: '1.0.0',
        targets: [{ name: 'main', phase: 'ready' }],
      });
    });

    test('a version that cannot become Ready is stopped, and the one before comes back', async () => {
      const bad = service('1.1.0', { template: crashing('1.1.0') });
      const artifact = await service_.publishing.publish(project, '1.1.0', [bad], [{ name: 'prod', stop: quick }]);
      const { deployment, messages } = await service_.deploy(dev, artifact, 'prod');
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

    test('the same key with the same request is the same deployment, with another request it is refused', async () => {
      const artifact = await service_.publishing.publish(project, '1.2.0', [service('1.2.0')], stages);
      const asked = { caller: dev, idempotencyKey: 'run-4711-deploy' };
      const first = await service_.engine.deploy(asked, { artifact, stage: 'prod' });
      const again = await service_.engine.deploy(asked, { artifact, stage: 'prod' });
      expect(again.id).toBe(first.id);
      const other = { artifact: `${project}/web@1.0.0`, stage: 'prod' };
      await expect(service_.engine.deploy(asked, other)).rejects.toMatchObject({ status: 409 });
      expect((await service_.ended(dev, first.id)).deployment.phase).toBe('ready');
      // Another caller's keys are their own.
      const colleague = { ...asked, caller: person('noa@example.com', 'shop-developers') };
      expect((await service_.engine.deploy(colleague, { artifact, stage: 'prod' })).id).toBe(first.id);
    });

    test('a person goes back to what was Ready before', async () => {
      const asked = { caller: dev, idempotencyKey: 'back-to-before' };
      const { id } = await service_.engine.rollBack(asked, { project, workflow: 'web', stage: 'prod' });
      const { deployment } = await service_.ended(dev, id);
      expect(deployment).toMatchObject({ phase: 'ready', intent: 'rollBack', version: '1.0.0' });
    });

    test('what the workflow has no more is removed when the rest is Ready', async () => {
      const till = { ...service('1.3.0'), metadata: { name: 'till', namespace: project } };
      const both = await service_.publishing.publish(project, '1.3.0', [service('1.3.0'), till], stages);
      expect((await service_.deploy(dev, both, 'prod')).deployment.phase).toBe('ready');
      const one = await service_.publishing.publish(project, '1.4.0', [service('1.4.0')], stages);
      const { deployment } = await service_.deploy(dev, one, 'prod');
      expect(deployment.targets[0]?.workloads).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'till', change: 'removed' })]),
      );
      expect(await pinion().read('PinterestService', project, 'till')).toBeUndefined();
    });

    test('who is no member is told nothing, who may only look is refused', async () => {
      const stranger = person('eve@example.com', 'others');
      await expect(service_.deploy(stranger, `${project}/web@1.0.0`, 'prod')).rejects.toMatchObject({ status: 404 });
      const watcher = person('wim@example.com', 'shop-watchers');
      await expect(service_.deploy(watcher, `${project}/web@1.0.0`, 'prod')).rejects.toMatchObject({ status: 403 });
    });

    test('more than the quota has is refused with the numbers', async () => {
      const artifact = await service_.publishing.publish(project, '2.0.0', [service('2.0.0', { replicas: 7 })], stages);
      const refusal = await service_.deploy(dev, artifact, 'prod').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ProblemResponse);
      expect((refusal as ProblemResponse).details.preview?.targets[0]?.resources).toEqual(
        expect.arrayContaining([expect.objectContaining({ resource: 'pods', hard: '6', fits: false })]),
      );
    });
  });
});
