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

/** Objects of the service, under a Platform with or without an ingress class. */
function expanded(own: Partial<SubmissionOptions>, hasIngress = true): { kinds: string[]; problems: string[] } {
  const objects = submissionManifests({ ...options, ...own }) as readonly KubernetesObject[];
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
  const made = safeExpand(workload, cluster.project('pinion-submission'));
  return { kinds: (made.objects ?? []).map(({ kind }) => kind), problems: made.problems.map(explainProblem) };
}

test('is reached by an internal host name, or only in the cluster without an ingress class', () => {
  const inside = expanded({ hosts: ['deploy.prod.example.com'] });
  expect(inside.problems).toEqual([]);
  expect(inside.kinds).toEqual(expect.arrayContaining(['Deployment', 'Ingress', 'PodDisruptionBudget']));
  const alone = expanded({ exposure: 'Cluster' }, false);
  expect(alone.problems).toEqual([]);
  expect(alone.kinds).not.toContain('Ingress');
});

test('writes no files, with a read-only root file system', () => {
  const { spec } = submissionManifests(options).at(-1) as ManifestInput<'PinterestService'>;
  expect(spec.template.spec.containers.map(({ securityContext }) => securityContext)).toEqual([
    { readOnlyRootFilesystem: true },
  ]);
});

test('writes workloads only by impersonation of the deployer, and has no access to Secrets', () => {
  const rules = submissionManifests(options).flatMap((object) => ('rules' in object ? (object.rules as Rule[]) : []));
  const writing = rules.filter(({ verbs }) => verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)));
  expect(rules.flatMap(({ resources, verbs }) => [...resources, ...verbs])).not.toContain('*');
  expect(rules.flatMap(({ resources }) => resources)).not.toContain('secrets');
  expect(writing.flatMap(({ apiGroups }) => apiGroups)).not.toContain('pinterest.com');
  expect(writing.find(({ verbs }) => verbs.includes('impersonate'))).toEqual({
    apiGroups: [''],
    resources: ['serviceaccounts'],
    verbs: ['impersonate'],
    resourceNames: ['deployer'],
  });
});

test('reads quota histories only if configured', () => {
  const placesOf = (own: Partial<SubmissionOptions>) =>
    (submissionManifests({ ...options, ...own }) as readonly KubernetesObject[])
      .filter(({ kind }) => kind === 'Role')
      .map(({ metadata }) => metadata.namespace);
  expect(placesOf({})).toEqual(['pinion-quota', 'pinion-submission']);
  const { quotaNamespace, ...settings } = options.settings;
  expect([quotaNamespace, placesOf({ settings })]).toEqual(['pinion-quota', ['pinion-submission']]);
});

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
