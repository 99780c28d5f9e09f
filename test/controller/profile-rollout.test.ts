import { type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile, shortHash } from '../../lib/expand';
import { ControllerFixture } from './controller-fixture';

const project: ManifestInput<'Project'> = {
  apiVersion: 'pinterest.com/v1',
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'commerce' },
};

/** Returns a service whose annotation changes with each deployment. */
const service = (name: string, build = '1', replicas = 1): ManifestInput<'PinterestService'> => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name, namespace: 'shop' },
  spec: {
    replicas,
    annotations: { 'example.com/build': build },
    template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1' }] } },
  },
});

/** Returns the built-in profile with another name and content. */
const profile = (name: string, version: string): ManifestInput<'RuntimeProfile'> => ({
  ...defaultProfile,
  metadata: { name },
  spec: { ...defaultProfile.spec, version, summary: name },
});

type Runtime = NonNullable<ManifestInput<'Platform'>['spec']['runtime']>;

const platform = (runtime: Runtime): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, runtime: { rollout: 'OnNextDeploy', rolloutDeadline: '30d', ...runtime } },
});

describe('the rollout of a runtime profile', () => {
  let at: ControllerFixture;
  const profileOf = (name: string) => at.status('PinterestService', 'shop', name)['runtimeProfile'];
  /** Returns the runtime profile in the pod template of a service. */
  const templateProfileOf = (name: string) => {
    const spec = at.server.find('Deployment', 'shop', name)?.['spec'] as
      { template: { metadata: { annotations: Record<string, string> } } } | undefined;
    return spec?.template.metadata.annotations['pinterest.com/runtime-profile'];
  };
  const start = async (...services: readonly ManifestInput[]): Promise<void> => {
    at.apply(
      profile('one-1', '1.0.0'),
      profile('two-1', '2.0.0'),
      platform({ profile: 'one-1' }),
      project,
      ...services,
    );
    await at.cache.start();
    at.controller.start();
    await at.settle(10_000);
  };
  const put = async (...manifests: readonly ManifestInput[]): Promise<void> => {
    at.apply(...manifests);
    await at.settle(10_000);
  };
  /** Changes the spec of a service as it is read once definitions have added a default. */
  const store = (name: string, spec: object) =>
    at.change('PinterestService', 'shop', name, (live) => ({
      ...live,
      spec: { ...(live['spec'] as object), ...spec },
    }));

  beforeEach(() => (at = new ControllerFixture()));
  afterEach(() => at.stop());

  it('does not count a scale as a deployment after definitions added a default', async () => {
    await start(service('cart'));
    await put(platform({ profile: 'two-1' }));
    store('cart', { newField: 'soft', replicas: 3 });
    await at.settle(10_000);
    expect([profileOf('cart'), templateProfileOf('cart')]).toEqual(['one-1', 'one-1']);
    await put(service('cart', '2'));
    expect(profileOf('cart')).toBe('two-1');
  });

  it('cannot compare the hash of a former version, and counts nothing as a deployment by it', async () => {
    await start(service('cart'));
    await put(platform({ profile: 'two-1' }));
    await at.settle(10_000);
    // Former versions hashed the spec as read, with its defaults.
    const { replicas: _, ...spec } = at.server.find('PinterestService', 'shop', 'cart')?.['spec'] as {
      readonly replicas?: unknown;
    };
    at.change('PinterestService', 'shop', 'cart', (live) => ({
      ...live,
      status: { ...(live['status'] as object), deployedSpecHash: shortHash(JSON.stringify(spec)) },
    }));
    store('cart', { newField: 'soft', replicas: 2 });
    await at.restart();
    await at.settle(10_000);
    expect([profileOf('cart'), templateProfileOf('cart')]).toEqual(['one-1', 'one-1']);
    await put(service('cart', '2', 2));
    expect(profileOf('cart')).toBe('two-1');
  });
});
