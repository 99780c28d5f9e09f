import { type Clock, type KubeClient } from '../../kube';
import { type CanaryStep } from './canary-steps';

/** DNS resolver. */
export interface DnsResolver {
  /** Name shown in messages. */
  readonly name: string;
  /** Returns the addresses of a name. Throws an `Error` with a DNS `code`. */
  readonly addresses: (name: string) => Promise<readonly string[]>;
}

/** Services of a canary run. */
export interface CanaryDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Project of its workloads, for its exclusive use. */
  readonly project: string;
  /** Container image. */
  readonly image: string;
  /** Name server of the cluster. @default - DNS is not checked */
  readonly dnsResolver?: DnsResolver;
  /** Cluster domain, such as cluster.local. */
  readonly clusterDomain: string;
  /** Step timeouts, in seconds. */
  readonly limits: Readonly<Record<CanaryStep, number>>;
  /** Aborts the run. */
  readonly signal: AbortSignal;
}
