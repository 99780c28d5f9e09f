/**
 * Milliseconds for which the API server must reject objects of a released workload until that counts as a failure: a server that has
 * just started, and objects that count against a quota at the same time, are rejected for some seconds.
 */
export const rejectionDelay = 30_000;

/** Milliseconds between two looks after which a rejection counts as another one: a rollout looks at least once a minute. */
const maxGap = 120_000;

/** Times since which the API server rejects objects of workloads, as long as this process looks. */
export class RejectionTimes {
  readonly #since = new Map<string, number>();
  readonly #seen = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  /** Records whether objects of a workload are rejected; returns whether they have been for long. */
  isLasting(uid: string, isRejected: boolean): boolean {
    const now = this.now();
    if (!isRejected || now - (this.#seen.get(uid) ?? now) > maxGap) this.forget(uid);
    if (!isRejected) return false;
    const since = this.#since.get(uid) ?? now;
    this.#since.set(uid, since);
    this.#seen.set(uid, now);
    return now - since >= rejectionDelay;
  }

  /** Returns the milliseconds until the next rejection counts; undefined if none is recent. */
  nextIn(): number | undefined {
    const remaining = [...this.#since.values()].map((since) => since + rejectionDelay - this.now());
    const recent = remaining.filter((milliseconds) => milliseconds > 0);
    return recent.length === 0 ? undefined : Math.min(...recent);
  }

  /** Drops the state of a deleted workload. */
  forget(uid: string): void {
    this.#since.delete(uid);
    this.#seen.delete(uid);
  }
}
