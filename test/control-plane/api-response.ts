/** Response of the API server. */
export interface ApiResponse {
  readonly status: number;
  /** Parsed JSON; the text if it is not JSON. */
  readonly body: unknown;
  /** Texts of the Warning headers, including deprecations. */
  readonly warnings: readonly string[];
}

/** One cause of a rejection, as a Kubernetes Status lists it. */
export interface StatusCause {
  readonly field?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Returns the response where it has one of the statuses; otherwise throws the server's message. */
export function expectStatus(response: ApiResponse, statuses: readonly number[]): ApiResponse {
  if (statuses.includes(response.status)) return response;
  throw new Error(`the API server responded with ${response.status}: ${messageOf(response)}`);
}

/** Returns the message of a rejection. */
export function messageOf({ body }: ApiResponse): string {
  const message = (body as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : JSON.stringify(body);
}

/** Returns the causes of a rejection; an empty list where it has none. */
export function causesOf({ body }: ApiResponse): readonly StatusCause[] {
  return (body as { details?: { causes?: readonly StatusCause[] } } | null)?.details?.causes ?? [];
}

/** Returns whether a server that just started has not loaded its RBAC rules, kinds or policies yet. */
export const isStarting = ({ status, body }: ApiResponse): boolean => {
  const { message = '' } = (typeof body === 'object' && body !== null ? body : {}) as { readonly message?: string };
  return (
    (status === 404 && (typeof body === 'string' || message.includes('could not find the requested resource'))) ||
    ((status === 403 || status === 422) &&
      /not yet (ready|synced)|RBAC|no params found|failed to configure/.test(message))
  );
};
