import { setMaxListeners } from 'node:events';
import { ApiError } from './api-error';

/** Returns the error of a request that its caller aborted: the reason of the signal if that is an `ApiError`. */
export const abortedError = (signal: AbortSignal): ApiError =>
  signal.reason instanceof ApiError
    ? signal.reason
    : new ApiError(0, 'Aborted', 'the caller aborted the request', {}, { cause: signal.reason });

/** Returns the error of a request whose client was closed. */
export const closedError = (): ApiError => new ApiError(0, 'Closed', 'the client was closed');

/** Calls back with the error to fail with when the signal is aborted; the returned function removes the listener. */
export function onAbort(signal: AbortSignal | undefined, callback: (error: ApiError) => void): () => void {
  if (!signal) return () => undefined;
  // One signal may abort hundreds of requests; Node warns from the eleventh listener on.
  setMaxListeners(0, signal);
  const listener = (): void => callback(abortedError(signal));
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
