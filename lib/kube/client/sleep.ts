import { delay, type Clock } from '../../process';
import { abortedError } from '../transport/abort';

/** Waits a number of milliseconds. Rejects with an `ApiError`, reason `Aborted`, as soon as the signal is aborted. */
export async function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  await delay(clock, milliseconds, signal);
  if (signal?.aborted) throw abortedError(signal);
}
