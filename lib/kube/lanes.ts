import { Lane } from './lane';

/** In which lane a key waits: `resync` keys give way to fresh ones. */
export type Urgency = 'fresh' | 'resync';

/** After so many fresh keys one of the other lane has its turn, so that it is never starved. */
const turns = 16;

/** Keys that wait, in two lanes. */
export class Lanes {
  private readonly fresh = new Lane();
  private readonly resync = new Lane();
  private freshInARow = 0;

  get size(): number {
    return this.fresh.size + this.resync.size;
  }

  push(key: string, urgency: Urgency): void {
    this[urgency].push(key);
  }

  delete(key: string, urgency: Urgency): void {
    this[urgency].delete(key);
  }

  /** The key whose turn it is. */
  shift(): string | undefined {
    const { fresh, resync } = this;
    const turn = resync.size > 0 && (fresh.size === 0 || this.freshInARow >= turns);
    const key = (turn ? resync : fresh).shift();
    if (key !== undefined) this.freshInARow = turn || resync.size === 0 ? 0 : this.freshInARow + 1;
    return key;
  }

  clear(): void {
    this.fresh.clear();
    this.resync.clear();
  }
}
