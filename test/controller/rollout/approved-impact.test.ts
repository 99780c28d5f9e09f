import { parseManifest, type ManifestInput, type PlatformManifest, type Status } from '../../../lib/api';
import { defaultPlatform, defaultProfile, resolvePlatform } from '../../../lib/expand';
import { computeImpact, type ImpactDocument, type ImpactSide } from '../../../lib/impact';
import { ControllerFixture } from '../controller-fixture';

type PlatformSpec = ManifestInput<'Platform'>['spec'];
type RolloutStatus = Status<'PlatformRollout'>;

const project: ManifestInput<'Project'> = {
  apiVersion: 'pinterest.com/v1',
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'commerce' },
};
const service = (name: string, spec: object = {}): ManifestInput<'PinterestService'> => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name, namespace: 'shop' },
  spec: { template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1' }] } }, ...spec },
});
const cron = (name: string): ManifestInput<'PinterestCronJob'> => ({
  ...{ apiVersion: 'pinterest.com/v1', kind: 'PinterestCronJob', metadata: { name, namespace: 'shop' } },
  spec: {
    schedule: '0 * * * *',
    template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1' }] } },
  },
});
const profile = (name: string): ManifestInput<'RuntimeProfile'> => ({
  ...defaultProfile,
  metadata: { name },
  spec: { ...defaultProfile.spec, version: '1.0.0', summary: name },
});
const required: PlatformSpec['rollouts'] = { waves: [], soak: '0s', requireApproval: true };
const platform = (name: string, rollouts: PlatformSpec['rollouts'] = required): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, rollouts, runtime: { profile: name } },
});
const profiles = ['one-1', 'two-1', 'three-1'].map(profile);
type Others = readonly [platform: (name: string) => ManifestInput<'Platform'>, ...ManifestInput<'Project'>[]];
const clusterOf = (name: string, [platformOf, ...projects]: Others) =>
  resolvePlatform(
    [platformOf(name), ...profiles, project, ...projects].map((one) => parseManifest(one)) as PlatformManifest[],
  );

describe('a Platform whose rollouts require an approval', () => {
  let at: ControllerFixture;
  const names = ['cart', 'search'];
  const other = `sha256:${'0'.repeat(64)}`;

  /** Returns the digest that `pinion impact report` prints for a change of the profile. */
  const digestOf = (
    from: string,
    to: string,
    documents: readonly ManifestInput[] = names.map((name) => service(name)),
    others: Others = [platform],
  ) => {
    const side = (name: string): ImpactSide => ({
      label: name,
      cluster: clusterOf(name, others),
      workloads: documents as unknown as readonly ImpactDocument[],
    });
    return computeImpact(side(from), side(to)).digest;
  };
  const profileOf = (name: string) => at.status('PinterestService', 'shop', name)['runtimeProfile'];
  const rollout = () => {
    const { rollout: name = '' } = at.status('Platform', '', 'cluster')['revisions'] as { readonly rollout?: string };
    return { name, status: at.status('PlatformRollout', '', name) as unknown as RolloutStatus };
  };
  const patch = (spec: object, name = rollout().name) =>
    at.change('PlatformRollout', '', name, (live) => ({ ...live, spec: { ...(live['spec'] as object), ...spec } }));
  const events = (reason: string) => at.server.written.filter(({ verb, name }) => verb === 'event' && name === reason);
  /** Lets the pods of the services become ready, as the controllers of Kubernetes do. */
  const becomeReady = async () => {
    const counts = { replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    for (const name of names)
      at.change('Deployment', 'shop', name, (live) => ({
        ...live,
        status: {
          ...{ ...counts, observedGeneration: live.metadata.generation },
          conditions: [{ type: 'Available', status: 'True' }],
        },
      }));
    await settle();
  };
  const settle = async () => {
    for (let round = 0; round < 4; round++) await at.settle(61_000);
  };

  beforeEach(async () => {
    at = new ControllerFixture();
    at.apply(...profiles, platform('one-1'), project, ...names.map((name) => service(name)));
    // From before all rollouts, by the clock of the fixture.
    const creationTimestamp = '1970-01-01T00:00:00Z';
    for (const name of names)
      at.change('PinterestService', 'shop', name, (live) => ({
        ...live,
        metadata: { ...live.metadata, creationTimestamp },
      }));
    await at.cache.start();
    at.controller.start();
    await settle();
    await becomeReady();
  });
  afterEach(() => at.stop());

  const held = (digest: string | undefined) => ({
    ...{ phase: 'Pending', reason: 'ImpactNotApproved', impact: digest },
    message: expect.stringContaining(`run "pinion rollout approve ${digest}"`) as string,
  });

  it('releases nothing until the digest of the report is approved, and then moves all workloads', async () => {
    const digest = digestOf('one-1', 'two-1');
    at.apply(platform('two-1'));
    await settle();
    expect(rollout().status).toMatchObject(held(digest));
    patch({ approvedImpact: other });
    await settle();
    expect(rollout().status).toMatchObject(held(digest));
    expect(rollout().status.message).toContain(`spec.approvedImpact is ${other}`);
    expect(names.map(profileOf)).toEqual(['one-1', 'one-1']);
    expect(events('ApprovalRequired')).toHaveLength(1);
    patch({ approvedImpact: digest });
    await settle();
    expect(events('ImpactApproved')).toHaveLength(2);
    expect(rollout().status).toMatchObject({ phase: 'Progressing', impact: digest });
    await becomeReady();
    expect(rollout().status).toMatchObject({ phase: 'Completed', impact: digest });
    expect(names.map(profileOf)).toEqual(['two-1', 'two-1']);
  });

  it('keeps an approval when the fleet grows by workloads like those of the report, and not by others', async () => {
    at.apply(platform('two-1', { ...required, freezes: [{ name: 'always', schedule: '* * * * *', duration: '1h' }] }));
    await settle();
    const digest = digestOf('one-1', 'two-1');
    patch({ approvedImpact: digest });
    await settle();
    at.apply(service('till'));
    await settle();
    expect(rollout().status).toMatchObject({ reason: 'Frozen', impact: digest });
    at.apply(cron('report'));
    await settle();
    const more = digestOf('one-1', 'two-1', [...names.map((name) => service(name)), cron('report')]);
    expect(more).not.toBe(digest);
    expect(rollout().status).toMatchObject(held(more));
  });

  it('keeps its digest once a wave has started, and holds again if the approval is removed', async () => {
    at.apply(platform('two-1', { ...required, budget: { workloads: 1 } }));
    await settle();
    const digest = digestOf('one-1', 'two-1');
    patch({ approvedImpact: digest });
    await settle();
    expect(rollout().status.transit).toHaveLength(1);
    at.apply(cron('report'));
    await settle();
    expect(rollout().status).toMatchObject({ reason: 'Releasing', impact: digest });
    patch({ approvedImpact: undefined });
    await settle();
    expect(rollout().status).toMatchObject({ ...held(digest), phase: 'Progressing' });
    expect(events('ApprovalRemoved')).toHaveLength(1);
  });

  it('requires another approval of another change', async () => {
    at.apply(platform('two-1'));
    await settle();
    at.apply(platform('three-1'));
    await settle();
    patch({ approvedImpact: digestOf('one-1', 'two-1') });
    await settle();
    const digest = digestOf('one-1', 'three-1');
    expect(digest).not.toBe(digestOf('one-1', 'two-1'));
    expect(rollout().status).toMatchObject(held(digest));
    expect(names.map(profileOf)).toEqual(['one-1', 'one-1']);
  });

  it('has the digest of the report while workloads of the canary are at the revision', async () => {
    const canary = { project: 'probes' };
    const ofCanary = (name: string): ManifestInput<'Platform'> => ({
      ...platform(name),
      spec: { ...platform(name).spec, runtime: { profile: name, canary } },
    });
    const probes: ManifestInput<'Project'> = { ...project, metadata: { name: 'probes' } };
    const probe = { ...cron('probe'), metadata: { name: 'probe', namespace: 'probes' } };
    at.apply(ofCanary('one-1'), probes, probe);
    await settle();
    at.apply(ofCanary('two-1'));
    await settle();
    expect(at.status('PinterestCronJob', 'probes', 'probe')['runtimeProfile']).toBe('two-1');
    // As without the canary: the report has no class of its workloads either.
    const documents = [...names.map((name) => service(name)), probe];
    const digest = digestOf('one-1', 'two-1');
    expect(digestOf('one-1', 'two-1', documents, [ofCanary, probes])).toBe(digest);
    expect(rollout().status).toMatchObject({ ...held(digest), phase: 'Progressing' });
    expect(names.map(profileOf)).toEqual(['one-1', 'one-1']);
  });

  it('requires no approval in an emergency', async () => {
    at.apply(platform('two-1'));
    await settle();
    const until = `${new Date(at.clock.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
    patch({ emergency: { reason: 'the test', until } });
    await settle();
    expect(names.map(profileOf)).toEqual(['two-1', 'two-1']);
  });

  it.each([
    ['a command', async () => patch({ rollback: true })],
    ['the former spec of the Platform', async () => at.apply(platform('one-1'))],
  ])('requires no approval of a rollback by %s', async (_, goBack) => {
    at.apply(platform('two-1'));
    await settle();
    const forward = rollout().name;
    patch({ approvedImpact: digestOf('one-1', 'two-1') });
    await settle();
    expect(names.map(profileOf)).toEqual(['two-1', 'two-1']);
    await goBack();
    await settle();
    expect(names.map(profileOf)).toEqual(['one-1', 'one-1']);
    expect(at.status('PlatformRollout', '', forward)['phase']).toMatch(/Aborted|RolledBack/);
  });
});
