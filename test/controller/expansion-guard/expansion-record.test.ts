import { ApiError, type LiveObject } from '../../../lib/kube';
import { HookedService, migrate } from '../hooks/hooked-service';

let service: HookedService;
afterEach(() => service.fixture.stop());

type Fields = Readonly<Record<string, unknown>>;

const hooks = { beforeDeployment: [migrate] };
const expansion = () => service.status['expansion'] as Fields | undefined;

/** Replaces the controller by one whose library expands other pod templates than the record says. */
async function upgrade(): Promise<void> {
  service.fixture.change('PinterestService', 'shop', 'cart', (live: LiveObject) => ({
    ...live,
    status: { ...(live['status'] as Fields), expansion: expansion() && { ...expansion(), podTemplates: '1-other' } },
  }));
  await service.restart();
}

/** Rejects what is applied of a kind, such as a webhook does. */
function reject(of: string): () => void {
  service.fixture.server.failWith = (verb, kind) =>
    verb === 'apply' && kind === of ? new ApiError(422, 'Invalid', 'rejected by a webhook') : undefined;
  return () => {
    service.fixture.server.failWith = () => undefined;
  };
}

describe('the record of an expansion', () => {
  test('is written once the hooks of a deployment have succeeded, so that an upgrade meanwhile holds nothing back', async () => {
    service = await HookedService.start('1', hooks);
    await service.end('Complete');
    const [former, deployed] = [expansion(), service.status['deployedSpecHash']];
    await service.deploy('2', hooks);
    expect(expansion()).toEqual(former);
    await upgrade();
    expect([service.image, service.status['deployedSpecHash']]).toEqual(['1', deployed]);
    await service.end('Complete');
    expect(service.image).toBe('2');
    expect(expansion()).toMatchObject({ inputs: expect.not.stringMatching(String(former?.['inputs'])) as string });
    expect(expansion()).not.toHaveProperty('held');
    expect(service.status['deployedSpecHash']).not.toBe(deployed);
  });

  test('does not hold the first deployment, of which only the Job of a hook exists', async () => {
    service = await HookedService.start('1', hooks);
    expect(expansion()).toBeUndefined();
    await upgrade();
    await service.end('Complete');
    expect([service.image, expansion()]).toEqual([
      '1',
      expect.objectContaining({ inputs: expect.any(String) as string }),
    ]);
  });

  test('stays while the API server rejects an object, so that an upgrade meanwhile holds nothing back', async () => {
    service = await HookedService.start('1');
    const former = expansion();
    const accept = reject('Deployment');
    await service.deploy('2');
    expect([service.image, expansion()]).toEqual(['1', former]);
    accept();
    await upgrade();
    expect([service.image, expansion()?.['held']]).toEqual(['2', undefined]);
  });

  test('stays while an object of another owner has a name, so that an upgrade meanwhile holds nothing back', async () => {
    service = await HookedService.start('1');
    const former = expansion();
    const { server } = service.fixture;
    server.removeObject('Service', 'shop', 'cart');
    server.put({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'cart', namespace: 'shop', uid: 'other' },
      spec: {},
    });
    await service.deploy('2');
    expect([service.status['cause'], expansion()]).toEqual([
      expect.objectContaining({ reason: 'NameConflict' }),
      former,
    ]);
    server.removeObject('Service', 'shop', 'cart');
    await service.settle();
    expect(expansion()).not.toEqual(former);
  });

  test('on an object is that of its pods: a scale while a hook runs does not change it', async () => {
    service = await HookedService.start('1', hooks);
    await service.end('Complete');
    const recordOf = () => service.find('Deployment')?.metadata.annotations?.['pinterest.com/expansion'];
    const former = recordOf();
    await service.deploy('2', { ...hooks, replicas: 3 });
    expect([service.replicas, service.image, recordOf()]).toEqual([3, '1', former]);
  });
});
