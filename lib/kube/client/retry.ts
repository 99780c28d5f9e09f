import { ApiError } from '../transport/api-error';
import { type WireResponse } from '../transport/wire';

/** Maximum retries of one request, as in client-go. */
const maxRetries = 10;
/** Maximum Retry-After in milliseconds; a request with a longer one fails. */
const maxDelay = 60_000;
/** Delay in milliseconds after a 429 without Retry-After: the value that the API server usually sends. */
const defaultDelay = 1_000;

/** Failed attempt of a request. */
export interface RetryableStatus {
  readonly error: ApiError;
  /** Retries so far. */
  readonly retries: number;
  /** Whether the request is idempotent. */
  readonly repeatable: boolean;
}

/**
 * Returns the delay before a retry in milliseconds, or undefined if the request must not be retried.
 * A 429 is always retried, a 5xx only with Retry-After; `random` (0 to 1) adds up to 50% jitter.
 */
export function retryDelay({ error, retries, repeatable }: RetryableStatus, random: number): number | undefined {
  const { status, details } = error;
  if (retries >= maxRetries) return undefined;
  const isOverloaded = status === 429 || (details.retryAfter !== undefined && status === 503);
  // The request behind a gateway's 500, 502 or 504 may have succeeded.
  const isBroken = details.retryAfter !== undefined && status >= 500 && repeatable;
  if (!isOverloaded && !isBroken) return undefined;
  const delay = Math.max(details.retryAfter ?? defaultDelay, 1);
  return delay > maxDelay ? undefined : Math.round(delay * (1 + random / 2));
}

/** Reasons of the API server, for responses without a Status object. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Status object of a failure, in a response or as the last event of a watch. */
export interface StatusObject {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
}

/** Returns the error of a response; `now` (milliseconds since 1970) converts a date in Retry-After to a delay. */
export function errorOf({ status, headers, text }: WireResponse, request: string, now: number): ApiError {
  const body = statusObject(text);
  const seconds = body?.details?.retryAfterSeconds;
  const retryAfter = parseRetryAfter(headers['retry-after'], now) ?? (seconds ? seconds * 1000 : undefined);
  return statusError(
    { message: `${request}: ${text.trim().slice(0, 200) || `the server returned ${status}`}`, ...body, code: status },
    retryAfter,
  );
}

/** Returns the error of a Status object. */
export function statusError(body: StatusObject, retryAfter?: number): ApiError {
  const status = body.code ?? 500;
  const causes = body.details?.causes;
  return new ApiError(
    status,
    body.reason || (reasons[status] ?? 'Unknown'),
    body.message || `the server returned ${status}`,
    {
      ...(retryAfter !== undefined && { retryAfter }),
      ...(causes && { causes }),
    },
  );
}

function statusObject(text: string): StatusObject | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const body = JSON.parse(text) as StatusObject & { readonly kind?: unknown };
    return body.kind === 'Status' ? body : undefined;
  } catch {
    return undefined; // the error quotes the text
  }
}

/** Returns the milliseconds of a Retry-After header: seconds or a date (RFC 9110, 10.2.3). */
function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
