import { RetryBackOff } from '../../contract';
import { canRetry, requestedDelay, retryDelays, type Outcome, type PageTransport } from './page-transport';

/** Request that takes effect once, no matter how often it is sent. */
export interface ActionRequest {
  readonly path: string;
  readonly body: unknown;
  /** Idempotency key; absent if the operation accepts none. */
  readonly key?: string;
}

/**
 * Returns the request to send: the previous one if it is the same and its result is unknown, otherwise a new one.
 *
 * @param previous - Request that was sent and got no response.
 * @param newIdempotencyKey - Creates a key; omitted if the operation accepts none.
 */
export function prepareAction(
  previous: ActionRequest | undefined,
  path: string,
  body: unknown,
  newIdempotencyKey?: () => string,
): ActionRequest {
  const same = previous?.path === path && JSON.stringify(previous.body) === JSON.stringify(body);
  if (same) return previous;
  return { path, body, ...(newIdempotencyKey && { key: newIdempotencyKey() }) };
}

/** Attempts before the failure is reported to the user. */
const maxAttempts = 4;

/**
 * Sends a request. Without a response, or if the service is busy, it retries with the same key; a long Retry-After is
 * reported instead.
 */
export async function sendAction<T>(
  transport: PageTransport,
  { path, body, key }: ActionRequest,
  wait: (milliseconds: number) => Promise<void>,
  random: () => number,
): Promise<Outcome<T>> {
  const backOff = new RetryBackOff({ random }, retryDelays);
  for (let attempt = 1; ; attempt++) {
    const outcome = await transport.post<T>(path, body, key);
    if (outcome.ok || !canRetry(outcome.failed) || key === undefined || attempt === maxAttempts) return outcome;
    const retryAfter = requestedDelay(outcome.failed);
    if (retryAfter > retryDelays.cap) return outcome;
    await wait(backOff.next(retryAfter));
  }
}
