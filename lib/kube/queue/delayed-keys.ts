import { type Clock } from '../../process';
import { DelayHeap } from './delay-heap';

/** Keys that become due later, with one timer for the earliest. */
export class DelayedKeys {
  private readonly heap = new DelayHeap();
  private timer: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onDue: (key: string) => void,
  ) {}

  /** Marks a key as due after a number of milliseconds; the earliest of several wins. */
  put(key: string, milliseconds: number): void {
    this.heap.put(key, this.clock.now() + milliseconds);
    this.setTimer();
  }

  clear(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.heap.clear();
  }

  private setTimer(): void {
    const at = this.heap.next();
    if (at === undefined || (this.timer && this.timer.at <= at)) return;
    this.timer?.cancel();
    const cancel = this.clock.after(Math.max(0, at - this.clock.now()), () => this.fire());
    this.timer = { at, cancel };
  }

  private fire(): void {
    this.timer = undefined;
    const now = this.clock.now();
    for (let key = this.heap.take(now); key !== undefined; key = this.heap.take(now)) this.onDue(key);
    this.setTimer();
  }
}
