/**
 * Bytes of revisions that etcd still holds: a compaction, once each interval, drops what is older than one interval,
 * so that what is held is one to two intervals old.
 */
export class RevisionWindow {
  private older = 0;
  private newer = 0;
  private seconds = 0;

  constructor(private readonly intervalSeconds: number) {}

  /** One second's writes. */
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
