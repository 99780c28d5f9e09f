import { type Io } from '../io/io';
import { printable } from './printable';

/** Lines on standard error while something goes on: on a terminal, a line about the same thing takes the place of the one before. */
export class StatusLines {
  private subject: string | undefined;

  constructor(private readonly io: Io) {}

  /** A line that stays. */
  say(text: string): void {
    this.end();
    this.io.writeError(`${printable(text)}\n`);
  }

  /** A line that stays only as long as nothing newer is said of the same subject; where nobody looks, one that stays. */
  update(subject: string, text: string): void {
    if (!this.io.terminal.err) return this.say(text);
    if (this.subject === subject) this.io.writeError('\r\u001b[K');
    else this.end();
    this.io.writeError(printable(text));
    this.subject = subject;
  }

  /** Ends the line that stands open. */
  end(): void {
    if (this.subject !== undefined) this.io.writeError('\n');
    this.subject = undefined;
  }
}
