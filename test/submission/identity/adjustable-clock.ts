import { type Clock } from '../../../lib/kube';
import { realClock } from '../../kube/real-clock';

/** The machine's clock, which a test may advance, for real servers. */
export class AdjustableClock implements Clock {
  readonly after = realClock.after;
  readonly random = realClock.random;
  #ahead = 0;

  now(): number {
    return realClock.now() + this.#ahead;
  }

  turn(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}
