/**
 * Bytes of revisions that etcd still holds. A compaction, once per interval, deletes revisions older than one interval, so
 * revisions of the last one to two intervals are held.
 */
export class RevisionWindow {
  private older = 0;
  private newer = 0;
  private seconds = 0;

  constructor(private readonly intervalSeconds: number) {}

  /** Adds the writes of one second. */
  write(bytes: number): void {
    this.newer += bytes;
    this.seconds++;
    if (this.seconds % this.intervalSeconds !== 0) return;
    this.older = this.newer;
    this.newer = 0;
  }

  get bytes(): number {
    return this.older + this.newer;
  }
}
