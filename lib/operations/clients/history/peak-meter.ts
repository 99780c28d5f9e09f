import { type BudgetUse, largerBudgetUse } from '../../../history';

/** Reads in a span of time. */
export interface ReadSum {
  readonly requests: number;
  /** Sum of their durations, without watches. */
  readonly seconds: number;
  readonly bytes: number;
}

/** Seconds of the windows in which single reads are counted: a burst, and what lasts. */
const windows = [1, 15];
/** Windows of a length that are counted at a time: events arrive late, in batches. */
const maxWindows = 8;
/** Seconds whose reads and bytes a budget lets come at once. */
const burst = 2;

/** Returns the lowest budget that lets reads pass which come within some seconds. */
const budgetFor = (seconds: number, sum: ReadSum): BudgetUse => ({
  requestsPerSecond: sum.requests / (seconds + burst),
  concurrentRequests: sum.seconds / seconds,
  bytesPerSecond: sum.bytes / (seconds + burst),
});

/** The sum of no read. */
export const noReads: ReadSum = { requests: 0, seconds: 0, bytes: 0 };

/** Adds two sums. */
export const addReads = (a: ReadSum, b: ReadSum): ReadSum => ({
  requests: a.requests + b.requests,
  seconds: a.seconds + b.seconds,
  bytes: a.bytes + b.bytes,
});

/** Measures the budget that the reads of a client need, in bounded memory. */
export class PeakMeter {
  private readonly open = windows.map((seconds) => ({ seconds, sums: new Map<number, ReadSum>() }));
  private highest: BudgetUse = { requestsPerSecond: 0, concurrentRequests: 0, bytesPerSecond: 0 };

  /** The budget until now. */
  get peak(): BudgetUse {
    return this.highest;
  }

  /** Counts a read that began at a time, in milliseconds since 1970. */
  addRead(at: number, seconds: number, bytes: number): void {
    for (const { seconds: length, sums } of this.open) {
      const window = Math.floor(at / 1000 / length);
      const sum = addReads(sums.get(window) ?? noReads, { requests: 1, seconds, bytes });
      sums.set(window, sum);
      this.highest = largerBudgetUse(this.highest, {
        ...budgetFor(length, sum),
        // A duration says nothing about a window that is shorter.
        ...(length === windows[0] && { concurrentRequests: 0 }),
      });
      if (sums.size > maxWindows) sums.delete(Math.min(...sums.keys()));
    }
  }

  /** Counts the reads within some seconds. */
  addSpan(seconds: number, sum: ReadSum): void {
    if (seconds > 0) this.highest = largerBudgetUse(this.highest, budgetFor(seconds, sum));
  }
}
