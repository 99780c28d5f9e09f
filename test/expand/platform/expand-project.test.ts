import {
  parseManifest,
  safeParseManifest,
  safeExpand,
  resolvePlatform,
  type ManifestInput,
  type PlatformManifest,
} from '@pinion-platform/pinion';
import { explainProblem } from '../../../lib/api';
import { defaultPlatform, defaultProfile, expandProject, type KubernetesObject } from '../../../lib/expand';

const input = (spec: Partial<ManifestInput<'Project'>['spec']>): ManifestInput<'Project'> => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'retail', ...spec },
});
const expandSpec = (spec: Partial<ManifestInput<'Project'>['spec']> = {}): readonly KubernetesObject[] =>
  expandProject(parseManifest(input(spec)) as PlatformManifest<'Project'>, resolvePlatform([]));
const platformFacts = {
  'pinterest.com/administrators': 'system:masters',
  'pinterest.com/default-priority': '100000',
  'pinterest.com/open-tiers': 'standard,batch,best-effort',
};
const authority = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
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

test("a variant beyond the project's maximum is a problem of its field", () => {
  const project = parseManifest(input({ maxContainer: { memory: '600Mi' } })) as PlatformManifest;
  const container = { name: 'app', image: 'registry.example.com/app:1', resources: { limits: { memory: '512Mi' } } };
  const limits = (memory: string) => ({ resources: { limits: { memory } } });
  const workload = parseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: {
      variants: [{ name: 'v1' }, { name: 'v2', ...limits('550Mi') }, { name: 'v3', ...limits('1Gi') }],
      template: { spec: { containers: [container] } },
    },
  });
  const { problems } = safeExpand(workload, resolvePlatform([project]).project('shop'));
  expect(problems.map(({ path, value }) => `${path.join('.')} ${String(value)}`)).toEqual([
    'spec.variants.2.resources.limits.memory 1Gi',
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
    name: 'pinion-project-admin',
  });
  expect(one(objects, 'RoleBinding', 'members-exec')).toBeUndefined();
});

test('only members with the roles in exec may exec, each bound once', () => {
  const objects = expandSpec({
    members: [
      { name: 'developers', role: 'edit' },
      { name: 'developers', role: 'operate' },
      { name: 'oncall', role: 'operate' },
      { name: 'leads', role: 'admin' },
    ],
    exec: ['operate', 'edit'],
  });
  expect(one(objects, 'RoleBinding', 'members-exec')).toMatchObject({
    roleRef: { kind: 'ClusterRole', name: 'pinion-project-exec' },
    subjects: [{ name: 'developers' }, { name: 'oncall' }],
  });
});

test.each(['view', 'deploy'])(
  'members who change nothing in the cluster themselves, such as %s, cannot exec',
  (role) => {
    const { problems } = safeParseManifest({
      ...input({ members: [{ name: 'visitors', role: 'view' }] }),
      spec: { team: 'retail', exec: [role] },
    });
    expect(problems.map(({ path, code }) => [...path, code])).toEqual([['spec', 'exec', 0, 'unsupported-value']]);
  },
);

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
    'pinterest.com/hosts': '*.shop.apps.example.com',
    'pinterest.com/iam-roles': 'arn:aws:iam::000000000000:role/shop/*',
    ...platformFacts,
  });
});

test('the namespace has what policies must know of the Platform at once after a restart of the API server', () => {
  const metadataOf = (name: string, { infrastructure = false, stage = 'Enforce' } = {}) => {
    const documents = [
      {
        ...defaultPlatform,
        spec: {
          ...defaultPlatform.spec,
          administrators: ['oidc:platform', 'CN=ops,OU=it'],
          gateway: { address: '10.96.0.20', certificateAuthority: authority, stage, directProjects: ['ci'] },
        },
      },
      { ...input({ infrastructure }), metadata: { name } },
    ].map((document) => parseManifest(document as ManifestInput) as PlatformManifest);
    const cluster = resolvePlatform([...documents, parseManifest(defaultProfile) as PlatformManifest]);
    return one(expandProject(cluster.project(name).project, cluster), 'Namespace', name)?.metadata;
  };
  expect(metadataOf('shop')?.annotations).toMatchObject({
    ...platformFacts,
    'pinterest.com/administrators': 'oidc:platform CN=ops,OU=it',
  });
  const stageOf = (...args: Parameters<typeof metadataOf>) => metadataOf(...args)?.labels?.['pinterest.com/gateway'];
  expect([stageOf('shop'), stageOf('shop', { stage: 'Observe' }), stageOf('shop', { stage: 'Off' })]).toEqual([
    'Enforce',
    'Observe',
    'Off',
  ]);
  expect([stageOf('ci'), stageOf('shop', { infrastructure: true })]).toEqual(['Off', 'Off']);
  expect(one(expandSpec(), 'Namespace', 'shop')?.metadata.labels).toMatchObject({ 'pinterest.com/gateway': 'Off' });
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
          { name: 'shop-releasers', role: 'deploy' },
          { name: 'shop-operators', role: 'operate' },
          { name: 'shop-visitors', role: 'view' },
          { kind: 'User', name: 'ana', role: 'admin' },
        ],
        stages: [{ name: 'staging' }, { name: 'production', clusters: ['prod-1'], deployers }],
      },
    });

  test('are groups of members who may deploy', () =>
    expect(withStage(['shop-developers', 'shop-releasers']).problems).toEqual([]));

  test.each([
    [
      'customers',
      'is not a group in spec.members; add the group to spec.members with the role deploy, edit or admin, or remove it',
    ],
    ['shop-developer', 'is not a group in spec.members; did you mean "shop-developers"?'],
    [
      'shop-operators',
      'is a member with the role operate, which may not deploy; give the group the role deploy, edit or admin in spec.members, or remove it',
    ],
    [
      'ana',
      'is a User in spec.members; deployers are groups; add the group to spec.members with the role deploy, edit or admin, or remove it',
    ],
  ])('are never others, such as %s', (name, message) => {
    const { problems } = withStage(['shop-developers', name]);
    expect(problems).toMatchObject([{ rule: 'project-deployers-members' }]);
    expect(problems.map((problem) => explainProblem(problem))).toEqual([
      `error unknown-reference: Project shop: spec.stages[1].deployers[1]: "${name}" ${message}`,
    ]);
  });

  test('are not empty', () => expect(withStage([]).problems).toMatchObject([{ code: 'out-of-range' }]));
});

describe('promotion of a stage', () => {
  const problemsOf = (promotion: object, stage: object = { deployers: ['release'], clusters: ['prod-1'] }) =>
    safeParseManifest(
      input({
        members: [
          { name: 'release', role: 'edit' },
          { name: 'leads', role: 'view' },
        ],
        stages: [{ name: 'staging' }, { name: 'production', ...stage, promotion }],
      }),
    ).problems.map(({ rule, path }) => `${String(rule)} ${path.slice(2).join('.')}`);

  test('is accepted with another stage, a time, approvals and approvers', () =>
    expect(problemsOf({ from: 'staging', soak: '1h', approvals: 2, approvers: ['leads'] })).toEqual([]));

  test.each<[string, object, string]>([
    ['from a stage that does not exist', { from: 'test' }, 'project-promotion-source 1.promotion.from'],
    ['from itself', { from: 'production' }, 'project-promotion-source 1.promotion.from'],
    ['with a time and no stage', { soak: '1h' }, 'project-promotion-soak 1.promotion.soak'],
    ['with approvers and no approvals', { approvers: ['leads'] }, 'project-promotion-approvers 1.promotion.approvers'],
    ['with no approval', { approvals: 0 }, 'undefined 1.promotion.approvals'],
  ])('is rejected %s', (_, promotion, problem) => expect(problemsOf(promotion)).toEqual([problem]));

  test.each([
    ['stagin', '"stagin" is not a stage of the Project; did you mean "staging"?'],
    ['other', '"other" is not a stage of the Project; use staging'],
    ['production', '"production" is the stage itself; use staging'],
  ])('from %s names the value and the choices', (from, message) => {
    const stages = [{ name: 'staging' }, { name: 'production', promotion: { from } }];
    const { problems } = safeParseManifest(input({ stages } as never));
    expect(problems.map((problem) => explainProblem(problem))).toContain(
      `error unknown-reference: Project shop: spec.stages[1].promotion.from: ${message}`,
    );
  });

  const user = (name: string, role: string) => ({ kind: 'User', name, role });
  const ci = { kind: 'ServiceAccount', name: 'ci', role: 'deploy' };
  test.each<[string, object[], object, string[]]>([
    ['a group of admins', [{ name: 'leads', role: 'admin' }], { approvals: 3 }, []],
    ['enough users', [user('ana', 'admin'), user('ben', 'admin')], { approvals: 2 }, []],
    [
      'no admin',
      [{ name: 'release', role: 'edit' }],
      { approvals: 1 },
      [
        'warning unknown-reference: Project shop: spec.stages[0].promotion.approvals: 1 cannot be reached; spec.members has no member with the role admin; add a group with the role admin to spec.members, or list approvers',
      ],
    ],
    [
      'too few users',
      [user('ana', 'admin'), { name: 'release', role: 'edit' }],
      { approvals: 2 },
      [
        'warning unknown-reference: Project shop: spec.stages[0].promotion.approvals: 2 cannot be reached; spec.members has only 1 user with the role admin; add a group with the role admin to spec.members, or list approvers',
      ],
    ],
    ['a group of approvers', [{ name: 'leads', role: 'view' }], { approvals: 2, approvers: ['leads'] }, []],
    [
      'approvers who may be members otherwise',
      [{ name: 'everyone', role: 'view' }],
      { approvals: 2, approvers: ['leads'] },
      [
        'warning unknown-reference: Project shop: spec.stages[0].promotion.approvers[0]: "leads" is not a group in spec.members; its users can approve only if they are members otherwise; add the group to spec.members with any role, or remove it',
      ],
    ],
    [
      'approvers without enough members',
      [ci],
      { approvals: 2, approvers: ['leads'] },
      [
        'warning unknown-reference: Project shop: spec.stages[0].promotion.approvals: 2 cannot be reached; spec.members has only 1 user; add a group to spec.members',
        'warning unknown-reference: Project shop: spec.stages[0].promotion.approvers[0]: "leads" is not a group in spec.members; its users can approve only if they are members otherwise; add the group to spec.members with any role, or remove it',
      ],
    ],
  ])('requires approvals that its members can give: %s', (_, members, promotion, messages) => {
    const publishers = [
      { issuer: 'https://ci.example.com', repository: 'shop', ref: 'refs/heads/main', keys: ['A'.repeat(44)] },
    ];
    const stages = [{ name: 'production', clusters: ['prod-1'], publishers, promotion }];
    const { problems } = safeParseManifest(input({ members, stages } as never));
    expect(problems.map((problem) => explainProblem(problem))).toEqual(messages);
  });

  test('is rejected on a stage that is not protected', () =>
    expect(problemsOf({ from: 'staging' }, {})).toEqual(['project-stage-promotion 1.promotion']));
});

describe('clusters of a stage', () => {
  type Stages = NonNullable<ManifestInput<'Project'>['spec']['stages']>;
  const publishers = [
    { issuer: 'https://ci.example.com', repository: 'commerce/shop', ref: 'refs/heads/main', keys: ['A'.repeat(44)] },
  ];
  const members = [{ name: 'release', role: 'edit' }] as const;
  const problemsOf = (stages: Stages) => safeParseManifest(input({ members, stages })).problems;
  const metadataOf = (stages: Stages) =>
    one(expandSpec({ members, stages }), 'Namespace', 'shop')?.metadata as KubernetesObject['metadata'];

  test.each([
    ['publishers', { name: 'production', publishers }],
    ['deployers', { name: 'production', deployers: ['release'] }],
  ])('are required with %s', (_, stage) =>
    expect(problemsOf([{ name: 'staging' }, stage])).toMatchObject([
      { code: 'required', rule: 'project-stage-clusters', path: ['spec', 'stages', 1, 'clusters'] },
    ]),
  );

  const production = { name: 'production', clusters: ['prod-1'], publishers };
  const staging = { name: 'staging', clusters: ['test-1', 'prod-1'] };
  const ownedBy = (stage: string) =>
    `"prod-1" belongs to stage ${stage}, which has publishers or deployers and shares no cluster; use another cluster, or remove it from stage ${stage}`;
  test.each<[string, Stages, string]>([
    ['a later open stage', [production, staging], `spec.stages[1].clusters[1]: ${ownedBy('production')}`],
    ['an earlier open stage', [staging, production], `spec.stages[0].clusters[1]: ${ownedBy('production')}`],
    [
      'another protected stage',
      [{ ...staging, publishers }, production],
      `spec.stages[1].clusters[0]: ${ownedBy('staging')}`,
    ],
  ])('of a protected stage may not be listed by %s', (_, stages, message) => {
    const problems = problemsOf(stages);
    expect(problems).toMatchObject([{ rule: 'project-cluster-owner' }]);
    expect(problems.map((problem) => explainProblem(problem))).toEqual([`error duplicate: Project shop: ${message}`]);
  });

  test('may be shared by stages that are not protected, and are listed once in each', () => {
    const clusters = ['test-1'];
    expect(
      problemsOf([
        { name: 'test', clusters },
        { name: 'staging', clusters },
      ]),
    ).toEqual([]);
    expect(problemsOf([{ name: 'test', clusters: ['test-1', 'test-1'] }])).toMatchObject([
      { code: 'duplicate', path: ['spec', 'stages', 0, 'clusters'] },
    ]);
  });

  test('mark the namespace on the cluster that they name, and on no other', () => {
    const production = { name: 'production', clusters: ['local', 'prod-1'], publishers };
    const elsewhere = { ...production, clusters: ['prod-1'] };
    const open = { name: 'staging', clusters: ['local'] };
    expect(metadataOf([{ name: 'staging' }, production])).toMatchObject({
      labels: { 'pinterest.com/protected': 'true' },
      annotations: { 'pinterest.com/stages': 'production' },
    });
    expect(metadataOf([open, { ...open, name: 'test' }, elsewhere])).toMatchObject({
      annotations: { 'pinterest.com/stages': 'staging,test' },
    });
    expect(metadataOf([open, elsewhere]).labels).not.toHaveProperty('pinterest.com/protected');
    expect(metadataOf([elsewhere]).annotations).not.toHaveProperty('pinterest.com/stages');
  });

  test.each(['pinterest.com/protected', 'pinterest.com/stages'])('the label %s cannot be set by hand', (key) =>
    expect(safeParseManifest(input({ labels: { [key]: 'true' } })).problems).toMatchObject([
      { rule: 'namespace-label' },
    ]),
  );
});

describe('claims of a publisher', () => {
  const github = {
    issuer: 'https://token.actions.githubusercontent.com',
    repository: 'commerce/shop',
    ref: 'refs/heads/main',
  };
  const claims = {
    repository_id: '4711',
    repository_owner_id: '815',
    workflow_ref: 'shop/deploy.yaml@refs/heads/main',
  };
  const problemsOf = (publisher: object) =>
    safeParseManifest(
      input({ stages: [{ name: 'production', clusters: ['prod-1'], publishers: [publisher as typeof github] }] }),
    ).problems.map(({ rule, code, path }) => [rule ?? code, path.slice(3).join('.')]);

  test.each([
    ['https://token.actions.githubusercontent.com'],
    ['https://token.actions.githubusercontent.com/commerce'],
    ['https://github.example.com/_services/token'],
  ])('are required for %s', (issuer) => {
    const missing = [['project-publisher-github-claims', 'publishers.0.claims']];
    expect(problemsOf({ ...github, issuer })).toEqual(missing);
    for (const name of Object.keys(claims))
      expect(problemsOf({ ...github, issuer, claims: { ...claims, [name]: undefined } })).not.toEqual([]);
    expect(problemsOf({ ...github, issuer, claims: { repository_id: '4711', event_name: 'push' } })).toEqual(missing);
    expect(problemsOf({ ...github, issuer, claims })).toEqual([]);
    const { workflow_ref: job_workflow_ref, ...ids } = claims;
    expect(problemsOf({ ...github, issuer, claims: { ...ids, job_workflow_ref } })).toEqual([]);
  });

  test('are optional for other issuers, and those of GitLab fit', () => {
    const gitlab = { ...github, issuer: 'https://gitlab.example.com' };
    const pinned = {
      project_id: '42',
      namespace_id: '7',
      ci_config_ref_uri: 'gitlab.example.com/commerce/shop//.gitlab-ci.yml@refs/heads/main',
      ref_protected: 'true',
    };
    expect(problemsOf(gitlab)).toEqual([]);
    expect(problemsOf({ ...gitlab, claims: pinned })).toEqual([]);
  });

  test('are never a pattern, except for the ref of a workflow file', () => {
    for (const value of ['*', '47*', 'shop/*@refs/heads/main', 'shop/deploy.yaml@*', ''])
      expect(problemsOf({ ...github, claims: { ...claims, workflow_ref: value } })).toEqual([
        ['bad-format', 'publishers.0.claims.workflow_ref'],
      ]);
    expect(problemsOf({ ...github, claims: { ...claims, workflow_ref: 'shop/deploy.yaml@refs/tags/v*' } })).toEqual([]);
  });

  test('are explained without the example of another claim, and once', () => {
    const publishers = [{ ...github, claims: { ...claims, repository_owner_id: '*' } }];
    const stages = [{ name: 'production', clusters: ['prod-1'], publishers }];
    const { problems } = safeParseManifest(input({ stages }));
    expect(problems.map((problem) => explainProblem(problem))).toEqual([
      'error bad-format: Project shop: spec.stages[0].publishers[0].claims.repository_owner_id: "*" is not a whole value without spaces, in which only a ref after an @ may end with a star; copy the value of this claim from the token of a CI run',
    ]);
  });

  test('cannot be set beside keys', () =>
    expect(problemsOf({ ...github, keys: ['A'.repeat(44)], claims })).toEqual([
      ['project-publisher-key-claims', 'publishers.0.claims'],
    ]));
});
