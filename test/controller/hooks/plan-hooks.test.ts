import { HookedService, migrate } from './hooked-service';

let service: HookedService;
afterEach(() => service.fixture.stop());

const hooks = { beforeDeployment: [migrate] };
const deployed = async (tag: string) => {
  service = await HookedService.start(tag, hooks);
  await service.end('Complete');
};

describe('a hook before a deployment', () => {
  test('runs before the first pods, and nothing serves until it has succeeded', async () => {
    service = await HookedService.start('1', hooks);
    expect([service.image, service.find('Service')]).toEqual([undefined, undefined]);
    expect(service.find('ServiceAccount')).toBeDefined();
    expect(service.record).toMatchObject({ phase: 'Running', hook: 'migrate', job: service.created[0] });
    expect(service.fixture.ready('PinterestService', 'shop', 'cart')).toMatchObject({ status: 'False' });
    await service.end('Complete');
    expect([service.image, service.record['phase']]).toEqual(['1', 'Succeeded']);
    expect(service.find('Service')).toBeDefined();
    expect(service.created).toHaveLength(1);
  });

  test('of a new spec leaves pods, traffic and their settings as they are until it has succeeded', async () => {
    await deployed('1');
    const before = ['Deployment', 'Service', 'Ingress', 'PodDisruptionBudget'].map((kind) => service.find(kind));
    await service.deploy('2', { ...hooks, loadBalancer: { port: 9090 }, disruption: { maxUnavailable: 2 } });
    expect(['Deployment', 'Service', 'Ingress', 'PodDisruptionBudget'].map((kind) => service.find(kind))).toEqual(
      before,
    );
    expect(service.status).toMatchObject({ phase: 'Progressing' });
    await service.end('Complete');
    expect(service.image).toBe('2');
    expect(service.created).toHaveLength(2);
  });

  test('that fails leaves the pods, names itself, and is not repeated', async () => {
    await deployed('1');
    await service.deploy('2', hooks);
    await service.end('Failed', 'Job has reached the specified backoff limit');
    const [, job] = service.created;
    expect(service.status).toMatchObject({
      phase: 'Stalled',
      cause: { owner: 'application', reason: 'HookFailed', object: `Job/${job ?? ''}` },
    });
    expect(JSON.stringify(service.status['cause'])).toMatch(/migrate.*backoff limit.*kubectl logs/);
    await service.restart();
    await service.deploy('2', { ...hooks, replicas: 3 });
    expect([service.image, service.replicas, service.created.length]).toEqual(['1', 3, 2]);
  });

  test('runs again for a later spec, and on request for the same one', async () => {
    await deployed('1');
    await service.deploy('2', hooks);
    await service.end('Failed');
    await service.annotate({ 'pinterest.com/retried-at': '2026-11-26T10:00:00Z' });
    expect(service.created).toHaveLength(3);
    await service.end('Failed');
    await service.deploy('3', hooks);
    await service.end('Complete');
    expect([service.image, service.created.length]).toEqual(['3', 4]);
    expect(new Set(service.created).size).toBe(4);
  });

  test('runs again if a spec that failed is deployed once more after another one', async () => {
    await deployed('1');
    await service.deploy('2', hooks);
    await service.end('Failed');
    await service.deploy('1', hooks);
    expect([service.status['cause'], service.created.length]).toEqual([undefined, 2]);
    expect((await service.jobs()).map(({ metadata }) => metadata.name)).toEqual([service.created[1]]);
    await service.deploy('2', hooks);
    expect(service.created).toHaveLength(3);
    await service.end('Complete');
    expect(service.image).toBe('2');
  });

  test('is not repeated by a scale, a restart, labels, a newer profile or a lost status', async () => {
    await deployed('1');
    await service.deploy('1', { ...hooks, replicas: 5, labels: { surface: 'home' }, rollout: { paused: true } });
    await service.deploy('1', {
      ...hooks,
      autoscaling: { minReplicas: 2, maxReplicas: 9, cpu: 70 },
      replicas: undefined,
    } as never);
    await service.deploy('1', hooks);
    await service.annotate({
      'pinterest.com/restarted-at': '2026-11-26T10:00:00Z',
      'pinterest.com/retried-at': '2026-11-26T10:00:00Z',
    });
    await service.changeProfile('default-2');
    expect(JSON.stringify(service.find('Deployment'))).toContain('default-2');
    await service.loseStatus();
    expect([service.image, service.created.length]).toEqual(['1', 1]);
    expect(service.record['phase']).toBe('Succeeded');
  });

  test('is not repeated when an earlier spec returns', async () => {
    await deployed('1');
    await service.deploy('2', hooks);
    await service.end('Complete');
    await service.deploy('1', hooks);
    await service.loseStatus();
    await service.deploy('2', hooks);
    expect([service.image, service.created.length]).toEqual(['2', 2]);
  });

  test('runs for the spec that adds it, and not for one without it', async () => {
    service = await HookedService.start('1');
    expect(service.image).toBe('1');
    await service.deploy('1', hooks);
    expect(service.created).toHaveLength(1);
    await service.deploy('2');
    expect([service.image, await service.running()]).toEqual(['2', []]);
  });

  test('of a replaced spec ends before that of the next one begins', async () => {
    await deployed('1');
    await service.deploy('2', hooks);
    const [, second] = service.created;
    const pod = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'shop',
        labels: {
          'pinterest.com/kind': 'PinterestServiceHook',
          'pinterest.com/workload': 'cart',
          'pinterest.com/hook': 'migrate',
        },
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: second, uid: 'uid-of-job', controller: true }],
      },
      status: { phase: 'Running' },
    });
    service.fixture.server.put(pod('cart-migrate-x'));
    await service.deploy('3', hooks);
    expect([(await service.running()).length, service.created.length, service.image]).toEqual([0, 2, '1']);
    service.fixture.server.removeObject('Pod', 'shop', 'cart-migrate-x');
    await service.settle();
    expect([(await service.running()).length, service.created.length, service.image]).toEqual([1, 3, '1']);
  });

  test('that was deleted while it ran has failed', async () => {
    await deployed('1');
    await service.deploy('2', hooks);
    const [job] = await service.running();
    service.fixture.server.removeObject('Job', 'shop', job?.metadata.name ?? '');
    await service.settle();
    expect(service.status).toMatchObject({ cause: { reason: 'HookFailed' }, beforeDeployment: { phase: 'Failed' } });
    expect([service.image, service.created.length]).toEqual(['1', 2]);
  });

  test('follows the one before it, and a retry repeats only what failed', async () => {
    const both = { beforeDeployment: [migrate, { name: 'flags', command: ['/flags'] }] };
    service = await HookedService.start('1', both);
    expect(await service.running()).toHaveLength(1);
    await service.end('Complete');
    expect(service.record).toMatchObject({ hook: 'flags', succeeded: ['migrate'] });
    await service.end('Failed');
    await service.annotate({ 'pinterest.com/retried-at': '2026-11-26T10:00:00Z' });
    await service.end('Complete');
    expect(service.image).toBe('1');
    expect(service.created.map((name) => name.split('-')[1])).toEqual(['migrate', 'flags', 'flags']);
  });
});

describe('a controller that crashes', () => {
  const endAll = async (): Promise<void> => {
    for (let jobs = await service.running(); jobs.length > 0; jobs = await service.running()) {
      expect(jobs).toHaveLength(1);
      await service.end('Complete');
    }
  };
  /** Deploys a spec with two hooks, and returns whether the connection failed at a write of it. */
  const deployWithCrash = async (crashAt: number): Promise<boolean> => {
    await deployed('1');
    const recover = service.failFrom(crashAt, (verb) => verb !== 'create');
    await service.deploy('2', { beforeDeployment: [migrate, { name: 'flags', command: ['/flags'] }] });
    await endAll();
    const crashed = recover();
    await service.restart();
    await endAll();
    expect([service.image, service.created.map((name) => name.split('-')[1])]).toEqual([
      '2',
      ['migrate', 'migrate', 'flags'],
    ]);
    return crashed;
  };

  test('at any write runs every hook exactly once, and deploys after it', async () => {
    let crashes = 0;
    while (await deployWithCrash(crashes + 1)) {
      crashes += 1;
      await service.fixture.stop();
    }
    expect(crashes).toBeGreaterThan(6);
    // One deployment for each write, each with a controller of its own.
  }, 120_000);
});
