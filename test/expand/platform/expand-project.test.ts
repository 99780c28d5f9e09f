import {
  parseManifest,
  safeParseManifest,
  safeExpand,
  resolvePlatform,
  type ManifestInput,
  type PlatformManifest,
} from 'pinion';
import { expandProject, type KubernetesObject } from '../../../lib/expand';

const input = (spec: Partial<ManifestInput<'Project'>['spec']>): ManifestInput<'Project'> => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'retail', ...spec },
});
const expandSpec = (spec: Partial<ManifestInput<'Project'>['spec']> = {}): readonly KubernetesObject[] =>
  expandProject(parseManifest(input(spec)) as PlatformManifest<'Project'>, resolvePlatform([]));
const one = (objects: readonly KubernetesObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);

test('a project expands to its namespace first, then to its quotas, policies and roles', () => {
  expect(expandSpec().map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Namespace shop',
    'ResourceQuota project',
    'LimitRange project',
    'ServiceAccount deployer',
    'RoleBinding deployer',
  ]);
});

test('the namespace enforces Pod Security at the version of the cluster', () => {
  expect(one(expandSpec({ podSecurity: 'baseline' }), 'Namespace', 'shop')?.metadata.labels).toMatchObject({
    'pod-security.kubernetes.io/enforce': 'baseline',
    'pod-security.kubernetes.io/enforce-version': 'v1.36',
    'pinterest.com/team': 'retail',
  });
});

test("the quota defaults to the Platform's and never counts CPU limits", () => {
  const hard = (
    one(expandSpec({ quota: { pods: 7, 'requests.cpu': '2500m' } }), 'ResourceQuota', 'project')?.['spec'] as {
      hard: Record<string, string>;
    }
  ).hard;
  expect(hard).toMatchObject({ pods: '7', 'requests.cpu': '2500m', 'limits.memory': '800Gi' });
  expect(Object.keys(hard)).not.toContain('limits.cpu');
});

test('the limit range sets default CPU and memory requests and memory limits, and no CPU limit', () => {
  expect(one(expandSpec({ maxContainer: { memory: '8Gi' } }), 'LimitRange', 'project')?.['spec']).toEqual({
    limits: [
      {
        type: 'Container',
        default: { memory: '256Mi' },
        defaultRequest: { cpu: '100m', memory: '128Mi' },
        max: { memory: '8Gi' },
      },
    ],
  });
});

test('defaults of the limit range never exceed its maximum, which Kubernetes would reject', () => {
  expect(one(expandSpec({ maxContainer: { memory: '100Mi' } }), 'LimitRange', 'project')?.['spec']).toMatchObject({
    limits: [{ default: { memory: '100Mi' }, defaultRequest: { memory: '100Mi' }, max: { memory: '100Mi' } }],
  });
});

test("containers beyond the project's maximum are a problem, including those of parts", () => {
  const project = parseManifest(input({ maxContainer: { memory: '100Mi' } })) as PlatformManifest;
  const container = { image: 'registry.example.com/app:1', resources: { limits: { memory: '100Mi' } } };
  const workload = parseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestCronJob',
    metadata: { name: 'report', namespace: 'shop' },
    spec: {
      schedule: '@daily',
      template: {
        spec: {
          containers: [
            { ...container, name: 'fits' },
            { ...container, name: 'defaulted', resources: {} },
          ],
        },
      },
    },
  });
  const { objects, problems } = safeExpand(workload, resolvePlatform([project]).project('shop'));
  expect(objects).toBeUndefined();
  expect(problems.map(({ path, value }) => `${path.join('.')} ${String(value)}`)).toEqual([
    'spec.sidecars 128Mi',
    'spec.template.spec.containers.1.resources.limits.memory 256Mi',
  ]);
});

test.each([
  'pinterest.com/infrastructure',
  'pod-security.kubernetes.io/enforce',
  'kubernetes.io/metadata.name',
  'app.kubernetes.io/managed-by',
])('the label %s is reserved and cannot be set', (key) => {
  const { problems } = safeParseManifest(input({ labels: { [key]: 'true', 'example.com/division': 'food' } }));
  expect(problems.map(({ path, rule }) => [...path, rule])).toEqual([['spec', 'labels', key, 'namespace-label']]);
});

test.each(['shop.cart', 's'.repeat(64), 'Shop'])(
  'a project cannot be named %s, which is not a valid namespace',
  (name) => {
    const { problems } = safeParseManifest({ ...input({}), metadata: { name } });
    expect(problems.map(({ path }) => path.join('.'))).toEqual(['metadata.name']);
  },
);

test('members get their role through one binding per role', () => {
  const objects = expandSpec({
    members: [
      { name: 'retail-developers', role: 'edit' },
      { kind: 'ServiceAccount', name: 'ci/builder', role: 'edit' },
      { kind: 'User', name: 'jane', role: 'admin' },
    ],
  });
  expect(one(objects, 'RoleBinding', 'members-edit')?.['subjects']).toEqual([
    { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'retail-developers' },
    { kind: 'ServiceAccount', name: 'builder', namespace: 'ci' },
  ]);
  expect(one(objects, 'RoleBinding', 'members-admin')?.['roleRef']).toMatchObject({
    kind: 'ClusterRole',
    name: 'admin',
  });
});

test('an infrastructure project labels its namespace with the Pod Security level of its daemons', () => {
  const metadata = one(
    expandSpec({ infrastructure: true, podSecurity: 'privileged', host: { pid: true, paths: ['/var/log', '/proc'] } }),
    'Namespace',
    'shop',
  )?.metadata;
  expect(metadata?.labels?.['pinterest.com/infrastructure']).toBe('true');
  expect(metadata?.annotations).toEqual({
    'pinterest.com/host-pid': 'true',
    'pinterest.com/host-paths': '/var/log,/proc',
  });
});

describe('deployers of a stage', () => {
  const withStage = (deployers: readonly string[]) =>
    safeParseManifest({
      apiVersion: 'pinterest.com/v1',
      kind: 'Project',
      metadata: { name: 'shop' },
      spec: {
        team: 'commerce',
        members: [
          { name: 'shop-developers', role: 'edit' },
          { name: 'shop-visitors', role: 'view' },
          { kind: 'User', name: 'ana', role: 'admin' },
        ],
        stages: [{ name: 'staging' }, { name: 'production', deployers }],
      },
    });

  test('are groups of members with write access', () => expect(withStage(['shop-developers']).problems).toEqual([]));

  test.each([['visitors'], ['shop-visitors'], ['ana']])('are never others, such as %s', (name) =>
    expect(withStage(['shop-developers', name]).problems).toMatchObject([
      { rule: 'project-deployers-members', path: ['spec', 'stages', 1, 'deployers', 1] },
    ]),
  );

  test('are not empty', () => expect(withStage([]).problems).toMatchObject([{ code: 'out-of-range' }]));
});
