import { type DrainPolicy } from '../drain/drain-plan';

/** What a roll may do, and how long it waits; durations in milliseconds. */
export interface RollPolicy {
  /** Units that are rolled: members of masters as `master-a`, pools by name. @default - all */
  readonly only?: readonly string[];
  /** Machines of one pool that are replaced at once: how many, or which share of it. */
  readonly surge: { readonly count: number } | { readonly percent: number };
  /** Whether a pool without room for more machines gives up some first. */
  readonly inPlace: boolean;
  /** Whether masters are replaced though the databases lose their majority meanwhile. */
  readonly acceptOutage: boolean;
  /** How long a new machine may take until it is a ready node, or a healthy master. */
  readonly machinePatience: number;
  /** How long a master may be ill that nobody is replacing. */
  readonly illnessPatience: number;
  readonly drain: DrainPolicy;
}

/** Most entries of the log that a member may be behind the others to count as caught up: what etcd asks of a learner before it gets a vote is nine tenths; this is stricter. */
export const mostBehind = 1000;

/** What is done where nothing else is said. */
export const usualRollPolicy: RollPolicy = {
  surge: { percent: 10 },
  inPlace: false,
  acceptOutage: false,
  machinePatience: 20 * 60_000,
  illnessPatience: 5 * 60_000,
  drain: { evict: [], podPatience: 60 * 60_000, jobPatience: 24 * 60 * 60_000 },
};
