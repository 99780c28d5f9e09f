import { type CanaryRunOptions } from '../../../operations';
import { type Io } from '../../io/io';

/** Prints steps: one updating line on a terminal, else a line for each kind and deployment path. */
export class CaseProgress {
  private isShown = false;

  constructor(
    private readonly io: Io,
    private readonly isQuiet: boolean,
  ) {}

  readonly onStep: NonNullable<CanaryRunOptions['onStep']> = (kind, path, step) => {
    if (this.isQuiet || !this.io.terminal.err) return;
    this.io.writeError(`\r\u001b[K${kind} through ${path}: ${step}`);
    this.isShown = true;
  };

  readonly onCase: NonNullable<CanaryRunOptions['onCase']> = ({ kind, deploymentPath, state }) => {
    if (this.isQuiet) return;
    this.end();
    this.io.writeError(`${kind} through ${deploymentPath}: ${state}\n`);
  };

  /** Clears the progress line. */
  end(): void {
    if (this.isShown) this.io.writeError('\r\u001b[K');
    this.isShown = false;
  }
}
