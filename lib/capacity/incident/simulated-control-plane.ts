/** Control plane whose behavior in an incident is simulated. */
export interface SimulatedControlPlane {
  readonly name: string;
  readonly servers: number;
  /** Per control plane node. */
  readonly cores: number;
  readonly memoryBytes: number;
  /** Per API server; reads only if writes have a separate limit, as before API Priority and Fairness. */
  readonly seats: number;
  readonly mutatingSeats?: number;
  readonly quotaBytes: number;
  readonly compactionSeconds: number;
  readonly hasEventsEtcd: boolean;
  readonly controllerManagerQps: number;
  readonly schedulerQps: number;
  /** Maximum worker nodes that node groups and autoscaler allow. */
  readonly maxNodes: number;
  /** Size of a pod as JSON. */
  readonly podBytes: number;
  /** Pod changes that the watch cache keeps; undefined if it sizes itself to 75 s. */
  readonly historyEvents?: number;
  /** CPU of a reconnecting client's list, relative to an ordinary request. */
  readonly listWork: number;
  /** Copies of a list that a server makes before it responds; 0 if it streams. */
  readonly listCopies: number;
  /** Seconds until a rejected client retries. */
  readonly retrySeconds: number;
}
