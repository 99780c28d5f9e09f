import { autoscalerBounds, type CapacityPlan } from '@pinion-platform/pinion';
import { type ClusterCapacity } from './cluster-capacity';

/** Returns sizes and counts of a capacity plan, overrides included. */
export function plannedCapacity({ values, nodeGroups }: CapacityPlan): ClusterCapacity {
  const volume = <Etcd extends 'main' | 'events' | 'leases'>(
    etcd: Etcd,
    name: 'etcd' | 'eventsEtcd' | 'leasesEtcd',
  ) => ({
    etcd,
    gib: values[`${name}VolumeGib`].value,
    type: values[`${name}VolumeType`].value,
    iops: values[`${name}Iops`].value,
    throughputMBps: values[`${name}ThroughputMBps`].value,
  });
  return {
    autoscaler: autoscalerBounds(values),
    controlPlaneNodes: values.controlPlaneNodes.value,
    controlPlaneInstanceType: values.controlPlaneInstanceType.value,
    controlPlaneRootGib: values.controlPlaneRootGib.value,
    etcd: [
      volume('main', 'etcd'),
      ...(values.eventsEtcd.value ? [volume('events', 'eventsEtcd')] : []),
      ...(values.leasesEtcd.value ? [volume('leases', 'leasesEtcd')] : []),
    ],
    nodeGroups: nodeGroups.map((group) => ({
      pool: group.pool,
      kind: group.kind,
      architecture: group.architecture,
      instanceTypes: group.instanceTypes.value,
      min: group.min.value,
      desired: group.desired.value,
      max: group.max.value,
      maxPods: group.maxPods.value,
      rootGib: group.rootGib.value,
    })),
  };
}
