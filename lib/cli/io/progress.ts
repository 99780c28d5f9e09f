import { type Io } from './io';

/** How long a command works in silence, in milliseconds. */
const silence = 1000;
/** Milliseconds between two changes of the line. */
const pace = 100;

/** One line on a person's terminal while long work goes on; nothing where nobody looks. */
export class Progress {
  private next: number;
  private shown = false;

  constructor(
    private readonly io: Io,
    private readonly total: number,
    private readonly what: string,
  ) {
    this.next = io.now() + silence;
  }

  /** Says how much is done; lets signals in now and then. */
  async reach(done: number): Promise<void> {
    const now = this.io.now();
    if (now < this.next) return;
    this.next = now + pace;
    if (this.io.terminal.err) {
      this.io.writeError(`\r\u001b[K${this.what} ${done} of ${this.total}`);
      this.shown = true;
    }
    await this.io.yieldToEventLoop();
  }

  /** Takes the line away. */
  end(): void {
    if (this.shown) this.io.writeError('\r\u001b[K');
    this.shown = false;
  }
}
