import { KeyQueue } from './key-queue';

/** Priority of a key: `fresh` keys go before `resync` keys. */
export type KeyPriority = 'fresh' | 'resync';

/** After this many fresh keys in a row one resync key is served, so that none starves. */
const maxFreshInARow = 16;

/** Queue of keys with two priorities. */
export class PriorityKeyQueue {
  private readonly fresh = new KeyQueue();
  private readonly resync = new KeyQueue();
  private freshInARow = 0;

  get size(): number {
    return this.fresh.size + this.resync.size;
  }

  push(key: string, priority: KeyPriority): void {
    this[priority].push(key);
  }

  delete(key: string, priority: KeyPriority): void {
    this[priority].delete(key);
  }

  /** Removes and returns the next key. */
  shift(): string | undefined {
    const { fresh, resync } = this;
    const isResyncTurn = resync.size > 0 && (fresh.size === 0 || this.freshInARow >= maxFreshInARow);
    const key = (isResyncTurn ? resync : fresh).shift();
    if (key !== undefined) this.freshInARow = isResyncTurn || resync.size === 0 ? 0 : this.freshInARow + 1;
    return key;
  }

  clear(): void {
    this.fresh.clear();
    this.resync.clear();
  }
}
