import { setMaxListeners } from 'node:events';
import { ApiError } from './api-error';

/** What a request that its caller has ended fails with: the reason of the signal where that is an `ApiError`. */
export const abortedError = (signal: AbortSignal): ApiError =>
  signal.reason instanceof ApiError
    ? signal.reason
    : new ApiError(0, 'Aborted', 'the request was ended by its caller', {}, { cause: signal.reason });

/** What a request fails with once its client was closed. */
export const closedError = (): ApiError => new ApiError(0, 'Closed', 'the client was closed');

/** Calls back when the signal is raised, with the error to fail with; the returned function takes it back. */
export function whenAborted(signal: AbortSignal | undefined, callback: (error: ApiError) => void): () => void {
  if (!signal) return () => undefined;
  // One signal may rightly end hundreds of requests; Node warns from the eleventh on.
  setMaxListeners(0, signal);
  const listener = (): void => callback(abortedError(signal));
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
