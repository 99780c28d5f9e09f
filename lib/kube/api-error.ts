/** An answer of the API server that is no success, or no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError' as const;

  constructor(
    /** HTTP status; 0 where the server could not be reached or the connection broke. */
    readonly status: number,
    /** Reason of the server's Status object, such as `Conflict`, `NotFound`, `Invalid`, `Expired`; `Unreachable` without an answer. */
    readonly reason: string,
    message: string,
    readonly facts: {
      /** Milliseconds after which the server wants to be asked again. */
      readonly retryAfter?: number;
      /** `details.causes` of the Status object. */
      readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
    } = {},
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}

/** Whether an error is an `ApiError`, of one of the statuses where some are given. */
export const isApiError = (error: unknown, ...statuses: readonly number[]): error is ApiError =>
  error instanceof ApiError && (statuses.length === 0 || statuses.includes(error.status));
