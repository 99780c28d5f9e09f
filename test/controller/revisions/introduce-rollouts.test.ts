import { type ManifestInput } from '../../../lib/api';
import { defaultPlatform, defaultProfile } from '../../../lib/expand';
import { ControllerFixture } from '../controller-fixture';

const project: ManifestInput<'Project'> = {
  apiVersion: 'pinterest.com/v1',
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'commerce' },
};
const service = (name: string): ManifestInput<'PinterestService'> => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name, namespace: 'shop' },
  spec: { template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1' }] } } },
});
const profile = (name: string, version: string): ManifestInput<'RuntimeProfile'> => ({
  ...defaultProfile,
  metadata: { name },
  spec: { ...defaultProfile.spec, version, summary: name },
});
type PlatformSpec = ManifestInput<'Platform'>['spec'];
const platform = (runtime: PlatformSpec['runtime'], more: Partial<PlatformSpec> = {}): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, runtime: { rollout: 'Immediate', ...runtime }, ...more },
});

/** Policy that releases nothing. */
const rollouts: PlatformSpec['rollouts'] = { freezes: [{ name: 'always', schedule: '* * * * *', duration: '1h' }] };

describe('a Platform that gets rollouts together with another change', () => {
  let at: ControllerFixture;
  const names = ['cart', 'search'] as const;
  const profiles = () => names.map((name) => at.status('PinterestService', 'shop', name)['runtimeProfile']);
  const revisions = () =>
    at.status('Platform', '', 'cluster')['revisions'] as {
      readonly current: string;
      readonly completed: string;
      readonly rollout?: string;
    };

  beforeEach(async () => {
    at = new ControllerFixture();
    at.apply(profile('one-1', '1.0.0'), profile('two-1', '2.0.0'), platform({ profile: 'one-1' }), project);
    at.apply(...names.map(service));
    await at.cache.start();
    at.controller.start();
    await at.settle(10_000);
  });
  afterEach(() => at.stop());

  it('moves to the new profile by a rollout', async () => {
    expect(profiles()).toEqual(['one-1', 'one-1']);
    at.apply(platform({ profile: 'two-1' }, { rollouts }));
    await at.settle(10_000);
    const { current, completed, rollout = '' } = revisions();
    expect(completed).not.toBe(current);
    expect(at.server.find('PlatformRollout', '', rollout)).toBeDefined();
    expect(profiles()).toEqual(['one-1', 'one-1']);
  });

  it('moves to the images of its profile by a rollout', async () => {
    const imagesOf = (tag: string) => ({ logs: `registry.example.com/logs:${tag}` });
    const images = () =>
      names.map((name) => JSON.stringify(at.server.find('Deployment', 'shop', name)).match(/logs:[0-9]/)?.[0]);
    at.apply(platform({ profile: 'one-1', images: imagesOf('1') }));
    await at.settle(10_000);
    expect(images()).toEqual(['logs:1', 'logs:1']);
    at.apply(platform({ profile: 'one-1', images: imagesOf('2') }, { rollouts }));
    await at.settle(10_000);
    const { current, completed } = revisions();
    expect(completed).not.toBe(current);
    expect(images()).toEqual(['logs:1', 'logs:1']);
  });

  it('needs no rollout without another change, and records its revision once', async () => {
    const sent: string[] = [];
    at.server.failWith = (verb, kind, name) => {
      if (kind === 'PlatformRevision' && verb !== 'status') sent.push(`${verb} ${name}`);
      return undefined;
    };
    at.apply(platform({ profile: 'one-1' }, { rollouts }));
    await at.settle(10_000);
    const { current, completed, rollout } = revisions();
    expect([completed, rollout]).toEqual([current, undefined]);
    expect(sent).toEqual([`create ${current}`]);
  });
});
