/** Keys of tags that machines and what belongs to them are found and remembered by. */
export const tagKeys = {
  cluster: 'pinion/cluster',
  /** Part of the cluster that a resource belongs to: `control-plane`, or `nodes` for pools. */
  part: 'pinion/part',
  /** Master that an interface, a volume or a group belongs to. */
  member: 'pinion/member',
  /** Pool that a group belongs to. */
  pool: 'pinion/pool',
  /** Database that a volume holds. */
  etcd: 'pinion/etcd',
  /** `persistent` for the interface that carries a master's address. */
  interface: 'pinion/interface',
  /** Version of Kubernetes that the image of an instance holds. */
  kubernetes: 'pinion/kubernetes',
  /** On an instance: when its drain started, RFC 3339. */
  drainingSince: 'pinion/draining-since',
  /** On a group: capacity to return to after a roll, draining machines excluded. */
  desiredCapacity: 'pinion/desired-capacity',
} as const;
