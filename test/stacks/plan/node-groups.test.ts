import { defaultRollPolicy } from '../../../lib/operations';
import { type ClusterInput } from '../../../stacks/plan';
import { drainQueuePlan, nodeGroupPlans } from '../../../stacks/plan/machines/node-groups';
import { expectGolden } from './expect-golden';
import { makeCapacity, makeCluster, makeUserData } from './make-cluster';

const groups = (pools: ClusterInput['pools'] = {}) => {
  const capacity = makeCapacity();
  return nodeGroupPlans(makeCluster({ pools }), capacity, makeUserData(capacity).pools);
};
const pool = (name: string, pools?: ClusterInput['pools']) => groups(pools).find((group) => group.pool === name);

test('a spot pool matches the golden file', () => {
  expectGolden('spot-pool.yaml', pool('batch'));
});

test('tags describe the future nodes of each pool to the autoscaler', () => {
  const hints = groups({
    general: {
      labels: { 'example.com/disk': 'nvme' },
      taints: [{ key: 'team', value: 'search', effect: 'NoExecute' }],
    },
  }).map(({ pool: name, group }) => ({
    [name]: Object.fromEntries(
      group.tags.filter(({ key }) => key.startsWith('k8s.io/')).map(({ key, value }) => [key, value]),
    ),
  }));
  expectGolden('autoscaler-tags.yaml', hints);
});

test('the stack does not revert the group size that the autoscaler sets', () => {
  expect(groups().map(({ group }) => group.ignoreChanges)).toEqual(groups().map(() => ['desiredCapacity']));
});

test('only spot pools mix instance types and replace machines at risk of interruption', () => {
  const mixed = groups().filter(({ group }) => group.mixedInstances ?? group.args.capacityRebalance);
  expect(mixed.map(({ pool: name }) => name)).toEqual(['batch']);
});

test('the configuration may set taint, image and drain time', () => {
  const own = pool('training', {
    training: {
      taints: [{ key: 'nvidia.com/gpu', value: 'a100', effect: 'NoSchedule' }],
      image: 'ami-00000000000000001',
      drainSeconds: 3600,
    },
  });
  expect(own?.taints).toEqual([{ key: 'nvidia.com/gpu', value: 'a100', effect: 'NoSchedule' }]);
  expect(own?.launchTemplate.args.imageId).toBe('ami-00000000000000001');
  expect(own?.drainHook.args.heartbeatTimeout).toBe(3600);
});

test('accelerator and spot pools have taints', () => {
  expect(groups().map(({ pool: name, taints }) => [name, taints.map(({ key }) => key)])).toEqual([
    ['general', []],
    ['memory', []],
    ['training', ['nvidia.com/gpu']],
    ['batch', ['pinion/spot']],
  ]);
});

test('arm64 pools have a taint, in addition to that of their kind', () => {
  const { nodeGroups, ...rest } = makeCapacity();
  const capacity = { ...rest, nodeGroups: nodeGroups.map((group) => ({ ...group, architecture: 'arm64' as const })) };
  const plans = nodeGroupPlans(makeCluster(), capacity, makeUserData(capacity).pools);
  const arm64 = { key: 'kubernetes.io/arch', value: 'arm64', effect: 'NoSchedule' };
  expect(plans.map(({ taints }) => taints.map(({ key }) => key))).toEqual([
    ['kubernetes.io/arch'],
    ['kubernetes.io/arch'],
    ['nvidia.com/gpu', 'kubernetes.io/arch'],
    ['pinion/spot', 'kubernetes.io/arch'],
  ]);
  expect(plans[0]?.taints).toEqual([arm64]);
});

test('termination notices are kept longer than the longest drain', () => {
  expect(drainQueuePlan(makeCluster()).args.messageRetentionSeconds).toBeGreaterThanOrEqual(
    defaultRollPolicy.drain.jobTimeout / 1000,
  );
});
