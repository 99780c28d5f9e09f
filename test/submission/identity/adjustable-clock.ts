import { type Clock } from '../../../lib/kube';
import { realClock } from '../../kube/real-clock';

/** The machine's clock, which a test may advance or stop, for real servers. */
export class AdjustableClock implements Clock {
  readonly after = realClock.after;
  readonly random = realClock.random;
  #ahead = 0;
  #stoppedAt: number | undefined;

  now(): number {
    return (this.#stoppedAt ?? realClock.now()) + this.#ahead;
  }

  /** Stops the time, so that only the test advances it. */
  stop(): void {
    this.#stoppedAt = realClock.now();
  }

  turn(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}
