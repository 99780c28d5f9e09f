import { type ApiResponse, isStarting } from '../../control-plane/api-response';

/** Milliseconds for which an unavailable server is retried. */
const retryTimeout = 120_000;

/** Waits for a number of milliseconds. */
export const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Retries a request until the server accepts or rejects it: failures, throttling and conflicts are retried. Throws after
 * a timeout.
 */
export async function retryRequest(what: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const startedAt = performance.now();
  let last = '';
  while (performance.now() - startedAt < retryTimeout) {
    try {
      const response = await send();
      if (response.status < 500 && response.status !== 429 && response.status !== 409 && !isStarting(response))
        return response;
      last = JSON.stringify(response.body);
    } catch (error) {
      last = String(error);
    }
    await delay(250);
  }
  throw new Error(`${what}: no result within ${retryTimeout} ms; the last response was ${last}`);
}
