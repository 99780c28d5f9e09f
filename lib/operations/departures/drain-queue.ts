/** A machine that its group is about to end, and holds until somebody says that it may. */
export interface Departure {
  readonly machine: string;
  readonly group: string;
  /** Name of the hook that holds it. */
  readonly hook: string;
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
