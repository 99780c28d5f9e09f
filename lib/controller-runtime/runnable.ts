/** Part of a manager that works only while the process leads, such as a controller. */
export interface Runnable {
  /** Starts the work. */
  start(): void;
  /** Finishes work in progress and starts no more; the process still leads. Also called if it was never started. */
  stop(): Promise<void>;
  /** Returns why the process should be restarted; undefined while it is healthy. @default - healthy */
  unhealthyReason?(): string | undefined;
}
