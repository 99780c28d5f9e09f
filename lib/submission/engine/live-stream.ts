/**
 * Stream of items by key that coalesces unread changes of an item, so that a slow reader buffers at most one entry per
 * item, and no more than `maxUnread` entries: the stream then drops them and ends.
 */
export class LiveStream<T> implements AsyncIterable<T> {
  private readonly unread = new Map<string, T>();
  private wake: (() => void) | undefined;
  private ended = false;

  constructor(
    private readonly signal: AbortSignal,
    private readonly maxUnread = Number.POSITIVE_INFINITY,
  ) {
    signal.addEventListener('abort', () => this.end(), { once: true });
    if (signal.aborted) this.ended = true;
  }

  /** Adds an item, replacing an unread one with the same key. */
  put(key: string, item: T): void {
    if (this.ended) return;
    this.unread.set(key, item);
    if (this.unread.size > this.maxUnread) return this.drop();
    this.wake?.();
  }

  /** Whether it accepts no more items. */
  get hasEnded(): boolean {
    return this.ended;
  }

  /** Ends the stream once everything has been read. */
  end(): void {
    this.ended = true;
    this.wake?.();
  }

  /** Ends the stream without its unread items. */
  private drop(): void {
    this.unread.clear();
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      for (const [key, item] of this.unread) {
        if (this.signal.aborted) return;
        this.unread.delete(key);
        yield item;
      }
      if (this.unread.size > 0) continue;
      if (this.ended || this.signal.aborted) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = undefined;
    }
  }
}

/** Returns a stream that closes its source when its reader stops. */
export async function* withCleanup<T>(stream: AsyncIterable<T>, end: () => unknown): AsyncGenerator<T, void, void> {
  try {
    yield* stream;
  } finally {
    end();
  }
}
