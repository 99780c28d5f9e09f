/** A control plane as far as an incident meets it. */
export interface SimulatedControlPlane {
  readonly name: string;
  readonly servers: number;
  /** Of each master. */
  readonly cores: number;
  readonly memoryBytes: number;
  /** Of each API server; for reading only where writing has seats of its own, as before priority and fairness. */
  readonly seats: number;
  readonly mutatingSeats?: number;
  readonly quotaBytes: number;
  readonly compactionSeconds: number;
  readonly hasEventsEtcd: boolean;
  readonly controllerManagerQps: number;
  readonly schedulerQps: number;
  /** Most workers that groups and autoscaler let be. */
  readonly maxNodes: number;
  /** JSON of a pod. */
  readonly podBytes: number;
  /** Changes of pods that the watch cache keeps; undefined where it sizes itself to 75 s. */
  readonly historyEvents?: number;
  /** Work of a reconnecting client's list against an ordinary request. */
  readonly listWork: number;
  /** Copies of a list that a server makes before it answers; 0 where it streams. */
  readonly listCopies: number;
  /** Seconds until a refused client asks again. */
  readonly retrySeconds: number;
}
