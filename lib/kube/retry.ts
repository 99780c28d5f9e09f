import { ApiError } from './api-error';
import { type WireAnswer } from './wire';

/** Times that one request is sent again because the server asks for it, as in client-go. */
const maxRetries = 10;
/** The longest wait in milliseconds that a request sits out; a longer one is its caller's business. */
const longestWait = 60_000;
/** Milliseconds to wait where a 429 does not say how long: what the API server usually says. */
const usualWait = 1_000;

/** One refusal, as far as it decides whether to ask again. */
export interface Refusal {
  readonly error: ApiError;
  /** Times that the request was sent again before. */
  readonly retries: number;
  /** Whether the server may see the request twice without harm. */
  readonly repeatable: boolean;
}

/**
 * Milliseconds to wait before a refused request is sent again, or undefined where it is not.
 * 429 always, other refusals (5xx) only where the server says when; `random` (0 to 1) adds up to half, against herds.
 */
export function retryDelay({ error, retries, repeatable }: Refusal, random: number): number | undefined {
  const { status, facts } = error;
  if (retries >= maxRetries) return undefined;
  const isBusy = status === 429 || (facts.retryAfter !== undefined && status === 503);
  // A gateway's 500, 502 or 504 may stand for a request that was carried out.
  const isBroken = facts.retryAfter !== undefined && status >= 500 && repeatable;
  if (!isBusy && !isBroken) return undefined;
  const wait = Math.max(facts.retryAfter ?? usualWait, 1);
  return wait > longestWait ? undefined : Math.round(wait * (1 + random / 2));
}

/** Reasons as the API server names them, for answers that are no Status object. */
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

/** What the API server says of a failure, in an answer or as the last message of a watch. */
export interface StatusObject {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
}

/** The error that an answer stands for; `now` (milliseconds since 1970) turns a date of Retry-After into a wait. */
export function errorOf({ status, headers, text }: WireAnswer, request: string, now: number): ApiError {
  const said = statusObject(text);
  const waitSaid = said?.details?.retryAfterSeconds;
  const retryAfter = parseRetryAfter(headers['retry-after'], now) ?? (waitSaid ? waitSaid * 1000 : undefined);
  return statusError(
    { message: `${request}: ${text.trim().slice(0, 200) || `the server answered ${status}`}`, ...said, code: status },
    retryAfter,
  );
}

/** The error that a Status object stands for, such as the last message of a watch. */
export function statusError(said: StatusObject, retryAfter?: number): ApiError {
  const status = said.code ?? 500;
  const causes = said.details?.causes;
  return new ApiError(
    status,
    said.reason || (reasons[status] ?? 'Unknown'),
    said.message || `the server answered ${status}`,
    {
      ...(retryAfter !== undefined && { retryAfter }),
      ...(causes && { causes }),
    },
  );
}

function statusObject(text: string): StatusObject | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const said = JSON.parse(text) as StatusObject & { readonly kind?: unknown };
    return said.kind === 'Status' ? said : undefined;
  } catch {
    return undefined; // the text itself is shown
  }
}

/** Milliseconds of a Retry-After header: seconds or a date (RFC 9110, 10.2.3). */
function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
