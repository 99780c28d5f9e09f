import { type Io } from './io';

/** Milliseconds before the first line. */
const initialDelay = 1000;
/** Milliseconds between two updates of the line. */
const updateInterval = 100;

/** Progress line of a long operation; prints nothing without a terminal. */
export class Progress {
  private next: number;
  private shown = false;

  constructor(
    private readonly io: Io,
    private readonly total: number,
    private readonly label: string,
  ) {
    this.next = io.now() + initialDelay;
  }

  /** Updates the line and yields to the event loop, so that signals are handled. */
  async reach(done: number): Promise<void> {
    const now = this.io.now();
    if (now < this.next) return;
    this.next = now + updateInterval;
    if (this.io.terminal.err) {
      this.io.writeError(`\r\u001b[K${this.label} ${done} of ${this.total}`);
      this.shown = true;
    }
    await this.io.yieldToEventLoop();
  }

  /** Removes the line. */
  end(): void {
    if (this.shown) this.io.writeError('\r\u001b[K');
    this.shown = false;
  }
}
