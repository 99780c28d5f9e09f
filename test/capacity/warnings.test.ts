import { explainProblem, isError } from '../../lib/api';
import { safePlanCapacity } from '../../lib/capacity';
import { makeLoad } from './make-load';

const said = (input: unknown): string[] => safePlanCapacity(input).problems.filter(isError).map(explainProblem);
const warned = (input: unknown): string[] =>
  safePlanCapacity(input)
    .problems.filter((one) => !isError(one))
    .map(explainProblem);

describe('a valid plan with a risk has a warning', () => {
  test.each<[string, unknown, string]>([
    [
      'a quota above the recommendation',
      makeLoad({ overrides: { etcdQuotaBytes: 16 * 1024 ** 3 } }),
      'is more than the 8 GiB that etcd recommends at most',
    ],
    [
      'a quota that a storm fills',
      makeLoad({ overrides: { etcdQuotaBytes: 64 * 1024 ** 2 } }),
      'that a storm fills; use 8589934592, or remove it',
    ],
    [
      'a large namespace',
      makeLoad({ largestNamespacePods: 5000 }),
      'is more than the 3000 pods of a namespace that Kubernetes is tested with',
    ],
    [
      'more nodes than Kubernetes is tested with',
      makeLoad({ nodes: 6000, pods: 20_000 }),
      'is more than the 5000 nodes that Kubernetes is tested with',
    ],
    ['events that fill their etcd', makeLoad({ overrides: { eventRateServerQps: 5000 } }), 'lets events fill'],
    [
      'a watch cache of pods that is off',
      makeLoad({ overrides: { watchCacheSizes: { pods: 0 } } }),
      'sends every list and watch of it to etcd',
    ],
    [
      'an autoscaler below the plan',
      makeLoad({ overrides: { autoscalerMaxNodes: 500 } }),
      'is less than the 1003 nodes of the plan, including control plane nodes; use at least 1003',
    ],
    [
      'CPUs that limit the autoscaler',
      makeLoad({ overrides: { autoscalerMaxCores: 500 } }),
      'overrides.autoscalerMaxCores: 500 is less than the 8096 CPUs of the plan, including control plane nodes',
    ],
    [
      'a limit of the autoscaler above the possible maximum',
      makeLoad({ overrides: { autoscalerMaxNodes: 5000 } }),
      'overrides.autoscalerMaxNodes: 5000 has no effect: groups and control plane nodes have at most 1203 nodes',
    ],
    ...(
      [
        [{ etcdVolumeGib: 10 }, 'overrides.etcdVolumeGib: 10 is less than the 24 GiB that three quotas'],
        [{ goMemLimitBytes: 1e9 }, 'bytes of the API server at its peak; use at least'],
        [{ apiServerMemoryHighBytes: 1e9 }, 'overrides.apiServerMemoryHighBytes: 1000000000 is less than the'],
        [{ eventsEtcdQuotaBytes: 64 * 1024 ** 2 }, 'overrides.eventsEtcdQuotaBytes: 67108864 is less than the'],
        [{ controlPlaneNodeCores: 1 }, 'overrides.controlPlaneNodeCores: 1 is less than the'],
        [{ schedulerQps: 1 }, 'overrides.schedulerQps: 1 is less than the 4 pods created per second'],
        [{ controllerManagerQps: 1 }, 'overrides.controllerManagerQps: 1 is less than the 4 pods created per second'],
      ] as const
    ).map(([overrides, expected]): [string, unknown, string] => [
      `too little of ${Object.keys(overrides).join()}`,
      makeLoad({ overrides }),
      expected,
    ]),
    [
      'a group with a maximum below the planned nodes',
      makeLoad({ overrides: { nodeGroups: { general: { max: 600 } } } }),
      'overrides.nodeGroups.general.max: 600 is less than the 1000 planned nodes of the pool, so at most 600 are created; use at least 1000',
    ],
    [
      'machines that are too small for their pods',
      makeLoad({ overrides: { nodeGroups: { general: { instanceTypes: ['c6i.large'], maxPods: 10 } } } }),
      'overrides.nodeGroups.general.instanceTypes[0]: "c6i.large" has 2 of 5.3 CPUs, 4 of 12 GiB that the 20 pods of a node request',
    ],
    [
      'a pod limit below the planned pods',
      makeLoad({ overrides: { nodeGroups: { general: { maxPods: 10 } } } }),
      'overrides.nodeGroups.general.maxPods: 10 is less than the 20 pods of a node; use at least 20',
    ],
  ])('%s', (_, input, expected) => {
    expect(said(input)).toEqual([]);
    expect(warned(input).join('\n')).toContain(expected);
  });

  test('an ordinary load has no warnings', () => {
    expect(warned(makeLoad())).toEqual([]);
  });
});
