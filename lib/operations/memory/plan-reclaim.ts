import { type MemoryParts } from './memory-stat';

/** Modes of an agent. */
export const memoryModes = ['off', 'observe', 'act'] as const;

/** Mode of an agent. */
export type MemoryMode = (typeof memoryModes)[number];

/** Memory use of a control group, in bytes. */
export interface MemoryUse extends MemoryParts {
  readonly current: number;
  readonly limit: number;
}

/** Thresholds of a reclaim, as fractions of the limit. */
export interface ReclaimPolicy {
  /** Use that triggers a reclaim. */
  readonly high: number;
  /** Target use after a reclaim. */
  readonly low: number;
}

/** Default policy: the kernel OOM-kills at the limit, and a single list may take hundreds of megabytes. */
export const defaultReclaimPolicy: ReclaimPolicy = { high: 0.9, low: 0.8 };

/** Minimum bytes of a reclaim. */
const minReclaimBytes = 1024 * 1024;

/**
 * Returns how many bytes of page cache to reclaim: enough to get from above `high` down to `low`, limited to all page cache.
 * Returns 0 below `high`, and if nearly all memory is anonymous.
 */
export function planReclaim({ current, limit, file }: MemoryUse, { high, low }: ReclaimPolicy): number {
  if (current < high * limit) return 0;
  const bytes = Math.floor(Math.min(current - low * limit, file));
  return bytes < minReclaimBytes ? 0 : bytes;
}
