import { type Clock } from '../../../kube';
import { type Io } from '../../io/io';

/** Milliseconds between two changes of the line. */
const pace = 1000;

/** Progress of steps on a terminal: one line each, with its seconds; nothing without a terminal. */
export class StepProgress {
  private text = '';
  private waited = '';
  private isShown = false;

  constructor(
    private readonly io: Io,
    private readonly clock: Clock,
  ) {}

  /** Prints the next step. */
  begin(text: string): void {
    this.end();
    this.text = text;
    this.waited = '';
    this.show(text);
  }

  /** Prints what the run waits for, once. */
  wait(reason: string): void {
    if (reason === this.waited) return;
    this.end();
    this.waited = reason;
    this.show(`waiting: ${reason}`);
  }

  /** Counts the seconds of a step. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const begun = this.clock.now();
    const seconds = (): number => Math.round((this.clock.now() - begun) / 1000);
    let takeBack = (): void => undefined;
    const tick = (): void => {
      this.show(`${this.text}: ${seconds()} s`);
      takeBack = this.clock.after(pace, tick);
    };
    takeBack = this.clock.after(pace, tick);
    try {
      return await work();
    } finally {
      takeBack();
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
