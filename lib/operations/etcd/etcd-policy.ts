/** What may be done to an etcd, and when it is worth it. */
export interface EtcdPolicy {
  /** Bytes that the database may have where a member does not tell. */
  readonly quota: number;
  /** A member is defragmented where this much of its file, and this many bytes, would come back. */
  readonly worth: { readonly share: number; readonly bytes: number };
  /** Share of the quota that must be free before a space alarm is taken back: with less it would come again at once. */
  readonly room: number;
  /** Entries of the log that a member may be behind the others. */
  readonly lag: number;
  /** Milliseconds that a member may take to be healthy again after a step. */
  readonly patience: number;
  /** Milliseconds that one step may take. */
  readonly stepTime: number;
  /** Takes back alarms of corruption as well. */
  readonly corrupt: boolean;
  /** Revision to compact to. @default - what the goal says */
  readonly revision?: number;
}

/** The policy where nobody says otherwise; 2 GiB is the quota of an etcd that is given none. */
export const defaultEtcdPolicy: EtcdPolicy = {
  quota: 2 * 1024 ** 3,
  worth: { share: 0.1, bytes: 1024 ** 2 },
  room: 0.05,
  lag: 1000,
  patience: 120_000,
  stepTime: 900_000,
  corrupt: false,
};
