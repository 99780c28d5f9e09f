import {
  parseManifest,
  safeExpand,
  expand,
  resolvePlatform,
  type SpecInput,
  type Workload,
} from '@pinion-platform/pinion';

type Input = Partial<SpecInput<'PinterestStatefulSet'>>;
type SecurityContext = NonNullable<SpecInput<'PinterestStatefulSet'>['template']['spec']['securityContext']>;

function workloadOf(spec: Input, name = 'db') {
  const container = { name: 'db', image: 'registry.example.com/db:1.0.0' };
  return parseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestStatefulSet',
    metadata: { name, namespace: 'shop' },
    spec: { template: { spec: { containers: [container] } }, ...spec },
  }) as unknown as Workload;
}
const context = resolvePlatform([]).project('shop');
const expanded = (spec: Input, name?: string) => expand(workloadOf(spec, name), context);

interface Set {
  readonly template: { readonly spec: { readonly securityContext: SecurityContext } };
  readonly volumeClaimTemplates: readonly { readonly spec: { readonly resources: object } }[];
}
const setOf = (spec: Input): Set => expanded(spec).find(({ kind }) => kind === 'StatefulSet')?.['spec'] as Set;

const claim = { name: 'data', size: '1Gi' };
const secret = { name: 'db' };
const emptyVolume = { name: 'own', emptyDir: {} };
test.each<[string, Input, string]>([
  [
    'a claim and a secret',
    { volumeClaimTemplates: [{ ...claim, mountPath: '/data' }], secrets: { files: { '/data/': secret } } },
    'spec.volumeClaimTemplates.0.mountPath',
  ],
  [
    "a claim in a file's path",
    { volumeClaimTemplates: [{ ...claim, mountPath: '/etc/db/data' }], config: { files: { '/etc/db': '' } } },
    'spec.volumeClaimTemplates.0.mountPath',
  ],
  [
    "a file in another file's path",
    { config: { files: { '/etc/db': '', '/etc/db/a.conf': '' } } },
    'spec.config.files./etc/db/a.conf',
  ],
  [
    'a secret and a volume that a part mounts',
    { secrets: { files: { '/var/log/pinion': secret } } },
    'spec.secrets.files./var/log/pinion',
  ],
  [
    'a secret and the token of the IAM role',
    { iamRole: 'reader', secrets: { files: { '/var/run/secrets/pinion/aws': secret } } },
    'spec.secrets.files./var/run/secrets/pinion/aws',
  ],
  [
    "a volume and a part's own volume",
    {
      template: { spec: { containers: [{ name: 'db', image: 'db:1' }], volumes: [emptyVolume] } },
      sidecars: { logs: { mounts: [{ name: 'own', mountPath: '/var/log/pinion' }] } },
    },
    'spec.sidecars.logs.mounts.0.mountPath',
  ],
])('%s at one path is a problem', (_, spec, path) => {
  const { problems } = safeExpand(workloadOf(spec), context);
  expect(problems.map((problem) => `${problem.path.join('.')} ${problem.rule}`)).toEqual([`${path} mount-twice`]);
});

test('nested mount paths are not a problem', () => {
  const claims = [
    { ...claim, mountPath: '/data' },
    { ...claim, name: 'log', mountPath: '/data/log' },
  ];
  const config = { files: { '/data/log/a.conf': '', '/data/log.conf': '' } };
  expect(safeExpand(workloadOf({ volumeClaimTemplates: claims, config }), context).problems).toEqual([]);
});

describe('the fsGroup of the volumes', () => {
  const claims = [{ name: 'data', mountPath: '/data', size: '1Gi' }];
  const groupOf = (pod?: SecurityContext, container?: SecurityContext) => {
    const containers = [
      { name: 'db', image: 'registry.example.com/db:1.0.0', ...(container && { securityContext: container }) },
    ];
    const template = { spec: { containers, ...(pod && { securityContext: pod }) } };
    return setOf({ volumeClaimTemplates: claims, template }).template.spec.securityContext.fsGroup;
  };

  test('is that of the workload', () => expect(groupOf({ fsGroup: 7, runAsGroup: 8 }, { runAsUser: 9 })).toBe(7));
  test('defaults to the group of the first container, or of the pod', () => {
    expect(groupOf({ runAsGroup: 8, runAsUser: 9 }, { runAsGroup: 10 })).toBe(10);
    expect(groupOf({ runAsGroup: 8, runAsUser: 9 }, { runAsUser: 11 })).toBe(8);
  });
  test('defaults to the user ID without a group', () => {
    expect(groupOf({ runAsUser: 9 }, { runAsUser: 11 })).toBe(11);
    expect(groupOf({ runAsUser: 9 })).toBe(9);
  });
  test('defaults to a group that no image has, because all containers of the pod join it', () =>
    expect(groupOf()).toBe(65532));
  test('is not set without volumes', () =>
    expect(setOf({}).template.spec.securityContext).not.toHaveProperty('fsGroup'));
});

test('rounds a size with fractional bytes up to whole bytes', () =>
  expect(
    setOf({ volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '0.05Ti' }] }).volumeClaimTemplates[0]
      ?.spec.resources,
  ).toEqual({ requests: { storage: '54975581389' } }));

test('claim templates contain nothing that can change, because Kubernetes rejects every change', () => {
  const claims = [{ name: 'data', mountPath: '/data', size: '1Gi' }];
  const before = setOf({ volumeClaimTemplates: claims });
  const after = setOf({
    volumeClaimTemplates: claims,
    version: '2.0.0',
    team: 'other',
    labels: { 'example.com/a': 'b' },
    tier: 'critical',
  });
  expect(after.volumeClaimTemplates).toEqual(before.volumeClaimTemplates);
});

test.each([51, 52, 53, 63, 200])('a name of %i characters is shortened for Kubernetes suffixes', (length) => {
  const objects = expanded({ ports: [{ name: 'db', port: 5432, protocol: 'TCP' }] }, 'a'.repeat(length));
  const set = objects.find(({ kind }) => kind === 'StatefulSet');
  expect(`${set?.metadata.name}-0123456789`.length).toBeLessThanOrEqual(63);
  expect(`${set?.metadata.name}-1000999`.length).toBeLessThanOrEqual(63);
});

test('maxUnavailable above 1 gives a warning, because clusters ignore it by default', () => {
  const { objects, problems } = safeExpand(workloadOf({ update: { maxUnavailable: 2 } }), context);
  expect(objects).toBeDefined();
  expect(problems).toMatchObject([{ severity: 'warning', path: ['spec', 'update', 'maxUnavailable'] }]);
});

describe('the headless Service of the members', () => {
  const namesOf = (spec: Input) => {
    const objects = expanded(spec);
    const set = objects.find(({ kind }) => kind === 'StatefulSet')?.['spec'] as {
      readonly serviceName: string;
      readonly template: { readonly spec: { readonly containers: readonly { readonly env: readonly object[] }[] } };
    };
    const services = objects.filter(({ kind }) => kind === 'Service');
    return {
      serviceName: set.serviceName,
      env: set.template.spec.containers[0]?.env,
      services: services.map(({ metadata, spec: { clusterIP } = {} }: Loose) => [metadata.name, clusterIP]),
    };
  };
  type Loose = { readonly metadata: { readonly name: string }; readonly spec?: { readonly clusterIP?: string } };

  test.each<[string, Input]>([
    ['db-members', {}],
    ['db-headless', { membersService: 'db-headless' }],
    ['db', { membersService: 'db' }],
  ])('is %s, and so are its uses', (name, spec) => {
    expect(namesOf(spec)).toMatchObject({ serviceName: name, services: [[name, 'None']] });
    expect(namesOf(spec).env).toContainEqual({ name: 'PINION_MEMBERS_DOMAIN', value: `${name}.shop.svc` });
  });

  test('has another name than that of the load balancer', () => {
    const loadBalancer = { port: 5432, protocol: 'TCP' } as const;
    expect(namesOf({ membersService: 'db-peers', loadBalancer }).services).toEqual([
      ['db', undefined],
      ['db-peers', 'None'],
    ]);
    expect(() => workloadOf({ membersService: 'db', loadBalancer })).toThrow(
      'spec.membersService: "db" is the name of the Service of the load balancer',
    );
  });
});
