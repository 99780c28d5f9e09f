/** Tag keys that identify machines and their resources, and store their state. */
export const tagKeys = {
  cluster: 'pinion/cluster',
  /** Part of the cluster of a resource: `control-plane`, or `nodes` for pools. */
  part: 'pinion/part',
  /** Control plane node of an interface, a volume or a group. */
  member: 'pinion/member',
  /** Pool of a group. */
  pool: 'pinion/pool',
  /** etcd database of a volume. */
  etcd: 'pinion/etcd',
  /** `persistent` for the interface with a control plane node's address. */
  interface: 'pinion/interface',
  /** Kubernetes version of an instance's image. */
  kubernetes: 'pinion/kubernetes',
  /** On an instance: start of its drain, RFC 3339. */
  drainingSince: 'pinion/draining-since',
  /** On a group: capacity after a roll, without draining machines. */
  desiredCapacity: 'pinion/desired-capacity',
} as const;
