import { type Clock, type KubeClient } from '../../kube';
import { type CanaryStep } from './canary-steps';

/** Asks a name server for the addresses of a name. */
export interface NameServer {
  /** What it is called in messages. */
  readonly name: string;
  /** Addresses of a name. Throws an `Error` whose `code` says why there are none. */
  readonly addresses: (name: string) => Promise<readonly string[]>;
}

/** Everything outside that a run sees and changes. */
export interface CanaryDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Project that its workloads live in, and nothing else. */
  readonly project: string;
  /** Image of its containers. */
  readonly image: string;
  /** Name server of the cluster; names are not checked where there is none. */
  readonly names?: NameServer;
  /** Domain of names within the cluster. */
  readonly clusterDomain: string;
  /** Seconds that each step may take. */
  readonly limits: Readonly<Record<CanaryStep, number>>;
  /** Ends the run. */
  readonly signal: AbortSignal;
}
