/** A machine that is about to end. */
export interface Departure {
  readonly machine: string;
  /** The group that ends it, and its hook, which holds it until somebody says that it may; absent where the cloud takes it, whatever anybody says. */
  readonly held?: { readonly group: string; readonly hook: string };
  /** Which delivery of the notice this is: what answers must name. */
  readonly receipt: string;
}

/** The notices of machines that are about to end. One that is neither held nor let go comes again. */
export interface DrainQueue {
  /** Notices that are there now; waits a while for the first. */
  receive(): Promise<readonly Departure[]>;
  /** Keeps the machine running, and the notice from others, for a while longer. */
  hold(departure: Departure): Promise<void>;
  /** Lets the machine end, and forgets the notice. */
  letGo(departure: Departure): Promise<void>;
}
