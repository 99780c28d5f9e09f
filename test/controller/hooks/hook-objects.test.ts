import { ApiError } from '../../../lib/kube';
import { HookedService, migrate } from './hooked-service';

let service: HookedService;
afterEach(() => service.fixture.stop());

const hooks = { beforeDeployment: [migrate] };

describe('what changes while a hook runs', () => {
  test('is the number of pods of a variant, if another one has an autoscaler', async () => {
    const variants = (replicas: number) => ({
      ...hooks,
      replicas: undefined,
      variants: [
        { name: 'stable', replicas },
        { name: 'canary', autoscaling: { maxReplicas: 9, cpu: 70 } },
      ],
    });
    service = await HookedService.start('1', variants(2) as never);
    await service.end('Complete');
    const stable = () =>
      service.fixture.server.find('Deployment', 'shop', 'cart-stable')?.['spec'] as {
        readonly replicas: number;
        readonly template: unknown;
      };
    const { template } = stable();
    await service.deploy('2', variants(5) as never);
    expect(service.record['phase']).toBe('Running');
    expect(stable()).toMatchObject({ replicas: 5, template });
  });

  test('is nothing that runs until its NetworkPolicy is accepted', async () => {
    const restricted = { ...hooks, access: { from: [] } };
    service = await HookedService.start('1', restricted);
    await service.end('Complete');
    const policy = 'cart-before-deployment';
    const { created } = service;
    service.fixture.server.removeObject('NetworkPolicy', 'shop', policy);
    service.fixture.server.failWith = (verb, kind, name) =>
      verb === 'apply' && kind === 'NetworkPolicy' && name === policy
        ? new ApiError(403, 'Forbidden', 'no')
        : undefined;
    await service.deploy('2', restricted);
    expect([service.record['phase'], created.length]).toEqual(['Running', 1]);
    service.fixture.server.failWith = () => undefined;
    await service.fixture.settle(600_000);
    await service.settle();
    expect([service.record['phase'], created.length]).toEqual(['Running', 2]);
  });

  test('is nothing that runs while its NetworkPolicy has another owner', async () => {
    const restricted = { ...hooks, access: { from: [] } };
    service = await HookedService.start('1', restricted);
    await service.end('Complete');
    const metadata = { name: 'cart-before-deployment', namespace: 'shop' };
    service.fixture.server.removeObject('NetworkPolicy', metadata.namespace, metadata.name);
    service.fixture.server.put({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec: {} });
    await service.deploy('2', restricted);
    expect([service.record['phase'], service.created.length]).toEqual(['Running', 1]);
    expect(service.status['cause']).toMatchObject({ reason: 'NameConflict' });
  });
});
