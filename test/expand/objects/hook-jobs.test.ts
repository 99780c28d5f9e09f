import { formatQuantity, parseManifest, type ManifestInput, type Workload } from '../../../lib/api';
import { deploymentHash, expand, needsController, workloadFootprint } from '../../../lib/expand';
import { makeProjectContext, makeService, makeStatefulSet, only, type WorkloadOverrides } from '../../../lib/testing';

const migrate = { name: 'migrate', command: ['/migrate'] };
const parsed = (input: ManifestInput): Workload => parseManifest(input) as Workload;
const service = (overrides: WorkloadOverrides<'PinterestService'> = {}) =>
  parsed(makeService({ beforeDeployment: [migrate], ...overrides }));
const hash = (overrides?: WorkloadOverrides<'PinterestService'>) => deploymentHash(service(overrides));

describe('the deployed spec of a workload', () => {
  test('has the same hash in every version of the library, so that hooks do not run again', () => {
    expect([hash(), deploymentHash(parsed(makeStatefulSet({ beforeDeployment: [migrate] })))]).toEqual([
      '6a1d33b5b8',
      '80e9a83dcf',
    ]);
  });

  test.each<[string, WorkloadOverrides<'PinterestService'>]>([
    ['replicas', { replicas: 7 }],
    ['an autoscaler', { autoscaling: { maxReplicas: 9, cpu: 70 } }],
    ['a paused rollout', { rollout: { paused: true } }],
    ['a budget', { disruption: { maxUnavailable: 2 } }],
    ['labels', { labels: { surface: 'home' } }],
    ['links', { links: { runbook: 'https://example.com' } }],
    ['a team', { team: 'other' }],
    ['network access', { access: { from: [{ project: 'web' }] } }],
    ['an explicit default', { beforeDeployment: [{ ...migrate, retries: 0, deadline: '30m' }], apiAccess: false }],
  ])('stays the same with %s', (_, overrides) => expect(hash(overrides)).toBe(hash()));

  test.each<[string, WorkloadOverrides<'PinterestService'>]>([
    ['another image', { template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:2' }] } } }],
    ['other configuration', { config: { env: { CURRENCY: 'EUR' } } }],
    ['another hook', { beforeDeployment: [{ ...migrate, args: ['--force'] }] }],
    ['a version', { version: '2' }],
  ])('is another one with %s', (_, overrides) => expect(hash(overrides)).not.toBe(hash()));

  test('stays the same if its claims grow, and is another one if they change otherwise', () => {
    const claim = { name: 'data', size: '10Gi', mountPath: '/data' };
    const [own, grown, moved] = [claim, { ...claim, size: '20Gi' }, { ...claim, mountPath: '/other' }].map((template) =>
      deploymentHash(parsed(makeStatefulSet({ volumeClaimTemplates: [template] }))),
    );
    expect([grown === own, moved === own]).toEqual([true, false]);
  });

  test('is another one if the order of its hooks changes', () => {
    const flags = { name: 'flags', command: ['/flags'] };
    expect(hash({ beforeDeployment: [migrate, flags] })).not.toBe(hash({ beforeDeployment: [flags, migrate] }));
  });
});

test('a long name of a workload leaves the names of its Jobs within the limit, and unique', () => {
  const named = (name: string) =>
    expand(service({ name, beforeDeployment: [migrate, { ...migrate, name: 'flags' }] }), makeProjectContext());
  const jobs = ['a', 'b'].flatMap((end) => named(`${'cart-'.repeat(14)}${end}`).filter(({ kind }) => kind === 'Job'));
  const names = jobs.map(({ metadata }) => metadata.name);
  expect([new Set(names).size, Math.max(...names.map(({ length }) => length))]).toEqual([4, 63]);
});

test('a pod of a hook is replaced only after it has ended', () => {
  const objects = expand(service({ beforeDeployment: [{ ...migrate, retries: 2 }] }), makeProjectContext());
  expect(only(objects, 'Job')['spec']).toMatchObject({ backoffLimit: 2, podReplacementPolicy: 'Failed' });
});

test('a part that registers pods for clients is not in the pods of hooks', () => {
  const part = (name: string, kinds?: readonly ('PinterestService' | 'PinterestJobSet')[]) => ({
    name,
    summary: 'A part.',
    ...(kinds && { kinds }),
    pod: { sidecars: [{ name: `pinion-${name}`, image: 'registry.example.com/part:1' }] },
  });
  const parts = [
    part('traffic', ['PinterestService']),
    part('logs', ['PinterestService', 'PinterestJobSet']),
    part('all'),
  ];
  const objects = expand(service(), makeProjectContext({ profile: { parts } as never }));
  const containersOf = (kind: string) =>
    (
      only(objects, kind)['spec'] as { template: { spec: { initContainers: { name: string }[] } } }
    ).template.spec.initContainers.map(({ name }) => name);
  expect(containersOf('Deployment')).toEqual(['pinion-traffic', 'pinion-logs', 'pinion-all']);
  expect(containersOf('Job')).toEqual(['pinion-logs', 'pinion-all']);
});

test('native output needs the controller, and only the largest hook counts as pods', () => {
  const large = { ...migrate, name: 'large', resources: { requests: { cpu: '3' } } };
  const workload = service({
    replicas: 1,
    rollout: { maxSurge: 0, maxUnavailable: 1 },
    beforeDeployment: [migrate, large],
  });
  expect(needsController(workload)).toMatchObject([{ code: 'needs-controller', path: ['spec', 'beforeDeployment'] }]);
  const context = makeProjectContext({ profile: { name: 'bare-1', parts: [] } });
  const amounts = workloadFootprint(workload, expand(workload, context));
  const without = workloadFootprint(
    parsed(makeService({ replicas: 1, rollout: { maxSurge: 0, maxUnavailable: 1 } })),
    expand(parsed(makeService({ replicas: 1, rollout: { maxSurge: 0, maxUnavailable: 1 } })), context),
  );
  const text = (name: string, of = amounts) => of[name] && formatQuantity(of[name]);
  expect([text('pods'), text('pods', without), text('count/jobs.batch')]).toEqual(['2', '1', '2']);
  expect(text('requests.cpu')).toMatch(/^3/);
});
