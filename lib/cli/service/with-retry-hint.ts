import { type Io } from '../io/io';

/** Sends a request that has effects; if the process is stopped meanwhile, prints how to repeat it. */
export async function withRetryHint<T>(key: string, io: Io, action: () => Promise<T>): Promise<T> {
  const removeStopHandler = io.onStop(() =>
    io.writeError(`stopped before the service responded; rerun with --idempotency-key ${key} to see the result\n`),
  );
  try {
    return await action();
  } finally {
    removeStopHandler();
  }
}
