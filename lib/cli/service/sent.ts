import { type Io } from '../io/io';

/** Sends what takes effect; whoever stops the process meanwhile is told how to ask for the same once more. */
export async function withRetryHint<T>(key: string, io: Io, work: () => Promise<T>): Promise<T> {
  const forget = io.onStop(() =>
    io.writeError(`stopped before the service answered; the same with --idempotency-key ${key} says what came of it\n`),
  );
  try {
    return await work();
  } finally {
    forget();
  }
}
