import { type ApiResponse } from '../../control-plane/api-response';

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

/** Returns whether a server that just started has not loaded its RBAC rules, kinds or policies yet. */
const isStarting = ({ status, body }: ApiResponse): boolean => {
  const { message = '' } = (typeof body === 'object' && body !== null ? body : {}) as { readonly message?: string };
  return (
    (status === 404 && (typeof body === 'string' || message.includes('could not find the requested resource'))) ||
    ((status === 403 || status === 422) &&
      /not yet (ready|synced)|RBAC|no params found|failed to configure/.test(message))
  );
};
