/** A machine in the cloud. */
export interface Instance {
  readonly id: string;
  /** Private DNS name, which is also the name of its node. */
  readonly name: string;
  readonly state: 'pending' | 'running' | 'other';
  /** Part of the cluster: `control-plane` or `nodes`; empty if it is not tagged. */
  readonly part: string;
  /** Milliseconds since 1970. */
  readonly launchedAt: number;
  /** Private IPv4 addresses of all its network interfaces. */
  readonly addresses: readonly string[];
}

/** Machines of one cluster. */
export interface InstanceDirectory {
  /** Returns the pending or running machines with this private DNS name. Rejects if the cloud is unavailable. */
  findByName(name: string): Promise<readonly Instance[]>;
}
