import { explainProblem, isError } from '../../lib/api';
import { safePlanCapacity } from '../../lib/capacity';
import { makeLoad } from './make-load';

const errorsOf = (input: unknown): string[] => safePlanCapacity(input).problems.filter(isError).map(explainProblem);
const warningsOf = (input: unknown): string[] =>
  safePlanCapacity(input)
    .problems.filter((one) => !isError(one))
    .map(explainProblem);

describe('a valid plan with a risk has a warning', () => {
  test.each<[string, unknown, string]>([
    [
      'a quota above the recommendation',
      makeLoad({ overrides: { etcdQuotaBytes: 16 * 1024 ** 3 } }),
      "exceeds etcd's recommended maximum of 8 GiB",
    ],
    [
      'a quota below the needs of a storm',
      makeLoad({ overrides: { etcdQuotaBytes: 64 * 1024 ** 2 } }),
      'that etcd needs in a storm; use 8589934592, or remove it',
    ],
    [
      'a large namespace',
      makeLoad({ largestNamespacePods: 5000 }),
      'exceeds the 3000 pods per namespace that Kubernetes is tested with',
    ],
    [
      'more nodes than Kubernetes is tested with',
      makeLoad({ nodes: 6000, pods: 20_000 }),
      'exceeds the 5000 nodes that Kubernetes is tested with',
    ],
    [
      'an event rate that fills the events etcd',
      makeLoad({ overrides: { eventRateServerQps: 5000 } }),
      'lets events fill',
    ],
    [
      'a disabled pod watch cache',
      makeLoad({ overrides: { watchCacheSizes: { pods: 0 } } }),
      'sends every list and watch of it to etcd',
    ],
    [
      'an autoscaler node limit below the plan',
      makeLoad({ overrides: { autoscalerMaxNodes: 500 } }),
      'is less than the 1003 planned nodes, including control plane nodes; use at least 1003',
    ],
    [
      'an autoscaler CPU limit below the plan',
      makeLoad({ overrides: { autoscalerMaxCores: 500 } }),
      'overrides.autoscalerMaxCores: 500 is less than the 8096 planned CPUs, including control plane nodes',
    ],
    [
      'an autoscaler limit above the possible maximum',
      makeLoad({ overrides: { autoscalerMaxNodes: 5000 } }),
      'overrides.autoscalerMaxNodes: 5000 has no effect: node groups and control plane nodes have at most 1203 nodes',
    ],
    ...(
      [
        [{ etcdVolumeGib: 10 }, 'overrides.etcdVolumeGib: 10 is less than the 24 GiB for three quotas'],
        [{ goMemLimitBytes: 1e9 }, 'bytes of peak API server memory; use at least'],
        [{ apiServerMemoryHighBytes: 1e9 }, 'overrides.apiServerMemoryHighBytes: 1000000000 is less than the'],
        [{ eventsEtcdQuotaBytes: 64 * 1024 ** 2 }, 'overrides.eventsEtcdQuotaBytes: 67108864 is less than the'],
        [{ controlPlaneNodeCores: 1 }, 'overrides.controlPlaneNodeCores: 1 is less than the'],
        [{ schedulerQps: 1 }, 'overrides.schedulerQps: 1 is less than the 4 pods created per second'],
        [{ controllerManagerQps: 1 }, 'overrides.controllerManagerQps: 1 is less than the 4 pods created per second'],
      ] as const
    ).map(([overrides, expected]): [string, unknown, string] => [
      `${Object.keys(overrides).join()} below the need`,
      makeLoad({ overrides }),
      expected,
    ]),
    [
      'a group with a maximum below the planned nodes',
      makeLoad({ overrides: { nodeGroups: { general: { max: 600 } } } }),
      'overrides.nodeGroups.general.max: 600 is less than the 1000 planned nodes of the pool, so at most 600 are created; use at least 1000',
    ],
    [
      'instance types that are too small for their pods',
      makeLoad({ overrides: { nodeGroups: { general: { instanceTypes: ['c6i.large'], maxPods: 10 } } } }),
      'overrides.nodeGroups.general.instanceTypes[0]: "c6i.large" has 2 of 5.3 CPUs, 4 of 12 GiB that the 20 planned pods per node request',
    ],
    [
      'a pod limit below the planned pods',
      makeLoad({ overrides: { nodeGroups: { general: { maxPods: 10 } } } }),
      'overrides.nodeGroups.general.maxPods: 10 is less than the 20 planned pods per node; use at least 20',
    ],
  ])('%s', (_, input, expected) => {
    expect(errorsOf(input)).toEqual([]);
    expect(warningsOf(input).join('\n')).toContain(expected);
  });

  test('an ordinary load has no warnings', () => {
    expect(warningsOf(makeLoad())).toEqual([]);
  });
});
