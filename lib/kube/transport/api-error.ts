/** Failed request: an error response of the API server, or no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError' as const;

  constructor(
    /** HTTP status; 0 if the server could not be reached or the connection broke. */
    readonly status: number,
    /**
     * Reason of the server's Status object, such as `Conflict`, `NotFound`, `Invalid`, `Expired`; `Unreachable` without
     * a response.
     */
    readonly reason: string,
    message: string,
    readonly details: {
      /** Milliseconds after which the server asks to retry. */
      readonly retryAfter?: number;
      /** `details.causes` of the Status object. */
      readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
    } = {},
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}

/** Returns whether an error is an `ApiError` with one of the given statuses, or with any status if there are none. */
export const isApiError = (error: unknown, ...statuses: readonly number[]): error is ApiError =>
  error instanceof ApiError && (statuses.length === 0 || statuses.includes(error.status));
