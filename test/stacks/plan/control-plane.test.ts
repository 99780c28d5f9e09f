import { controlPlaneIdentities } from '../../../stacks/plan';
import { controlPlanePlans, type ControlPlaneMachinePlan } from '../../../stacks/plan/machines/control-plane';
import { expectGolden } from './expect-golden';
import { makeCapacity, makeCluster, makeUserData } from './make-cluster';

const controlPlaneNodes = (capacity = makeCapacity(), config = makeCluster()): ControlPlaneMachinePlan[] =>
  controlPlanePlans(config, capacity, makeUserData(capacity).controlPlane);

test('the control plane node of the first zone matches the golden file', () => {
  expectGolden('control-plane-node.yaml', controlPlaneNodes()[0]);
});

test('one value resizes the control plane nodes, and changes only their launch templates', () => {
  const before = controlPlaneNodes();
  const after = controlPlaneNodes(makeCapacity({ controlPlaneInstanceType: 'm6i.8xlarge' }));
  const withType = (plans: readonly ControlPlaneMachinePlan[], instanceType: string): unknown =>
    plans.map((plan) => ({
      ...plan,
      launchTemplate: { ...plan.launchTemplate, args: { ...plan.launchTemplate.args, instanceType } },
    }));
  expect(after).not.toEqual(before);
  expect(after).toEqual(withType(before, 'm6i.8xlarge'));
});

test('data volumes are encrypted and protected from deletion', () => {
  const volumes = controlPlaneNodes().flatMap((node) => node.volumes);
  expect(volumes.map(({ name }) => name)).toEqual([
    'etcd-main-a',
    'etcd-events-a',
    'etcd-main-b',
    'etcd-events-b',
    'etcd-main-c',
    'etcd-events-c',
  ]);
  expect(volumes.every(({ protect, args }) => protect && args.encrypted)).toBe(true);
});

test('a separate etcd for leases has a volume, and io2 is requested without throughput', () => {
  const leases = { etcd: 'leases', gib: 30, type: 'io2', iops: 10_000, throughputMBps: 500 } as const;
  const capacity = makeCapacity({ etcd: [...makeCapacity().etcd, leases] });
  const [, , third] = controlPlaneNodes(capacity)[0]?.volumes ?? [];
  expect(third?.args).toMatchObject({ type: 'io2', iops: 10_000 });
  expect(third?.args).not.toHaveProperty('throughput');
});

test('a control plane node finds its interface and its volumes by unique tags', () => {
  const config = makeCluster();
  const plans = controlPlaneNodes();
  const interfaces = plans.map(({ networkInterface }) => networkInterface.args.tags);
  const volumes = plans.flatMap((plan) => plan.volumes.map(({ args }) => args.tags));
  const created = plans.flatMap(({ launchTemplate }) => launchTemplate.tagSpecifications);
  const ofKind = (kind: string) => created.filter(({ resourceType }) => resourceType === kind).map(({ tags }) => tags);
  const countMatching = (among: readonly object[], tags: object): number =>
    among.filter((one) =>
      Object.entries(tags).every(([key, value]) => Object.entries(one).some(([k, v]) => k === key && v === value)),
    ).length;
  for (const { interfaceTags, volumeTags } of controlPlaneIdentities(config, makeCapacity())) {
    expect(countMatching([...interfaces, ...ofKind('network-interface')], interfaceTags)).toBe(1);
    for (const tags of Object.values(volumeTags))
      expect(countMatching([...volumes, ...ofKind('volume')], tags)).toBe(1);
  }
});

test('five control plane nodes in six zones use the first five, each with its own address', () => {
  const zones = [...'abcdef'].map((letter) => `us-east-1${letter}`);
  const plans = controlPlaneNodes(makeCapacity({ controlPlaneNodes: 5 }), makeCluster({ zones }));
  expect(plans.map(({ zone }) => zone)).toEqual(zones.slice(0, 5));
  expect(new Set(plans.map(({ address }) => address)).size).toBe(5);
});

test('a group terminates its only machine before it starts a replacement', () => {
  for (const { group } of controlPlaneNodes()) {
    expect(group.args).toMatchObject({ minSize: 1, maxSize: 1, healthCheckType: 'EC2' });
    expect(group.args.instanceMaintenancePolicy).toEqual({ minHealthyPercentage: 0, maxHealthyPercentage: 100 });
  }
});
