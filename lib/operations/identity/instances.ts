/** One machine as the cloud knows it. */
export interface Instance {
  readonly id: string;
  /** Private host name, which its node is named by. */
  readonly name: string;
  readonly state: 'pending' | 'running' | 'other';
  /** Part of the cluster that it belongs to: `control-plane` or `nodes`; empty where it does not say. */
  readonly part: string;
  /** Milliseconds since 1970. */
  readonly launched: number;
  /** Private addresses of all of its interfaces, IPv4. */
  readonly addresses: readonly string[];
}

/** Machines of one cluster, asked for by name. */
export interface Instances {
  /** Those that are pending or running under a private host name now; rejected where the cloud gives no answer. */
  named(name: string): Promise<readonly Instance[]>;
}
