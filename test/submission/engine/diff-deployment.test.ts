import { type ManifestInput } from '../../../lib/api';
import { dev, makeCaller, service, EngineFixture, stage, type Replica } from './engine-fixture';

describe('the diff of a deployment', () => {
  let fixture: EngineFixture;
  let leader: Replica;
  beforeEach(async () => {
    fixture = new EngineFixture();
    leader = await fixture.replica();
  });
  afterEach(() => fixture.stop());

  const publish = (version: string, ...workloads: readonly ManifestInput<'PinterestService'>[]) =>
    fixture.publishing.publish('shop', version, workloads, [stage()]);
  const run = async (version: string, ...workloads: readonly ManifestInput<'PinterestService'>[]) =>
    fixture.ended(leader, await fixture.deploy(leader, await publish(version, ...workloads)));

  test('of the first one creates everything', async () => {
    const { id } = await run('1.0.0', service('cart'), service('search'));
    expect(await leader.engine.diff(dev, id)).toEqual({
      changes: ['cart', 'search'].map((name) => ({ kind: 'PinterestService', name, change: 'created', fields: [] })),
    });
  });

  test('lists the differences from the last Ready version, and does not change later', async () => {
    await run('1.0.0', service('cart', '1', 1), service('search'), service('old'));
    const { id } = await run('1.1.0', service('cart', '1', 3), service('search'), service('fresh'));
    await run('1.2.0', service('cart', '1', 9));
    expect(await leader.engine.diff(dev, id)).toEqual({
      previous: 'shop/web@1.0.0',
      changes: [
        {
          kind: 'PinterestService',
          name: 'cart',
          change: 'changed',
          fields: [{ path: 'spec.replicas', from: 1, to: 3 }],
        },
        { kind: 'PinterestService', name: 'search', change: 'unchanged', fields: [] },
        { kind: 'PinterestService', name: 'fresh', change: 'created', fields: [] },
        { kind: 'PinterestService', name: 'old', change: 'removed', fields: [] },
      ],
    });
  });

  test('shows no value that could be secret', async () => {
    const withToken = (value: string): ManifestInput<'PinterestService'> => {
      const manifest = service('cart');
      const [container] = manifest.spec.template?.spec.containers ?? [];
      const containers = [{ ...container, env: [{ name: 'TOKEN', value }] }];
      return { ...manifest, spec: { ...manifest.spec, template: { spec: { containers } } } as never };
    };
    await run('1.0.0', withToken('hunter1'));
    const { id } = await run('1.1.0', withToken('hunter2'));
    const diff = await leader.engine.diff(dev, id);
    expect(diff.changes[0]?.fields.map(({ path }) => path)).toEqual([expect.stringMatching(/env\[TOKEN\]\.value$/)]);
    expect(JSON.stringify(diff)).not.toContain('hunter');
  });

  test('is visible only to members of the project', async () => {
    const { id } = await run('1.0.0', service('cart'));
    const nonMemberDiff = leader.engine.diff(makeCaller('eve@example.com', 'other-team'), id);
    await expect(nonMemberDiff).rejects.toMatchObject({ status: 404 });
  });

  test('is reported as unavailable if an artifact is missing from the store', async () => {
    const { id, digest } = await run('1.0.0', service('cart'));
    const other = await fixture.replica({ leads: false });
    await fixture.publishing.store.discard(digest);
    await expect(other.engine.diff(dev, id)).rejects.toMatchObject({
      status: 404,
      details: { title: 'The artifact is no longer available', detail: expect.stringContaining('shop/web@1.0.0') },
    });
  });
});
