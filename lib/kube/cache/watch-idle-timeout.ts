import { type Clock } from '../../process';

/** Ends a watch after a time without events, or when its owner's signal is aborted. */
export class WatchIdleTimeout {
  private readonly ending = new AbortController();
  private readonly end = (): void => this.ending.abort();
  private cancel: () => void;
  /** Time of the last event, in milliseconds since 1970. */
  lastMessageAt: number;
  /** Whether the timeout ended the watch. */
  expired = false;

  constructor(
    private readonly clock: Clock,
    private readonly timeout: number,
    private readonly owner: AbortSignal,
  ) {
    this.lastMessageAt = clock.now();
    this.cancel = clock.after(timeout, () => this.check());
    if (owner.aborted) this.end();
    owner.addEventListener('abort', this.end);
  }

  /** Aborted when the watch must end. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** Removes the timer and the listener, after the end of the watch. */
  close(): void {
    this.cancel();
    this.owner.removeEventListener('abort', this.end);
  }

  /** One timer that is checked and extended is cheaper than a new one for each event. */
  private check(): void {
    const remaining = this.lastMessageAt + this.timeout - this.clock.now();
    if (remaining > 0) this.cancel = this.clock.after(remaining, () => this.check());
    else {
      this.expired = true;
      this.end();
    }
  }
}
