import { type Registry } from 'prom-client';
import { manager } from '../api';
import {
  clientMetrics,
  connect,
  loadDefaultConfig,
  type Clock,
  type ConnectionSettings,
  type KubeClient,
} from '../kube';

/** Dependencies of connections. */
interface ConnectionsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly registry: Registry;
  /** Returns whether this process leads. */
  readonly isLeading: () => boolean;
}

/** Two clients of a cluster: one without restrictions, and one that writes workloads only while this process leads. */
export interface ClusterClients {
  readonly reader: KubeClient;
  readonly writer: KubeClient;
}

/** Connections of the service to its clusters. */
export class Connections {
  private readonly clients: KubeClient[] = [];

  constructor(private readonly options: ConnectionsOptions) {}

  /** Connects to a cluster by a kubeconfig file, or to the cluster that it runs on. */
  to(kubeconfig?: string): ClusterClients {
    const { clock, registry, isLeading } = this.options;
    const settings = this.settingsOf(kubeconfig);
    const common = {
      clock,
      userAgent: `${manager}-submission`,
      fieldManager: manager,
      rate: { qps: 500, burst: 1_000 },
    };
    const metrics = this.clients.length === 0 ? { metrics: clientMetrics(registry) } : {};
    const reader = connect(settings, { ...common, ...metrics });
    const writer = connect(settings, { ...common, mayWrite: isLeading });
    this.clients.push(reader, writer);
    return { reader, writer };
  }

  /** Closes all connections. */
  close(): void {
    for (const client of this.clients) client.close();
  }

  private settingsOf(kubeconfig: string | undefined): ConnectionSettings {
    return loadDefaultConfig(this.options.environment, kubeconfig === undefined ? {} : { kubeconfig });
  }
}
