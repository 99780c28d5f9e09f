import { maxWorkers } from '../sizing/autoscaler-plan';
import { type SimulatedControlPlane } from './simulated-control-plane';
import { instanceTypes } from '../sizing/instance-type';
import { objectBytes } from '../memory/memory-model';
import { type CapacityPlan } from '../plan/capacity-plan';

const GiB = 1024 ** 3;

/** Control plane sizes of kube-up on AWS in 2020, by maximum nodes. */
const kubeUpSizes: readonly (readonly [maxNodes: number, name: string, cores: number, memoryGib: number])[] = [
  [5, 'm3.medium', 1, 3.75],
  [10, 'm3.large', 2, 7.5],
  [100, 'm3.xlarge', 4, 15],
  [250, 'm3.2xlarge', 8, 30],
  [500, 'c4.4xlarge', 16, 30],
  [Number.POSITIVE_INFINITY, 'c4.8xlarge', 36, 60],
];

/**
 * Returns a control plane as planned in early 2020 for the same nodes: three machines of kube-up's size, default
 * flags, events in the main etcd, no autoscaler limit, reflectors that retry every second.
 */
export function controlPlaneOf2020(nodes: number): SimulatedControlPlane {
  const [, name = '', cores = 0, memoryGib = 0] = kubeUpSizes.find(([maxNodes]) => nodes <= maxNodes) ?? [];
  return {
    name: `early 2020 plan: 3 x ${name}, inflight 400 and 200, etcd quota 2 GiB`,
    servers: 3,
    cores,
    memoryBytes: memoryGib * GiB,
    seats: 400,
    mutatingSeats: 200,
    quotaBytes: 2 * GiB,
    compactionSeconds: 300,
    hasEventsEtcd: false,
    controllerManagerQps: 100,
    schedulerQps: 100,
    maxNodes: Number.POSITIVE_INFINITY,
    podBytes: objectBytes.pod,
    historyEvents: 1000,
    // A list of 300 MB costs 6.92 CPUs if etcd serves it, 0.63 if the cache does (KEP-2340).
    listWork: 11,
    listCopies: 5,
    retrySeconds: 1,
  };
}

/** Returns the control plane of a plan. */
export function controlPlaneOf({ load, values, nodeGroups }: CapacityPlan): SimulatedControlPlane {
  const type = instanceTypes.get(values.controlPlaneInstanceType.value);
  const seats = values.maxRequestsInflight.value + values.maxMutatingRequestsInflight.value;
  return {
    name: `current plan: ${values.controlPlaneNodes.value} x ${values.controlPlaneInstanceType.value}, ${seats} seats, etcd quota ${Number((values.etcdQuotaBytes.value / GiB).toFixed(1))} GiB`,
    servers: values.controlPlaneNodes.value,
    cores: type?.cores ?? 0,
    memoryBytes: (type?.memoryGib ?? 0) * GiB,
    seats,
    quotaBytes: values.etcdQuotaBytes.value,
    compactionSeconds: values.etcdCompactionIntervalSeconds.value,
    hasEventsEtcd: values.eventsEtcd.value,
    controllerManagerQps: values.controllerManagerQps.value,
    schedulerQps: values.schedulerQps.value,
    maxNodes: maxWorkers(nodeGroups, values.autoscalerMaxNodes.value, values.controlPlaneNodes.value),
    podBytes: load.podBytes,
    listWork: 1,
    listCopies: 0,
    // client-go's back-off ends between 30 and 60 s.
    retrySeconds: 45,
  };
}
