import * as z from 'zod';
import { problemDetailsSchema, type ProblemDetails } from './preview-schemas';

/** Thrown when the service rejects a request. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed' as const;
  constructor(
    /** Problem document of the response, or one derived from the status. */
    readonly failure: ProblemDetails,
    /** Milliseconds to wait before a retry. @default - the service does not say */
    readonly retryAfter?: number,
  ) {
    super(failure.detail ?? failure.title);
  }
}

/** Thrown when the service sends no valid response. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable' as const;
  constructor(
    message: string,
    /** Whether a retry may succeed. */
    readonly isTemporary: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Statuses that a service or a proxy sends for temporary failures. */
const temporaryStatuses: readonly number[] = [429, 502, 503, 504];

/** Returns whether a retry may succeed. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof RequestFailed
    ? temporaryStatuses.includes(error.failure.status)
    : error instanceof ServiceUnreachable && error.isTemporary;

/** Returns the milliseconds to wait before a retry, as requested by the service. */
export const retryAfterOf = (error: unknown): number => (error instanceof RequestFailed ? (error.retryAfter ?? 0) : 0);

/** Drops members of a newer service that this client cannot parse, and keeps the rest. */
const lenientSchema = z.object({
  title: problemDetailsSchema.shape.title.optional().catch(undefined),
  detail: problemDetailsSchema.shape.detail.catch(undefined),
  problems: problemDetailsSchema.shape.problems.catch(undefined),
  preview: problemDetailsSchema.shape.preview.catch(undefined),
});

/** Parses an error response. */
export function parseProblemDetails(status: number, body: string): ProblemDetails {
  const complete = problemDetailsSchema.safeParse(parseJson(body));
  // The HTTP status takes precedence: a proxy may have replaced the body.
  if (complete.success) return { ...complete.data, status };
  const { title = `the service responded with status ${status}`, ...rest } =
    lenientSchema.safeParse(parseJson(body)).data ?? {};
  return { type: 'about:blank', title, status, ...rest };
}

/** Parses JSON; undefined if invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Error codes of an untrusted certificate or a wrong URL; retries do not help. */
const permanentCodes = /CERT|SIGNATURE|SSL|TLS|^ENOTFOUND$|^EPROTO$|^ERR_INVALID|^bad port$/;

/** Messages for errors that users can fix, by code or message. */
const messages: Readonly<Record<string, (server: string) => string>> = {
  ECONNREFUSED: (server) => `cannot connect to ${server}: connection refused; check that the service runs there`,
  ENOTFOUND: (server) => `cannot connect to ${server}: host not found; correct the URL`,
  'bad port': (server) => `cannot connect to ${server}: the port is reserved for another protocol; correct the URL`,
};

/** Converts a connection error; the message contains no part of the request. */
export function toServiceUnreachable(server: string, error: Error): ServiceUnreachable {
  const { code, message } = (error.cause ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const errorCode = String(code ?? message);
  const text =
    messages[errorCode]?.(server) ??
    `cannot connect to ${server}: ${code === undefined ? 'connection lost' : errorCode}`;
  return new ServiceUnreachable(text, !permanentCodes.test(errorCode), { cause: error });
}
