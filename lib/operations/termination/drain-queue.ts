/** Notice that a machine is about to be terminated. */
export interface TerminationNotice {
  readonly machine: string;
  /** Group and lifecycle hook that delay the termination until it is completed. @default - the cloud does not wait */
  readonly hook?: { readonly group: string; readonly hook: string };
  /** Receipt handle of this delivery. */
  readonly receipt: string;
}

/** Queue of termination notices. A notice that is neither extended nor completed is redelivered. */
export interface DrainQueue {
  /** Returns available notices; waits a while for the first. */
  receive(): Promise<readonly TerminationNotice[]>;
  /** Extends the lifecycle action, and hides the notice from other consumers for a while. */
  extend(notice: TerminationNotice): Promise<void>;
  /** Completes the lifecycle action, and deletes the notice. */
  complete(notice: TerminationNotice): Promise<void>;
}
