import { explainProblem, isError } from '../../lib/api';
import { safePlanCapacity, removedFlags } from '../../lib/capacity';
import { makeLoad } from './make-load';

const errorsOf = (input: unknown): string[] => safePlanCapacity(input).problems.filter(isError).map(explainProblem);

const zones = ['us-east-1a', 'us-east-1b'];

describe('a load that cannot be planned is reported with a remedy', () => {
  test.each<[string, unknown, string]>([
    [
      'two zones',
      makeLoad({ zones }),
      'out-of-range: zones: ["us-east-1a","us-east-1b"] each zone has one control plane node, and 2 etcd members tolerate the loss of 0, the same as 1; use 3 zones',
    ],
    ['one zone', makeLoad({ zones: ['us-east-1a'] }), 'a single etcd member tolerates no failure; use 3 zones'],
    [
      'an even number of etcd members',
      makeLoad({ overrides: { etcdMembers: 4 } }),
      'overrides.etcdMembers: 4 etcd members tolerate the loss of 1, the same as 3; use 3 or 5',
    ],
    [
      'a number of control plane nodes that differs from the number of zones',
      makeLoad({ overrides: { controlPlaneNodes: 5 } }),
      'overrides.controlPlaneNodes: 5 must be one per zone, and there are 3 zones; use 5 zones',
    ],
    [
      'a zone of another region',
      makeLoad({ zones: [...zones, 'eu-west-1a'] }),
      'zones[2]: "eu-west-1a" is not in us-east-1; use a zone such as "us-east-1a"',
    ],
    ['a duplicate zone', makeLoad({ zones: [...zones, 'us-east-1b'] }), 'zones[2]: "us-east-1b" is listed twice'],
    [
      'an unknown region',
      makeLoad({ region: 'us-eest-1' }),
      'region: "us-eest-1" is not a known region; did you mean "us-east-1"?',
    ],
    [
      'a load too large for every instance type',
      makeLoad({ nodes: 40_000, pods: 400_000 }),
      'more than any EC2 size in us-east-1 has (at most 192 CPUs, or 2048 GiB); plan',
    ],
    [
      'a load too large for etcd',
      makeLoad({ customResources: [{ name: 'databases.example.com', count: 900_000, bytes: 10_000 }] }),
      'of etcd in a storm, more than its quota of 8.0 GiB; plan',
    ],
    [
      'more pods than fit',
      makeLoad({ nodes: 10, pods: 2000 }),
      'pods: 2000 exceed 110 pods on each of 10 nodes; plan 19 nodes, or at most 1100 pods',
    ],
    [
      'a namespace larger than the cluster',
      makeLoad({ largestNamespacePods: 30_000 }),
      'largestNamespacePods: 30000 exceed the total of 20000 pods',
    ],
    [
      'shares that do not sum to 1',
      makeLoad({ mix: { web: { kind: 'general', share: 0.5, cores: 1, memoryGib: 1 } } }),
      'mix: the shares of its pools sum to 0.5',
    ],
    [
      'pods too large for every instance type',
      makeLoad({ nodes: 10, pods: 100, mix: { web: { kind: 'general', share: 1, cores: 100, memoryGib: 10 } } }),
      'mix.web: its pods need 1000.3 CPUs, 102 GiB and 0 accelerators on each node, but no general type in us-east-1 is that large; plan 100 nodes, so that each runs 1 of these pods',
    ],
    [
      'an unknown instance type',
      makeLoad({ overrides: { controlPlaneInstanceType: 'm6i.3xlarge' } }),
      'overrides.controlPlaneInstanceType: "m6i.3xlarge" is not a known EC2 instance type; did you mean "m6i.xlarge"?',
    ],
    [
      'an instance type that the region lacks',
      makeLoad({
        region: 'eu-south-2',
        zones: ['eu-south-2a', 'eu-south-2b', 'eu-south-2c'],
        overrides: { controlPlaneInstanceType: 'm6i.xlarge' },
      }),
      'is of a family that eu-south-2 does not offer in every size',
    ],
    [
      'a pool that is not in the mix',
      makeLoad({ overrides: { nodeGroups: { generel: { max: 10 } } } }),
      'overrides.nodeGroups.generel: is not a pool of the mix; did you mean "general"?',
    ],
    [
      'a watch cache size',
      makeLoad({ overrides: { watchCacheSizes: { pods: 1000 } } }),
      'overrides.watchCacheSizes.pods: 1000 is ignored by 1.36: watch caches size themselves since 1.19, and only 0 (off) has an effect; raise overrides.requestTimeoutSeconds',
    ],
    [
      'an override of an older version',
      makeLoad({ overrides: { targetRamMb: 6000 } as never }),
      'unsupported-field: overrides.targetRamMb: 6000 has no effect since 1.19 and prevents startup since 1.24 (this is 1.36); watch caches size themselves',
    ],
    [
      'a misspelled override',
      makeLoad({ overrides: { etcdQuotaByte: 1 } as never }),
      'overrides.etcdQuotaByte: 1 does not exist; did you mean "etcdQuotaBytes"?',
    ],
    [
      'a removed flag',
      makeLoad({ flags: { 'kube-apiserver': { 'target-ram-mb': '60000' } } }),
      'flags.kube-apiserver.target-ram-mb: "60000" has no effect since 1.19 and prevents startup since 1.24',
    ],
    [
      'an unknown flag',
      makeLoad({ flags: { 'kube-scheduler': { 'kube-api-qqs': '1' } } }),
      'is not a flag of kube-scheduler 1.36; did you mean "kube-api-qps"?',
    ],
    [
      'a flag of the newer version',
      makeLoad({ kubernetes: '1.35', flags: { 'kube-apiserver': { 'tls-curve-preferences': 'X25519' } } }),
      'is not a flag of kube-apiserver 1.35',
    ],
    [
      'a flag that the plan sets',
      makeLoad({ flags: { 'kube-apiserver': { 'max-requests-inflight': '900' } } }),
      'is set by the plan; override it: overrides.maxRequestsInflight',
    ],
    [
      'a flag with leading dashes',
      makeLoad({ flags: { 'kube-apiserver': { '--profiling': 'false' } } }),
      'starts with dashes; write "profiling"',
    ],
    [
      'an unsupported version',
      makeLoad({ kubernetes: '1.31' as never }),
      'kubernetes: "1.31" is not supported; did you mean "1.35"? Allowed are 1.35, 1.36',
    ],
    [
      'a version without quotes',
      makeLoad({ kubernetes: 1.36 as never }),
      'kubernetes: 1.36 is a number; put it in quotes',
    ],
    [
      'no seats at all',
      makeLoad({ overrides: { maxRequestsInflight: 0, maxMutatingRequestsInflight: 0 } }),
      'leaves no seats, so a server does not start; use 400',
    ],
    [
      'an authorization flag',
      makeLoad({ flags: { 'kube-apiserver': { 'authorization-mode': 'AlwaysAllow' } } }),
      'platform-owned: flags.kube-apiserver.authorization-mode: "AlwaysAllow" is set by the bootstrap of control plane nodes; remove it',
    ],
    [
      'the flag for anonymous requests',
      makeLoad({ flags: { 'kube-apiserver': { 'anonymous-auth': 'maybe' } } }),
      'flags.kube-apiserver.anonymous-auth: "maybe" is set by the bootstrap of control plane nodes; remove it',
    ],
    [
      'a missing admission plugin',
      makeLoad({ flags: { 'kube-apiserver': { 'enable-admission-plugins': 'NodeRestriction' } } }),
      'flags.kube-apiserver.enable-admission-plugins: "NodeRestriction" lacks EventRateLimit, which control plane nodes require; add EventRateLimit',
    ],
    [
      'a disabled admission plugin',
      makeLoad({ flags: { 'kube-apiserver': { 'disable-admission-plugins': 'NodeRestriction' } } }),
      'flags.kube-apiserver.disable-admission-plugins: "NodeRestriction" disables NodeRestriction, which control plane nodes require',
    ],
    ...[
      ['profiling', 'maybe', 'use "true" or "false"'],
      ['http2-max-streams-per-connection', 'many', 'use a whole number'],
      ['livez-grace-period', '5 minutes', 'use a duration'],
    ].map(([name = '', value = '', remedy = '']): [string, unknown, string] => [
      `an invalid value of --${name}`,
      makeLoad({ flags: { 'kube-apiserver': { [name]: value } } }),
      `flags.kube-apiserver.${name}: "${value}" is not a valid value of --${name}; ${remedy}`,
    ]),
    [
      'a scheduler rate that the plan sets',
      makeLoad({ flags: { 'kube-scheduler': { 'kube-api-qps': '900' } } }),
      'is set by the plan; override it: overrides.schedulerQps',
    ],
    [
      'flags of a program that supports none',
      makeLoad({ flags: { 'cluster-autoscaler': { expander: 'random' } } as never }),
      'flags.cluster-autoscaler: {"expander":"random"} does not support extra flags; use overrides; flags can be added to kube-apiserver, kube-controller-manager, kube-scheduler',
    ],
    [
      'a pool with different instance sizes',
      makeLoad({
        mix: { batch: { kind: 'spot', share: 1, cores: 0.25, memoryGib: 0.5 } },
        overrides: { nodeGroups: { batch: { instanceTypes: ['c6i.2xlarge', 'm6i.2xlarge'] } } },
      }),
      'overrides.nodeGroups.batch.instanceTypes[1]: "m6i.2xlarge" has 8 CPUs and 32 GiB, but c6i.2xlarge has 8 CPUs and 16 GiB: the autoscaler treats the nodes of a group alike; use types with 8 CPUs and 16 GiB, such as c',
    ],
    [
      'several instance types where one is allowed',
      makeLoad({ overrides: { nodeGroups: { general: { instanceTypes: ['c6i.2xlarge', 'c7i.2xlarge'] } } } }),
      'has several types, but a pool of kind "general" uses one; use one, such as "c6i.2xlarge"',
    ],
    [
      'a minimum above the desired size',
      makeLoad({ overrides: { nodeGroups: { general: { min: 20, desired: 10 } } } }),
      'overrides.nodeGroups.general.min: 20 is more than desired (10); use at most 10, or raise desired',
    ],
    [
      'a maximum below the desired size',
      makeLoad({ overrides: { nodeGroups: { general: { desired: 30, max: 10 } } } }),
      'overrides.nodeGroups.general.max: 10 is less than desired (30); use at least 30',
    ],
    [
      'fewer IOPS than gp3 has',
      makeLoad({ overrides: { etcdIops: 100 } }),
      'overrides.etcdIops: 100 is outside the range of gp3, 3000 to 16000 IOPS; use 3000 to 16000 IOPS',
    ],
    [
      'a volume type with too few IOPS for the plan',
      makeLoad({ nodes: 4000, pods: 40_000, overrides: { etcdIops: 20_000, etcdVolumeType: 'gp3' } }),
      'overrides.etcdIops: 20000 is outside the range of gp3',
    ],
    [
      'more IOPS than a small volume supports',
      makeLoad({ overrides: { eventsEtcdVolumeGib: 5 } }),
      'overrides.eventsEtcdVolumeGib: 5 exceeds the limit of gp3 for a volume of 5 GiB: 3000 IOPS instead of at most 2500; use at least 6 GiB, or at most 2500 IOPS',
    ],
    [
      'more throughput than the IOPS support',
      makeLoad({ overrides: { etcdThroughputMBps: 900 } }),
      'overrides.etcdThroughputMBps: 900 exceeds the limit of gp3 with 3000 IOPS: 900 MB/s instead of at most 750; use 125 to 750 MB/s, or at least 3600 IOPS',
    ],
  ])('%s', (_, input, expected) => {
    expect(errorsOf(input).join('\n')).toContain(expected);
  });

  test('reports all problems at once', () => {
    const lines = errorsOf(
      makeLoad({
        zones,
        pods: 1e6,
        overrides: { watchCacheSizes: { pods: 5 }, controlPlaneInstanceType: 'x.y' },
        flags: { 'kube-apiserver': { 'target-ram-mb': '1' } },
      }),
    );
    expect(lines).toHaveLength(5);
  });

  test('reports all problems despite an invalid field', () => {
    const lines = errorsOf({
      ...makeLoad({ zones, overrides: { controlPlaneInstanceType: 'm6i.3xlarge', etcdIops: -1, etcdMembers: 4 } }),
      kubernetes: '1.31',
      podss: 1,
    });
    expect(lines.map((line) => line.split(' ')[2])).toEqual(
      expect.arrayContaining(['kubernetes:', 'podss:', 'overrides.etcdIops:', 'zones:']),
    );
    const others = errorsOf({
      ...makeLoad({ zones, overrides: { controlPlaneInstanceType: 'm6i.3xlarge', etcdMembers: 4 } }),
      nodes: 'many',
    });
    expect(others.map((line) => line.split(' ')[2])).toEqual([
      'nodes:',
      'zones:',
      'overrides.etcdMembers:',
      'overrides.controlPlaneInstanceType:',
    ]);
  });

  test('reports no problem that follows from an invalid field', () => {
    const lines = errorsOf({ ...makeLoad({ zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] }), region: 7 });
    expect(lines.map((line) => line.split(' ')[2])).toEqual(['region:']);
  });

  test.each([undefined, null, 7, 'text', [], {}, { nodes: 'many', zones: 'three' }])(
    '%j is reported, not thrown',
    (input) => {
      expect(errorsOf(input).length).toBeGreaterThan(0);
    },
  );
});

test('the largest load in a remedy works, and one node more does not', () => {
  const load = makeLoad({ nodes: 40_000, pods: 400_000 });
  const [problem] = safePlanCapacity(load).problems.filter(isError);
  const [, nodes = 0, pods = 0] = (/plan (\d+) nodes with (\d+) pods/.exec(problem?.remedy ?? '') ?? []).map(Number);
  expect(nodes).toBeGreaterThan(1000);
  const churn = (count: number) => ({ podsPerSecond: 160 * (count / 40_000) });
  const smaller = (count: number) =>
    errorsOf(
      makeLoad({
        nodes: count,
        pods: Math.floor(pods * (count / nodes)),
        largestNamespacePods: Math.floor(80_000 * (count / 40_000)),
        churn: churn(count),
      }),
    );
  expect(smaller(nodes)).toEqual([]);
  expect(smaller(nodes + 1)).not.toEqual([]);
});

test.each(Object.keys(removedFlags))('the removed flag %s is rejected with its replacement', (name) => {
  const lines = errorsOf(makeLoad({ flags: { 'kube-apiserver': { [name]: 'x' } } }));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(removedFlags[name]?.remedy);
});
