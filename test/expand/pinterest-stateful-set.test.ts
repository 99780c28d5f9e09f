import { complete, examineExpansion, expand, resolve, type SpecInput, type Workload } from 'pinion';

type Input = Partial<SpecInput<'PinterestStatefulSet'>>;
type SecurityContext = NonNullable<SpecInput<'PinterestStatefulSet'>['template']['spec']['securityContext']>;

function workloadOf(spec: Input, name = 'db') {
  const container = { name: 'db', image: 'registry.example.com/db:1.0.0' };
  return complete({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestStatefulSet',
    metadata: { name, namespace: 'shop' },
    spec: { template: { spec: { containers: [container] } }, ...spec },
  }) as unknown as Workload;
}
const world = resolve([]).project('shop');
const expanded = (spec: Input, name?: string) => expand(workloadOf(spec, name), world);

interface Set {
  readonly template: { readonly spec: { readonly securityContext: SecurityContext } };
  readonly volumeClaimTemplates: readonly { readonly spec: { readonly resources: object } }[];
}
const setOf = (spec: Input): Set => expanded(spec).find(({ kind }) => kind === 'StatefulSet')?.['spec'] as Set;

describe('the group of the volumes', () => {
  const claims = [{ name: 'data', mountPath: '/data', size: '1Gi' }];
  const groupOf = (pod?: SecurityContext, container?: SecurityContext) => {
    const containers = [
      { name: 'db', image: 'registry.example.com/db:1.0.0', ...(container && { securityContext: container }) },
    ];
    const template = { spec: { containers, ...(pod && { securityContext: pod }) } };
    return setOf({ claims, template }).template.spec.securityContext.fsGroup;
  };

  test('is what the person says', () => expect(groupOf({ fsGroup: 7, runAsGroup: 8 }, { runAsUser: 9 })).toBe(7));
  test('else the group of the first container, or of the pod', () => {
    expect(groupOf({ runAsGroup: 8, runAsUser: 9 }, { runAsGroup: 10 })).toBe(10);
    expect(groupOf({ runAsGroup: 8, runAsUser: 9 }, { runAsUser: 11 })).toBe(8);
  });
  test('else the number of its user', () => {
    expect(groupOf({ runAsUser: 9 }, { runAsUser: 11 })).toBe(11);
    expect(groupOf({ runAsUser: 9 })).toBe(9);
  });
  test('else one that no image has, for all containers of the pod join it', () => expect(groupOf()).toBe(65532));
  test('is not set without volumes', () =>
    expect(setOf({}).template.spec.securityContext).not.toHaveProperty('fsGroup'));
});

test('a size of parts of a byte is rounded up to whole bytes', () =>
  expect(
    setOf({ claims: [{ name: 'data', mountPath: '/data', size: '0.05Ti' }] }).volumeClaimTemplates[0]?.spec.resources,
  ).toEqual({ requests: { storage: '54975581389' } }));

test('what could change is in no claim template, for Kubernetes refuses every change of one', () => {
  const claims = [{ name: 'data', mountPath: '/data', size: '1Gi' }];
  const before = setOf({ claims });
  const after = setOf({ claims, version: '2.0.0', team: 'other', labels: { 'example.com/a': 'b' }, tier: 'critical' });
  expect(after.volumeClaimTemplates).toEqual(before.volumeClaimTemplates);
});

test.each([51, 52, 53, 63, 200])('a name of %i characters leaves room for what Kubernetes appends', (length) => {
  const objects = expanded({ ports: [{ name: 'db', port: 5432, protocol: 'TCP' }] }, 'a'.repeat(length));
  const set = objects.find(({ kind }) => kind === 'StatefulSet');
  expect(`${set?.metadata.name}-0123456789`.length).toBeLessThanOrEqual(63);
  expect(`${set?.metadata.name}-1000999`.length).toBeLessThanOrEqual(63);
});

test('an update of several members at a time is expanded with a warning, for clusters ignore it by default', () => {
  const { objects, problems } = examineExpansion(workloadOf({ update: { maxUnavailable: 2 } }), world);
  expect(objects).toBeDefined();
  expect(problems).toMatchObject([{ severity: 'warning', path: ['spec', 'update', 'maxUnavailable'] }]);
});
