import { complete, examine, expand, resolve, type Input, type PlatformDocument, type Workload } from 'pinion';
import { checkNative, isTypeName, type Problem } from '../../lib/api';
import { defaultPlatform, expandPlatform, nodeSupport } from '../../lib/expand';

const cluster = (spec: Partial<Input<'Platform'>['spec']> = {}) =>
  resolve([complete({ ...defaultPlatform, spec: { ...defaultPlatform.spec, ...spec } })]);

test('a platform becomes priority classes, roles and one policy with its binding per workload kind', () => {
  const counts: Record<string, number> = {};
  for (const { kind } of expandPlatform(cluster())) counts[kind] = (counts[kind] ?? 0) + 1;
  expect(counts).toEqual({
    PriorityClass: 4,
    ClusterRole: 4,
    ValidatingAdmissionPolicy: 6,
    ValidatingAdmissionPolicyBinding: 6,
  });
});

test('every object is one that Kubernetes knows, and no role has a wildcard', () => {
  const problems: Problem[] = [];
  for (const object of expandPlatform(cluster())) {
    if (isTypeName(object.kind)) checkNative(object.kind, object, [], (problem) => problems.push(problem));
    if (object.kind === 'ClusterRole') expect(JSON.stringify(object['rules'])).not.toContain('*');
  }
  expect(problems).toEqual([]);
});

test('the tiers become priority classes that displace others only where they may', () => {
  const batch = expandPlatform(cluster()).find(
    ({ kind, metadata }) => kind === 'PriorityClass' && metadata.name === 'batch',
  );
  expect(batch).toMatchObject({ value: 10000, preemptionPolicy: 'Never' });
});

test('node-level parts are daemons in a project that allows them just what they ask for', () => {
  const support = nodeSupport(cluster());
  const [project, ...daemons] = support;
  expect(project).toMatchObject({
    kind: 'Project',
    metadata: { name: 'pinion-system' },
    spec: { infrastructure: true },
  });
  expect(daemons.length).toBeGreaterThan(0);
  const world = resolve([complete(project as Input) as PlatformDocument]).project('pinion-system');
  for (const daemon of daemons) {
    expect(examine(daemon).problems).toEqual([]);
    expect(expand(complete(daemon as Input) as Workload, world).map(({ kind }) => kind)).toContain('DaemonSet');
  }
});

test('a node-level part that needs a value is off without it, and carries it as a variable with it', () => {
  const named = (support: ReturnType<typeof nodeSupport>) =>
    support.find(({ metadata }) => metadata.name === 'node-logs');
  expect(named(nodeSupport(cluster()))).toBeUndefined();
  const daemon = named(
    nodeSupport(cluster({ runtime: { values: { logsHost: 'logs.example.org' } } })),
  ) as Input<'PinterestDaemon'>;
  expect(daemon.spec.template.spec.containers[0]?.env).toContainEqual(
    expect.objectContaining({ value: 'logs.example.org' }),
  );
});
