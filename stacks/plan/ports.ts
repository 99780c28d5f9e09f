/** Ports that programs of the cluster listen on; security groups and what starts the programs both read them here. */
export const ports = {
  apiServer: 6443,
  kubelet: 10250,
  controllerManager: 10257,
  scheduler: 10259,
  /** Metrics of machines, on every node. */
  nodeMetrics: 9100,
  /** Metrics of the memory agent, on masters that have one. */
  masterMemory: 9441,
} as const;

/** Names of the databases: all objects, events, and leases where they have their own. */
export const etcdNames = ['main', 'events', 'leases'] as const;

/** Name of one database. */
export type EtcdName = (typeof etcdNames)[number];

/** Ports of each database: for the API server, for its other members, and for metrics over plain HTTP. */
export const etcdPorts: Readonly<
  Record<EtcdName, { readonly client: number; readonly peer: number; readonly metrics: number }>
> = {
  main: { client: 2379, peer: 2380, metrics: 2381 },
  events: { client: 2479, peer: 2480, metrics: 2481 },
  leases: { client: 2579, peer: 2580, metrics: 2581 },
};
