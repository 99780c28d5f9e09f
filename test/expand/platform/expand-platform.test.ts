import {
  parseManifest,
  safeParseManifest,
  expand,
  resolvePlatform,
  type ManifestInput,
  type PlatformManifest,
  type Workload,
} from '@pinion-platform/pinion';
import { checkNative, isTypeName, type Problem } from '../../../lib/api';
import { defaultPlatform, expandPlatform, installManifests, nodeSupport, renderPlatform } from '../../../lib/expand';

const cluster = (spec: Partial<ManifestInput<'Platform'>['spec']> = {}) =>
  resolvePlatform([parseManifest({ ...defaultPlatform, spec: { ...defaultPlatform.spec, ...spec } })]);

test('a platform expands to priority classes, one policy with its binding per workload kind, and one for patches', () => {
  const counts: Record<string, number> = {};
  for (const { kind } of expandPlatform(cluster())) counts[kind] = (counts[kind] ?? 0) + 1;
  expect(counts).toEqual({
    PriorityClass: 4,
    ValidatingAdmissionPolicy: 7,
    ValidatingAdmissionPolicyBinding: 7,
  });
});

test('every field is a Kubernetes field', () => {
  const problems: Problem[] = [];
  for (const object of renderPlatform(cluster()))
    if (isTypeName(object.kind)) checkNative(object.kind, object, [], (problem) => problems.push(problem));
  expect(problems).toEqual([]);
});

test('a rendered platform also has the roles of members, which else are part of the installation', () => {
  const rendered = renderPlatform(cluster());
  expect(rendered.filter(({ kind }) => kind !== 'ClusterRole')).toEqual(expandPlatform(cluster()));
  const installed = installManifests({ image: 'registry.example.com/pinion/controller:1.0.0' });
  for (const { kind, metadata, rules } of rendered.filter((object) => object.kind === 'ClusterRole'))
    expect(installed).toContainEqual(
      expect.objectContaining({ kind, metadata: expect.objectContaining({ name: metadata.name }) as unknown, rules }),
    );
});

test('tiers expand to priority classes that preempt others only if allowed', () => {
  const batch = expandPlatform(cluster()).find(
    ({ kind, metadata }) => kind === 'PriorityClass' && metadata.name === 'batch',
  );
  expect(batch).toMatchObject({ value: 10000, preemptionPolicy: 'Never' });
});

test('node-level parts are daemons in a project that allows exactly their requests', () => {
  const support = nodeSupport(cluster());
  const [project, ...daemons] = support;
  expect(project).toMatchObject({
    kind: 'Project',
    metadata: { name: 'pinion-system' },
    spec: { infrastructure: true },
  });
  expect(daemons.length).toBeGreaterThan(0);
  const context = resolvePlatform([parseManifest(project as ManifestInput) as PlatformManifest]).project(
    'pinion-system',
  );
  for (const daemon of daemons) {
    expect(safeParseManifest(daemon).problems).toEqual([]);
    expect(expand(parseManifest(daemon as ManifestInput) as Workload, context).map(({ kind }) => kind)).toContain(
      'DaemonSet',
    );
  }
});

test('a node-level part that needs a value is off without it, and has it as a variable otherwise', () => {
  const named = (support: ReturnType<typeof nodeSupport>) =>
    support.find(({ metadata }) => metadata.name === 'node-logs');
  expect(named(nodeSupport(cluster()))).toBeUndefined();
  const daemon = named(
    nodeSupport(cluster({ runtime: { values: { logsHost: 'logs.example.org' } } })),
  ) as ManifestInput<'PinterestDaemon'>;
  expect(daemon.spec.template.spec.containers[0]?.env).toContainEqual(
    expect.objectContaining({ value: 'logs.example.org' }),
  );
});

describe('quotas of system namespaces', () => {
  const quotasOf = (spec: Partial<ManifestInput<'Platform'>['spec']>) =>
    expandPlatform(cluster(spec)).filter(({ kind }) => kind === 'ResourceQuota');

  test('do not exist if the Platform lists none', () => expect(quotasOf({})).toEqual([]));

  test('limit object counts and pods, except critical pods, which have a quota without a limit', () => {
    const quotas = quotasOf({ systemNamespaces: [{ name: 'kube-system' }] });
    expect(quotas.map(({ metadata: { namespace, name }, spec }) => [namespace, name, spec])).toEqual([
      [
        'kube-system',
        'pinion-critical-pods',
        {
          hard: { pods: '1G' },
          scopeSelector: {
            matchExpressions: [
              {
                scopeName: 'PriorityClass',
                operator: 'In',
                values: ['system-cluster-critical', 'system-node-critical'],
              },
            ],
          },
        },
      ],
      [
        'kube-system',
        'pinion-objects',
        {
          hard: {
            configmaps: '1k',
            persistentvolumeclaims: '100',
            secrets: '1k',
            services: '100',
            'services.loadbalancers': '10',
          },
        },
      ],
      [
        'kube-system',
        'pinion-pods',
        {
          hard: { pods: '1k' },
          scopeSelector: {
            matchExpressions: [
              {
                scopeName: 'PriorityClass',
                operator: 'NotIn',
                values: ['system-cluster-critical', 'system-node-critical'],
              },
            ],
          },
        },
      ],
    ]);
  });

  test.each(['requests.cpu', 'requests.memory', 'limits.memory', 'count/leases.coordination.k8s.io', 'count/pods'])(
    'never count %s, because that would stop the control plane',
    (resource) => {
      const spec = {
        ...defaultPlatform.spec,
        systemNamespaces: [{ name: 'kube-system', quota: { [resource]: '10' } }],
      };
      expect(safeParseManifest({ ...defaultPlatform, spec }).problems).toMatchObject([
        { code: 'bad-format', path: ['spec', 'systemNamespaces', 0, 'quota', resource] },
      ]);
    },
  );

  test('come from the Project of node-level parts for its namespace, without default limits for its daemons', () => {
    const systemNamespaces = [{ name: 'pinion-system', quota: { pods: '5k' } }];
    expect(quotasOf({ systemNamespaces })).toEqual([]);
    const [project] = nodeSupport(cluster({ systemNamespaces, defaultQuota: { pods: '20', 'requests.cpu': '10' } }));
    expect(project).toMatchObject({ spec: { quota: { pods: '5k', 'requests.cpu': '1P' } } });
  });
});

test.each([
  [{}, 'false'],
  [{ skipKubeletVerification: 'true' }, 'true'],
])('the SPIRE agent verifies the kubelet unless the Platform says otherwise: %j', (more, expected) => {
  const values = { spireServer: 'spire.example.com', trustDomain: 'example.com', spireCluster: 'prod-1', ...more };
  const agent = nodeSupport(cluster({ runtime: { values } })).find(
    ({ metadata }) => metadata.name === 'identity-agent',
  );
  const { config, template } = agent?.spec as ManifestInput<'PinterestDaemon'>['spec'];
  const plugin = /WorkloadAttestor "k8s" \{[^]*?\n {2}\}/.exec(config?.files?.['/etc/spire/agent.conf'] as string)?.[0];
  expect(plugin).toContain('kubelet_ca_path = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt"');
  expect(plugin).toContain('skip_kubelet_verification = ${SKIP_KUBELET_VERIFICATION}');
  const env = template.spec.containers[0]?.env?.filter(({ name }) => name === 'SKIP_KUBELET_VERIFICATION');
  expect(env).toEqual([{ name: 'SKIP_KUBELET_VERIFICATION', value: expected }]);
});
