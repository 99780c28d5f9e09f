import { type Io } from '../io/io';
import { printable } from './printable';

/** Status lines on standard error: on a terminal, a line replaces the previous one about the same subject. */
export class StatusLines {
  private subject: string | undefined;

  constructor(private readonly io: Io) {}

  /** Prints a line that stays. */
  say(text: string): void {
    this.end();
    this.io.writeError(`${printable(text)}\n`);
  }

  /** Prints a line that the next one about the same subject replaces; without a terminal it stays. */
  update(subject: string, text: string): void {
    if (!this.io.terminal.err) return this.say(text);
    if (this.subject === subject) this.io.writeError('\r\u001b[K');
    else this.end();
    this.io.writeError(printable(text));
    this.subject = subject;
  }

  /** Ends the current line. */
  end(): void {
    if (this.subject !== undefined) this.io.writeError('\n');
    this.subject = undefined;
  }
}
