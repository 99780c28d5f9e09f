import { parseManifest, explainProblem, type ManifestInput, type PlatformManifest, type Workload } from '../../lib/api';
import { safeExpand, resolvePlatform, type KubernetesObject } from '../../lib/expand';
import { submissionManifests, type SubmissionOptions } from '../../lib/programs';

const options: SubmissionOptions = {
  image: 'registry.example.com/pinion/submission:1.0.0',
  settings: {
    artifactStore: 's3://artifacts',
    clusters: [{ name: 'prod-1' }],
    identity: {},
    quotaNamespace: 'pinion-quota',
  },
};

/** Expands the service on a Platform with or without an ingress class. */
function expanded(overrides: Partial<SubmissionOptions>, hasIngress = true): { kinds: string[]; problems: string[] } {
  const objects = submissionManifests({ ...options, ...overrides }) as readonly KubernetesObject[];
  const platform = {
    apiVersion: 'pinterest.com/v1',
    kind: 'Platform',
    metadata: { name: 'cluster' },
    spec: {
      environment: 'prod',
      cluster: 'prod-1',
      domain: 'prod.example.com',
      ...(hasIngress && { ingress: { internal: { ingressClassName: 'internal' } } }),
      tiers: [{ name: 'standard', priority: 1000 }],
      defaultTier: 'standard',
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    },
  };
  const documents = [platform, objects.find(({ kind }) => kind === 'Project')];
  const cluster = resolvePlatform(documents.map((one) => parseManifest(one as never) as PlatformManifest));
  const workload = parseManifest(objects.at(-1) as unknown as ManifestInput<'PinterestService'>) as Workload;
  const result = safeExpand(workload, cluster.project('pinion-submission'));
  return { kinds: (result.objects ?? []).map(({ kind }) => kind), problems: result.problems.map(explainProblem) };
}

test('is reachable at an internal host name, or only in the cluster if there is no ingress class', () => {
  const internal = expanded({ hosts: ['deploy.prod.example.com'] });
  expect(internal.problems).toEqual([]);
  expect(internal.kinds).toEqual(expect.arrayContaining(['Deployment', 'Ingress', 'PodDisruptionBudget']));
  const clusterOnly = expanded({ exposure: 'Cluster' }, false);
  expect(clusterOnly.problems).toEqual([]);
  expect(clusterOnly.kinds).not.toContain('Ingress');
});

test('writes no files, with a read-only root file system', () => {
  const { spec } = submissionManifests(options).at(-1) as ManifestInput<'PinterestService'>;
  expect(spec.template.spec.containers.map(({ securityContext }) => securityContext)).toEqual([
    { readOnlyRootFilesystem: true },
  ]);
});

test('writes workloads only by impersonating the deployer, and has no access to Secrets', () => {
  const rules = submissionManifests(options).flatMap((object) => ('rules' in object ? (object.rules as Rule[]) : []));
  const writeRules = rules.filter(({ verbs }) => verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)));
  expect(rules.flatMap(({ resources, verbs }) => [...resources, ...verbs])).not.toContain('*');
  expect(rules.flatMap(({ resources }) => resources)).not.toContain('secrets');
  expect(writeRules.flatMap(({ apiGroups }) => apiGroups)).not.toContain('pinterest.com');
  expect(writeRules.find(({ verbs }) => verbs.includes('impersonate'))).toEqual({
    apiGroups: [''],
    resources: ['serviceaccounts'],
    verbs: ['impersonate'],
    resourceNames: ['deployer'],
  });
});

test('reads quota histories only if configured', () => {
  const roleNamespacesOf = (overrides: Partial<SubmissionOptions>) =>
    (submissionManifests({ ...options, ...overrides }) as readonly KubernetesObject[])
      .filter(({ kind }) => kind === 'Role')
      .map(({ metadata }) => metadata.namespace);
  expect(roleNamespacesOf({})).toEqual(['pinion-quota', 'pinion-submission']);
  const { quotaNamespace, ...settings } = options.settings;
  expect([quotaNamespace, roleNamespacesOf({ settings })]).toEqual(['pinion-quota', ['pinion-submission']]);
});

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

test('limits what the kernel buffers for clients that do not read', () => {
  const workload = submissionManifests(options).at(-1) as ManifestInput<'PinterestService'>;
  expect(workload.spec.template.spec.securityContext?.sysctls).toEqual([
    { name: 'net.ipv4.tcp_wmem', value: '4096 16384 131072' },
  ]);
  expect(expanded({}).problems).toEqual([]);
});
