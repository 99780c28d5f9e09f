import { type ManifestInput, parseManifest, type PlatformManifest, type Workload } from '../../../lib/api';
import {
  createProjectContext,
  defaultPlatform,
  defaultProfile,
  expand,
  expansionInputs,
  podTemplatesHash,
} from '../../../lib/expand';

const apiVersion = 'pinterest.com/v1';
const platformSpec = defaultPlatform.spec;
const projectSpec: ManifestInput<'Project'>['spec'] = { team: 'commerce' };
const service: ManifestInput<'PinterestService'> = {
  apiVersion,
  kind: 'PinterestService',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: {
    replicas: 2,
    loadBalancer: { port: 80 },
    template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:1' }] } },
  },
};

interface Parts {
  readonly workload?: ManifestInput<'PinterestService'>;
  readonly platform?: Partial<ManifestInput<'Platform'>['spec']>;
  readonly project?: Partial<ManifestInput<'Project'>['spec']>;
  readonly profile?: ManifestInput<'RuntimeProfile'>;
}

function expansionOf({ workload = service, platform, project, profile = defaultProfile }: Parts = {}) {
  const context = createProjectContext(
    parseManifest({ ...defaultPlatform, spec: { ...platformSpec, ...platform } }),
    parseManifest(profile),
    parseManifest({ apiVersion, kind: 'Project', metadata: { name: 'shop' }, spec: { ...projectSpec, ...project } }),
  );
  const parsed: Workload = parseManifest(workload);
  return { inputs: expansionInputs(parsed, context), templates: podTemplatesHash(expand(parsed, context)) };
}

const base = expansionOf();
const withSpec = (spec: object) => ({ ...service, spec: { ...service.spec, ...spec } });
const withAnnotation = (key: string) => ({
  ...service,
  metadata: { ...service.metadata, annotations: { [key]: '2026-03-01T12:00:00Z' } },
});

test('equal inputs have equal hashes, whether defaults are written or not', () => {
  expect(expansionOf()).toEqual(base);
  expect(expansionOf({ workload: withSpec({ rollout: { strategy: 'RollingUpdate' } }) })).toEqual(base);
  expect(expansionOf({ platform: { gangScheduling: false } })).toEqual(base);
});

describe('a change of the Platform that changes no pod is no input', () => {
  const { runtime = {} } = platformSpec;
  const changes: readonly Partial<PlatformManifest<'Platform'>['spec'] | object>[] = [
    { administrators: ['sre'] },
    { breakGlass: ['on-call'] },
    { defaultQuota: { pods: '10' } },
    { defaultApiBudget: { user: { requestsPerSecond: 7 } } },
    { boundedReads: [{ resource: 'pods' }] },
    { systemNamespaces: [{ name: 'kube-system', quota: { pods: '10' } }] },
    { deploymentKeys: ['MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE='] },
    { runtime: { ...runtime, rollout: 'Immediate', rolloutDeadline: '1d', canary: {} } },
    { runtime: { ...runtime, expansionRelease: { heldBefore: '2026-03-01T12:00:00Z' } } },
  ];
  test.each(changes.map((change) => [Object.keys(change)[0], change] as const))('%s', (_, change) => {
    expect(expansionOf({ platform: change })).toEqual(base);
  });
});

describe('a change of the Project that changes no pod is no input', () => {
  const changes: readonly Partial<ManifestInput<'Project'>['spec']>[] = [
    { links: { runbook: 'https://wiki.example.com' } },
    { onCall: 'mailto:shop@example.com' },
    { businessHours: { timeZone: 'Europe/Zurich' } },
    { members: [{ name: 'shop-developers', role: 'view' }] },
    { exec: ['operate'] },
    { quota: { pods: '10' } },
    { onQuotaExceeded: 'Queue' },
    { stages: [{ name: 'production' }] },
    { labels: { 'example.com/division': 'commerce' } },
  ];
  test.each(changes.map((change) => [Object.keys(change)[0], change] as const))('%s', (_, change) => {
    expect(expansionOf({ project: change })).toEqual(base);
  });
});

test('other changes of Platform, profile and Project are inputs, but nothing that the team deploys', () => {
  const { runtime = {} } = platformSpec;
  const changes: readonly Parts[] = [
    { platform: { environment: 'prod' } },
    { platform: { runtime: { ...runtime, images: { logs: 'registry.example.com/logs:2' } } } },
    { project: { team: 'payments' } },
    { profile: { ...defaultProfile, metadata: { name: 'other-1' } } },
    { profile: { ...defaultProfile, spec: { ...defaultProfile.spec, parts: defaultProfile.spec.parts?.slice(1) } } },
  ];
  for (const change of changes) {
    const { inputs } = expansionOf(change);
    expect(inputs.all).not.toBe(base.inputs.all);
    expect(inputs.deployed).toBe(base.inputs.deployed);
  }
});

test('a deployment is an input, and a number of replicas is one that is not deployed', () => {
  for (const workload of [
    withSpec({ template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:2' }] } } }),
    withAnnotation('example.com/build'),
    withAnnotation('pinterest.com/restarted-at'),
  ])
    expect(expansionOf({ workload }).inputs.deployed).not.toBe(base.inputs.deployed);
  const scaled = expansionOf({ workload: withSpec({ replicas: 5 }) }).inputs;
  expect([scaled.deployed, scaled.all === base.inputs.all]).toEqual([base.inputs.deployed, false]);
});

test('annotations of deployments and of kubectl are no input', () => {
  for (const key of ['pinterest.com/artifact', 'kubectl.kubernetes.io/last-applied-configuration'])
    expect(expansionOf({ workload: withAnnotation(key) })).toEqual(base);
});
