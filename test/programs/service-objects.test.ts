import { complete, explainProblem, type Input, type PlatformDocument, type Workload } from '../../lib/api';
import { examineExpansion, resolve, type KubernetesObject } from '../../lib/expand';
import { serviceObjects, type ServiceOptions } from '../../lib/programs';

const options: ServiceOptions = {
  image: 'registry.example.com/pinion/submission:1.0.0',
  settings: { store: 's3://artifacts', clusters: [{ name: 'prod-1' }], identity: {}, quotaNamespace: 'pinion-quota' },
};

/** What the service becomes, under a Platform that has a way in or none. */
function expanded(own: Partial<ServiceOptions>, hasEntrance = true): { kinds: string[]; problems: string[] } {
  const objects = serviceObjects({ ...options, ...own }) as readonly KubernetesObject[];
  const platform = {
    apiVersion: 'pinterest.com/v1',
    kind: 'Platform',
    metadata: { name: 'cluster' },
    spec: {
      environment: 'prod',
      cluster: 'prod-1',
      domain: 'prod.example.com',
      ...(hasEntrance && { ingress: { internal: { class: 'internal' } } }),
      tiers: [{ name: 'standard', priority: 1000 }],
      defaultTier: 'standard',
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    },
  };
  const documents = [platform, objects.find(({ kind }) => kind === 'Project')];
  const cluster = resolve(documents.map((one) => complete(one as never) as PlatformDocument));
  const workload = complete(objects.at(-1) as unknown as Input<'PinterestService'>) as Workload;
  const made = examineExpansion(workload, cluster.project('pinion-submission'));
  return { kinds: (made.objects ?? []).map(({ kind }) => kind), problems: made.problems.map(explainProblem) };
}

test('reached from inside by a host name, or by the cluster alone where there is no way in', () => {
  const inside = expanded({ hosts: ['deploy.prod.example.com'] });
  expect(inside.problems).toEqual([]);
  expect(inside.kinds).toEqual(expect.arrayContaining(['Deployment', 'Ingress', 'PodDisruptionBudget']));
  const alone = expanded({ exposure: 'cluster' }, false);
  expect(alone.problems).toEqual([]);
  expect(alone.kinds).not.toContain('Ingress');
});

test('it writes no file, and its containers may write none', () => {
  const { spec } = serviceObjects(options).at(-1) as Input<'PinterestService'>;
  expect(spec.template.spec.containers.map(({ securityContext }) => securityContext)).toEqual([
    { readOnlyRootFilesystem: true },
  ]);
});

test('it writes workloads as nobody but the deployer, and touches no Secret', () => {
  const rules = serviceObjects(options).flatMap((object) => ('rules' in object ? (object.rules as Rule[]) : []));
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

test('histories of quotas are read only where it is told of them', () => {
  const placesOf = (own: Partial<ServiceOptions>) =>
    (serviceObjects({ ...options, ...own }) as readonly KubernetesObject[])
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
