import { type Clock } from './clock';

/** Ends a watch when nothing comes for too long, or when its owner's signal is raised. */
export class SilenceGuard {
  private readonly ending = new AbortController();
  private readonly end = (): void => this.ending.abort();
  private takeBack: () => void;
  /** When something last came. */
  heard: number;
  /** Whether the watch was ended because nothing came. */
  silent = false;

  constructor(
    private readonly clock: Clock,
    private readonly silence: number,
    private readonly owner: AbortSignal,
  ) {
    this.heard = clock.now();
    this.takeBack = clock.after(silence, () => this.check());
    if (owner.aborted) this.end();
    owner.addEventListener('abort', this.end);
  }

  /** Ends the watch. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** Leaves no timer and no listener; for when the watch is over. */
  close(): void {
    this.takeBack();
    this.owner.removeEventListener('abort', this.end);
  }

  /** One timer that looks again later is cheaper than a new one for each message. */
  private check(): void {
    const left = this.heard + this.silence - this.clock.now();
    if (left > 0) this.takeBack = this.clock.after(left, () => this.check());
    else {
      this.silent = true;
      this.end();
    }
  }
}
