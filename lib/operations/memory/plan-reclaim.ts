import { type MemoryParts } from './memory-stat';

/** What an agent may do. */
export const memoryModes = ['off', 'observe', 'act'] as const;

/** One of them. */
export type MemoryMode = (typeof memoryModes)[number];

/** The memory of a group at a moment, in bytes. */
export interface MemoryUse extends MemoryParts {
  readonly current: number;
  readonly limit: number;
}

/** When page cache is asked back, as parts of the limit. */
export interface ReclaimPolicy {
  /** From here on. */
  readonly high: number;
  /** Down to here. */
  readonly low: number;
}

/** The policy where nobody says otherwise: the kernel kills at the limit, and a list may take hundreds of megabytes at once. */
export const defaultReclaimPolicy: ReclaimPolicy = { high: 0.9, low: 0.8 };

/** Bytes below which asking is not worth it. */
const least = 1024 * 1024;

/**
 * How many bytes of page cache to ask for: as many as bring the group down to `low` once it is above `high`, and never more
 * than it has in files. 0 where it is not near its limit, or where it is anonymous memory that fills it.
 */
export function planReclaim({ current, limit, file }: MemoryUse, { high, low }: ReclaimPolicy): number {
  if (current < high * limit) return 0;
  const bytes = Math.floor(Math.min(current - low * limit, file));
  return bytes < least ? 0 : bytes;
}
