import { type Clock } from './clock';
import { DelayHeap } from './delay-heap';

/** Keys that become due later; one timer for all of them, at the soonest moment. */
export class DelayedKeys {
  private readonly heap = new DelayHeap();
  private alarm: { readonly at: number; readonly takeBack: () => void } | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onDue: (key: string) => void,
  ) {}

  /** Makes a key due after some milliseconds; the soonest of several wins. */
  put(key: string, milliseconds: number): void {
    this.heap.put(key, this.clock.now() + milliseconds);
    this.setAlarm();
  }

  clear(): void {
    this.alarm?.takeBack();
    this.alarm = undefined;
    this.heap.clear();
  }

  private setAlarm(): void {
    const at = this.heap.next();
    if (at === undefined || (this.alarm && this.alarm.at <= at)) return;
    this.alarm?.takeBack();
    const takeBack = this.clock.after(Math.max(0, at - this.clock.now()), () => this.ring());
    this.alarm = { at, takeBack };
  }

  private ring(): void {
    this.alarm = undefined;
    const now = this.clock.now();
    for (let key = this.heap.take(now); key !== undefined; key = this.heap.take(now)) this.onDue(key);
    this.setAlarm();
  }
}
