import fc from 'fast-check';
import { isError, parseManifest, patchableFields, type PatchableKind, type Workload } from '../../../lib/api';
import { safeExpand, type ProjectContext } from '../../../lib/expand';
import { leavesOf } from '../../../lib/expand/explain/differences';
import { applyPatches } from '../../../lib/expand/patches/apply-patches';
import { makeProjectContext, makeService, type ProjectContextOverrides } from '../../../lib/testing';
import { goldenObjects } from './golden-objects';
import { patchSamples } from './patch-samples';

const service = (patch: object): Workload =>
  parseManifest(
    makeService({
      loadBalancer: {},
      template: {
        spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1', ports: [{ containerPort: 8080 }] }] },
      },
      patches: [patch],
    } as never),
  ) as Workload;
const problemsWith = (patch: object, context: ProjectContext = makeProjectContext()) =>
  safeExpand(service(patch), context).problems.filter(isError);
const contextWith = (exceptions: readonly object[], project: ProjectContextOverrides['project'] = {}) =>
  makeProjectContext({ platform: { patchExceptions: exceptions }, project } as ProjectContextOverrides);

const pod = '/spec/template/spec';
const attacks: readonly (readonly [kind: string, pointer: string, value: unknown])[] = [
  ['Deployment', `${pod}/serviceAccountName`, 'deployer'],
  ['Deployment', `${pod}/automountServiceAccountToken`, true],
  ['Deployment', `${pod}/hostPID`, true],
  ['Deployment', `${pod}/hostIPC`, true],
  ['Deployment', `${pod}/hostNetwork`, true],
  ['Deployment', `${pod}/hostUsers`, true],
  ['Deployment', `${pod}/shareProcessNamespace`, true],
  ['Deployment', `${pod}/priorityClassName`, 'system-node-critical'],
  ['Deployment', `${pod}/priority`, 2_000_000_000],
  ['Deployment', `${pod}/preemptionPolicy`, 'PreemptLowerPriority'],
  ['Deployment', `${pod}/tolerations`, [{ operator: 'Exists' }]],
  ['Deployment', `${pod}/nodeSelector`, { 'node-role.kubernetes.io/control-plane': '' }],
  ['Deployment', `${pod}/affinity`, {}],
  ['Deployment', `${pod}/nodeName`, 'control-plane-1'],
  ['Deployment', `${pod}/schedulerName`, 'own'],
  ['Deployment', `${pod}/runtimeClassName`, 'host'],
  ['Deployment', `${pod}/volumes/-`, { name: 'root', hostPath: { path: '/' } }],
  ['Deployment', `${pod}/containers/-`, { name: 'second', image: 'registry.example.com/second:1' }],
  ['Deployment', `${pod}/containers/0`, { name: 'app', image: 'registry.example.com/second:1' }],
  ['Deployment', `${pod}/containers/0/securityContext`, { privileged: true }],
  ['Deployment', `${pod}/containers/0/securityContext/capabilities/add`, ['SYS_ADMIN']],
  ['Deployment', `${pod}/containers/0/image`, 'registry.example.com/other:1'],
  [
    'Deployment',
    `${pod}/containers/0/volumeMounts`,
    [{ name: 'a', mountPath: '/a', mountPropagation: 'Bidirectional' }],
  ],
  ['Deployment', `${pod}/containers/0/resources`, {}],
  ['Deployment', `${pod}/securityContext/seccompProfile`, { type: 'Unconfined' }],
  ['Deployment', '/spec/template/metadata/labels/pinterest.com~1workload', 'other'],
  ['Deployment', '/spec/template/metadata/annotations', { 'iam.amazonaws.com/role': 'admin' }],
  ['Deployment', '/spec/template', {}],
  ['Deployment', '/spec', {}],
  ['Deployment', '/spec/replicas', 1000],
  ['Deployment', '/metadata', { name: 'app' }],
  ['Deployment', '/metadata/labels/example.com~1a', 'b'],
  ['Deployment', '/metadata/ownerReferences', []],
  ['Deployment', '/metadata/finalizers', ['example.com/hold']],
  ['Deployment', '/metadata/annotations/pinterest.com~1artifact', 'forged'],
  ['Deployment', '/metadata/annotations/deployment.kubernetes.io~1revision', '7'],
  ['Deployment', '/metadata/annotations', { 'pinterest.com/artifact': 'forged' }],
  ['Deployment', '/metadata/annotations', { 'any.pinterest.com/key': 'forged' }],
  ['Service', '/metadata/annotations', { 'lbipam.cilium.io/ips': '10.0.0.1' }],
  ['Service', '/spec/externalIPs', ['10.0.0.1']],
  ['Service', '/spec/type', 'LoadBalancer'],
  ['Service', '/spec/loadBalancerSourceRanges', ['0.0.0.0/0']],
  ['Service', '/spec/externalName', 'internal.example.com'],
  ['Service', '/spec/selector', { app: 'other' }],
  ['Ingress', '/metadata/annotations/example.com~1waf', 'off'],
  ['Ingress', '/spec/rules/0/host', 'deploy.example.com'],
  ['Ingress', '/spec/tls', []],
];
const steps = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/'));
const nested = (pointer: string, value: unknown) =>
  steps(pointer).reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);

describe('a patch of a field that is not patchable is rejected', () => {
  test.each(attacks)('%s %s by an operation', (kind, path, value) => {
    const problems = problemsWith({ kind, operations: [{ op: 'add', path, value }] });
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatchObject({ rule: 'patchable-fields', code: 'not-available' });
    expect(problems[0]?.path.slice(0, 3)).toEqual(['spec', 'patches', 0]);
  });

  const mergeable = attacks.filter(
    ([, path, value]) => !/[/]([0-9]+|-)(\/|$)/.test(path) && JSON.stringify(value) !== '{}',
  );
  test.each(mergeable)('%s %s by a merge', (kind, path, value) => {
    const problems = problemsWith({ kind, merge: nested(path, value) });
    expect([...new Set(problems.map(({ rule }) => rule))]).toEqual(['patchable-fields']);
  });

  test.each(['remove', 'replace'])('an operation %s of a parent', (op) => {
    for (const path of ['/spec', pod, '/metadata', '/spec/template', `${pod}/containers`])
      expect(
        problemsWith({ kind: 'Deployment', operations: [{ op, path, ...(op === 'replace' && { value: null }) }] }),
      ).toMatchObject([{ rule: 'patchable-fields', path: ['spec', 'patches', 0, 'operations', 0, 'path'] }]);
  });

  test('the object is not changed, not even by the allowed operations of the patch', () => {
    const operations = [
      { op: 'add', path: '/spec/minReadySeconds', value: 7 },
      { op: 'add', path: `${pod}/hostPID`, value: true },
    ];
    const before = goldenObjects.filter(({ kind }) => kind === 'Deployment').slice(0, 1);
    expect(
      applyPatches(before, service({ kind: 'Deployment', operations }), makeProjectContext(), () => undefined),
    ).toEqual(before);
  });
});

test.each([
  'Role',
  'RoleBinding',
  'ServiceAccount',
  'ResourceQuota',
  'LimitRange',
  'ConfigMap',
  'NetworkPolicy',
  'ClusterRole',
])('a patch cannot name the kind %s', (kind) =>
  expect(() => service({ kind, merge: { metadata: { annotations: { a: 'b' } } } })).toThrow('spec.patches[0].kind'),
);

test('patches of listed fields apply', () => {
  for (const patch of [
    {
      kind: 'Deployment',
      merge: { metadata: { annotations: { 'example.com/a': 'b' } }, spec: { minReadySeconds: 5 } },
    },
    { kind: 'Deployment', operations: [{ op: 'add', path: '/metadata/annotations', value: { 'example.com/a': 'b' } }] },
    {
      kind: 'Deployment',
      operations: [
        { op: 'add', path: `${pod}/hostAliases`, value: [{ ip: '10.0.0.1', hostnames: ['a.example.com'] }] },
      ],
    },
    { kind: 'Service', merge: { spec: { trafficDistribution: 'PreferSameZone' } } },
  ])
    expect(problemsWith(patch)).toEqual([]);
});

describe('exceptions of the Platform', () => {
  const patch = { kind: 'Deployment', merge: { spec: { template: { spec: { schedulerName: 'gang' } } } } };
  const exception = (fields: readonly string[], more: object = {}) => ({
    project: 'shop',
    kind: 'Deployment',
    fields,
    ...more,
  });
  const schedulerName = [`${pod}/schedulerName`];

  test('allow a field of the named workload, project and kind', () => {
    expect(problemsWith(patch, contextWith([exception(schedulerName)]))).toEqual([]);
    expect(problemsWith(patch, contextWith([exception(schedulerName, { workload: 'app' })]))).toEqual([]);
    for (const other of [{ workload: 'other' }, { project: 'search' }, { kind: 'StatefulSet' }])
      expect(problemsWith(patch, contextWith([exception(schedulerName, other)]))).toMatchObject([
        { rule: 'patchable-fields' },
      ]);
  });

  test('do not allow annotations and labels of the platform', () => {
    const context = contextWith([exception(['/metadata/annotations', '/spec/template/metadata'])]);
    const forged = { 'pinterest.com/artifact': 'forged' };
    expect(problemsWith({ kind: 'Deployment', merge: { metadata: { annotations: forged } } }, context)).toHaveLength(1);
    expect(
      problemsWith({ kind: 'Deployment', merge: { spec: { template: { metadata: { labels: forged } } } } }, context),
    ).toHaveLength(1);
    const remove = { op: 'remove', path: '/spec/template/metadata/labels' };
    expect(
      problemsWith({ kind: 'Deployment', operations: [remove] }, context).map(({ reason }) => reason),
    ).toContainEqual(expect.stringContaining('which the platform sets'));
    const revision = { 'deployment.kubernetes.io/revision': '7' };
    expect(problemsWith({ kind: 'Deployment', merge: { metadata: { annotations: revision } } }, context)).toEqual([]);
  });

  test('cover list entries by *, but not entries that a patch moves', () => {
    const first = { op: 'remove', path: `${pod}/containers/0/env/0` };
    const named = contextWith([exception([`${pod}/containers/0/env/0`])]);
    expect(problemsWith({ kind: 'Deployment', operations: [first] }, named)[0]?.reason).toContain('.env.1');
    expect(
      problemsWith({ kind: 'Deployment', operations: [first] }, contextWith([exception([`${pod}/containers/*/env`])])),
    ).toEqual([]);
  });

  describe('do not allow what the project forbids', () => {
    const everything = [
      exception([
        `${pod}/containers`,
        `${pod}/volumes`,
        `${pod}/hostPID`,
        `${pod}/hostNetwork`,
        `${pod}/hostIPC`,
        `${pod}/securityContext`,
      ]),
    ];
    const add = (path: string, value: unknown) => ({
      kind: 'Deployment',
      operations: [{ op: 'add', path: `${pod}${path}`, value }],
    });
    const container = (fields: object) => ({
      name: 'second',
      image: 'registry.example.com/second:1',
      resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } },
      ...fields,
    });

    test.each<[string, object]>([
      ['hostPath', add('/volumes/-', { name: 'root', hostPath: { path: '/' } })],
      ['privileged', add('/containers/-', container({ securityContext: { privileged: true } }))],
      ['runAsUser', add('/containers/-', container({ securityContext: { runAsUser: 0 } }))],
      ['seccompProfile', add('/securityContext/seccompProfile', { type: 'Unconfined' })],
      ['hostPort', add('/containers/0/ports/0/hostPort', 80)],
      ['capabilities', add('/containers/-', container({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }))],
    ])('%s under restricted Pod Security', (field, patched) => {
      const problems = problemsWith(patched, contextWith(everything));
      expect(problems).toContainEqual(
        expect.objectContaining({ rule: 'pod-security', value: expect.stringContaining(field) as string }),
      );
    });

    test.each<[string, object]>([
      ['hostPID', add('/hostPID', true)],
      ['hostIPC', add('/hostIPC', true)],
      ['hostNetwork', add('/hostNetwork', true)],
      ['hostPath', add('/volumes/-', { name: 'root', hostPath: { path: '/' } })],
      ['hostPath', add('/volumes/-', { name: 'root', hostPath: { path: '/var/log/../..' } })],
      ['hostPath', add('/volumes/-', { name: 'root', hostPath: { path: '/var/logs' } })],
      ['privileged', add('/containers/-', container({ securityContext: { privileged: true } }))],
    ])('%s in a project that does not allow it', (field, patched) => {
      const project = { infrastructure: true, podSecurity: 'privileged' as const, host: { paths: ['/var/log'] } };
      const problems = problemsWith(patched, contextWith(everything, project));
      expect(problems).toContainEqual(
        expect.objectContaining({ rule: 'patched-host-access', value: expect.stringContaining(field) as string }),
      );
    });

    test('host access that the project allows passes', () => {
      const project = {
        infrastructure: true,
        podSecurity: 'privileged' as const,
        host: { paths: ['/var/log'], pid: true },
      };
      const context = contextWith(everything, project);
      expect(problemsWith(add('/hostPID', true), context)).toEqual([]);
      expect(problemsWith(add('/volumes/-', { name: 'logs', hostPath: { path: '/var/log/pods' } }), context)).toEqual(
        [],
      );
    });

    test('containers without requests and limits', () => {
      const problems = problemsWith(add('/containers/-', container({ resources: {} })), contextWith(everything));
      expect(problems.map(({ rule }) => rule)).toEqual(['patched-resources', 'patched-resources', 'patched-resources']);
    });
  });
});

/** Independent of `changedLeaves`: compares the leaves as text. */
function changes(before: unknown, after: unknown): string[] {
  const textOf = (object: unknown) =>
    new Map(leavesOf(object).map(({ path, value }) => [JSON.stringify(path.map(String)), JSON.stringify(value)]));
  const [old, now] = [textOf(before), textOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path));
}

test('random patches change no field outside of the list', () => {
  const context = makeProjectContext();
  const samples = [
    ...new Map(goldenObjects.map((object) => [`${object.kind} ${object.metadata.name}`, object])).values(),
  ];
  let applied = 0;
  fc.assert(
    fc.property(
      fc
        .constantFrom(...samples)
        .chain((object) =>
          fc.tuple(fc.constant(object), fc.array(patchSamples(object), { minLength: 1, maxLength: 3 })),
        ),
      ([object, patches]) => {
        const workload = { ...service({ kind: 'Deployment', merge: {} }), spec: { patches } } as unknown as Workload;
        const [after] = applyPatches([object], workload, context, () => undefined);
        const changed = changes(object, after).map((path) => JSON.parse(path) as string[]);
        if (changed.length > 0) applied++;
        const listed = object.kind in patchableFields ? patchableFields[object.kind as PatchableKind] : [];
        for (const path of changed) {
          expect(
            listed.some((field) => `${path.join('.')}.`.startsWith(`${field}.`)) || path.join('.') === 'metadata',
          ).toBe(true);
          // A key is one step of the path: a dot may also be in it.
          const key = path.includes('annotations') ? path[path.indexOf('annotations') + 1] : undefined;
          expect(String(key)).not.toMatch(/^([^/]+\.)?(pinterest\.com|kubernetes\.io|k8s\.io)\//);
        }
      },
    ),
    { numRuns: 1500 },
  );
  // Otherwise the property would hold for patches that do nothing.
  expect(applied).toBeGreaterThan(50);
});
