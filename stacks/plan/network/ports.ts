import { clientMonitorPorts } from '@pinion-platform/pinion';

/** Ports of the programs of a cluster, shared by security groups and bootstrap. */
export const ports = {
  apiServer: 6443,
  kubelet: 10250,
  controllerManager: 10257,
  scheduler: 10259,
  /** Node metrics. */
  nodeMetrics: 9100,
  /** Metrics of the memory agent of control plane nodes. */
  pageCacheReclaim: 9441,
  /** Metrics of the client monitor of control plane nodes. */
  clientMonitorMetrics: clientMonitorPorts.metrics,
} as const;

/** etcd databases: all objects, events, and optionally leases. */
export const etcdNames = ['main', 'events', 'leases'] as const;

/** Name of an etcd database. */
export type EtcdName = (typeof etcdNames)[number];

/** Ports of each etcd database: clients, peers, and metrics over plain HTTP. */
export const etcdPorts: Readonly<
  Record<EtcdName, { readonly client: number; readonly peer: number; readonly metrics: number }>
> = {
  main: { client: 2379, peer: 2380, metrics: 2381 },
  events: { client: 2479, peer: 2480, metrics: 2481 },
  leases: { client: 2579, peer: 2580, metrics: 2581 },
};
