import { HookedService, migrate } from './hooked-service';

let service: HookedService;
afterEach(() => service.fixture.stop());

const hooks = { beforeDeployment: [migrate] };
const deployed = async (tag: string) => {
  service = await HookedService.start(tag, hooks);
  await service.end('Complete');
};

describe('the record of hooks', () => {
  test('has as many deployed specs as the status allows, if those of the Deployment are others', async () => {
    await deployed('1');
    const recorded = Array.from({ length: 20 }, (_, index) => `recorded-${index}`);
    service.fixture.change('PinterestService', 'shop', 'cart', (live) => {
      const status = (live as { status?: Readonly<Record<string, unknown>> }).status;
      return { ...live, status: { ...status, beforeDeployment: { ...service.record, history: recorded } } } as never;
    });
    await service.deploy('2', hooks);
    expect(service.record).toMatchObject({ phase: 'Running', history: recorded });
  });

  test('has no other attempt if the request to retry is removed', async () => {
    service = await HookedService.start('1', hooks);
    await service.end('Failed');
    await service.annotate({ 'pinterest.com/retried-at': '2026-11-26T10:00:00Z' });
    await service.end('Failed');
    service.fixture.change(
      'PinterestService',
      'shop',
      'cart',
      ({ metadata: { annotations: _, ...metadata }, ...live }) => ({
        ...live,
        metadata,
      }),
    );
    await service.settle();
    expect([service.record['phase'], service.created.length]).toEqual(['Failed', 2]);
    await service.annotate({ 'pinterest.com/retried-at': '2026-11-26T11:00:00Z' });
    expect([service.record['phase'], service.created.length]).toEqual(['Running', 3]);
  });

  test('repeats no hook that succeeded before a retry, if it is lost', async () => {
    service = await HookedService.start('1', { beforeDeployment: [migrate, { name: 'flags', command: ['/flags'] }] });
    await service.end('Complete');
    await service.end('Failed');
    await service.annotate({ 'pinterest.com/retried-at': '2026-11-26T10:00:00Z' });
    await service.loseStatus();
    expect(await service.running()).toHaveLength(1);
    expect(service.record).toMatchObject({ hook: 'flags', succeeded: ['migrate'] });
    await service.end('Complete');
    expect(service.image).toBe('1');
    expect(service.created.map((name) => name.split('-')[1])).toEqual(['migrate', 'flags', 'flags']);
  });
});
