import { type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile, shortHash } from '../../lib/expand';
import { ApiError, type LiveObject } from '../../lib/kube';
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

  it('moves workloads back at once if the former profile is named again, without a run of the canary', async () => {
    await start(service('cart'), service('search'));
    await put(platform({ profile: 'two-1' }));
    await put(service('cart', '2'));
    expect([profileOf('cart'), profileOf('search')]).toEqual(['two-1', 'one-1']);
    await put(platform({ profile: 'one-1', canary: {} }));
    expect([profileOf('cart'), templateProfileOf('cart')]).toEqual(['one-1', 'one-1']);
    // To name the withdrawn profile once more is a change like the first one.
    await put(platform({ profile: 'two-1' }));
    expect(profileOf('cart')).toBe('one-1');
  });

  it('records the start of a profile before workloads move to it, so that they can move back', async () => {
    await start(service('cart'));
    at.server.failWith = (verb, kind) =>
      verb === 'status' && kind === 'Platform' ? new ApiError(500, 'InternalError', 'no') : undefined;
    await put(platform({ profile: 'two-1', rollout: 'Immediate' }));
    expect(profileOf('cart')).toBe('one-1');
    at.server.failWith = () => undefined;
    await at.settle(120_000);
    expect(profileOf('cart')).toBe('two-1');
  });

  it('leaves the images and values of workloads that the canary holds alone', async () => {
    const imagesOf = (tag: string) => ({ logs: `registry.example.com/logs:${tag}` });
    const imageOf = (name: string) => {
      const spec = at.server.find('Deployment', 'shop', name)?.['spec'] as
        { template: { spec: { initContainers: readonly { name: string; image: string }[] } } } | undefined;
      return spec?.template.spec.initContainers.find((container) => container.name === 'pinion-logs')?.image;
    };
    await start(service('cart'));
    await put(platform({ profile: 'one-1', images: imagesOf('1') }));
    expect(imageOf('cart')).toBe('registry.example.com/logs:1');
    await put(platform({ profile: 'two-1', rollout: 'Immediate', canary: {}, images: imagesOf('2') }));
    expect(imageOf('cart')).toBe('registry.example.com/logs:1');
    await put(platform({ profile: 'two-1', rollout: 'Immediate', canary: {}, images: imagesOf('3') }));
    await at.restart();
    await at.settle(10_000);
    expect(imageOf('cart')).toBe('registry.example.com/logs:1');
    await put(service('cart', '2'));
    expect(imageOf('cart')).toBe('registry.example.com/logs:1');
    await put(service('search'));
    expect(imageOf('search')).toBe('registry.example.com/logs:3');
    await put(platform({ profile: 'two-1', rollout: 'Immediate', images: imagesOf('3') }));
    expect(imageOf('cart')).toBe('registry.example.com/logs:3');
  });

  it('leaves a deployed workload on its profile while the canary blocks the new one', async () => {
    await start(service('cart'));
    await put(platform({ profile: 'two-1', canary: {} }));
    await put(service('cart', '2'));
    expect([profileOf('cart'), templateProfileOf('cart')]).toEqual(['one-1', 'one-1']);
    await put(platform({ profile: 'two-1' }));
    await put(service('cart', '3'));
    expect(profileOf('cart')).toBe('two-1');
  });

  it('reads the profile of the pods if the status is lost, which is no deployment', async () => {
    await start(service('cart'));
    await put(platform({ profile: 'two-1' }));
    await at.stop();
    at.change('PinterestService', 'shop', 'cart', ({ status: _, ...live }) => live as LiveObject);
    await at.restart();
    await at.settle(10_000);
    expect([profileOf('cart'), templateProfileOf('cart')]).toEqual(['one-1', 'one-1']);
    await put(service('cart', '2'));
    expect(profileOf('cart')).toBe('two-1');
  });
});
