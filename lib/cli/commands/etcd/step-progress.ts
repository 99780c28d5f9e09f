import { type Clock } from '../../../kube';
import { type Io } from '../../io/io';

/** Milliseconds between two updates of the line. */
const updateInterval = 1000;

/** Progress of steps: one line each, with the elapsed seconds; prints nothing without a terminal. */
export class StepProgress {
  private text = '';
  private lastReason = '';
  private isShown = false;

  constructor(
    private readonly io: Io,
    private readonly clock: Clock,
  ) {}

  /** Prints the next step. */
  begin(text: string): void {
    this.end();
    this.text = text;
    this.lastReason = '';
    this.show(text);
  }

  /** Prints the reason for waiting, once. */
  wait(reason: string): void {
    if (reason === this.lastReason) return;
    this.end();
    this.lastReason = reason;
    this.show(`waiting: ${reason}`);
  }

  /** Runs a step and shows the elapsed seconds. */
  async during<T>(action: () => Promise<T>): Promise<T> {
    const startedAt = this.clock.now();
    const seconds = (): number => Math.round((this.clock.now() - startedAt) / 1000);
    let cancelTimer = (): void => undefined;
    const tick = (): void => {
      this.show(`${this.text}: ${seconds()} s`);
      cancelTimer = this.clock.after(updateInterval, tick);
    };
    cancelTimer = this.clock.after(updateInterval, tick);
    try {
      return await action();
    } finally {
      cancelTimer();
    }
  }

  /** Ends the line. */
  end(): void {
    if (this.isShown) this.io.writeError('\n');
    this.isShown = false;
  }

  private show(text: string): void {
    if (!this.io.terminal.err) return;
    this.io.writeError(`\r\u001b[K${text}`);
    this.isShown = true;
  }
}
