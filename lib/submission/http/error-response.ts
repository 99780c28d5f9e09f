import { STATUS_CODES } from 'node:http';
import { redactProblem, type Problem } from '../../api';
import { type ProblemDetails } from '../../contract';
import { ProblemResponse } from '../problem-response';
import { HttpRejection } from './http-rejection';

/** Media type of error responses. */
export const problemType = 'application/problem+json; charset=utf-8';

/** Error response. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: ProblemDetails;
  /** Whether it is a server error, which must be logged. */
  readonly isServerError: boolean;
}

/** Maximum problems of a response; a body of 64 kB can have thousands. */
const maxProblems = 100;
/** Maximum characters of a value in a problem. */
const maxValueLength = 200;

/** Converts an error to a response; unexpected errors show only the request ID. */
export function toErrorResponse(error: unknown, id: string): ErrorResponse {
  if (error instanceof ProblemResponse) return fromProblemResponse(error);
  const respond = (
    status: number,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
    isServerError = false,
  ) => ({
    status,
    headers,
    problem: { type: 'about:blank', title: STATUS_CODES[status] ?? 'Failure', status, detail },
    isServerError,
  });
  const status = statusOf(error);
  switch (status) {
    case 413:
      return respond(status, 'The body is too large.', { connection: 'close' });
    case 415:
      return respond(status, 'Send the body as uncompressed application/json in UTF-8.');
    case undefined:
      return respond(500, `Internal error; see request ${id} in the log of the service.`, {}, true);
    default:
      return respond(status, 'The request is malformed.');
  }
}

function fromProblemResponse(error: ProblemResponse): ErrorResponse {
  const { title, detail, problems = [], preview, retryAfter } = error.details;
  const headers = {
    ...(error instanceof HttpRejection ? error.headers : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }),
  };
  const problem = {
    type: 'about:blank',
    title,
    status: error.status,
    ...(detail === undefined ? {} : { detail }),
    ...(problems.length === 0 ? {} : { problems: problems.slice(0, maxProblems).map(toContractProblem) }),
    ...(preview === undefined ? {} : { preview }),
  };
  return { status: error.status, headers, problem, isServerError: false };
}

/** Converts a problem for the response: redacts secrets and truncates long values. */
function toContractProblem(problem: Problem): NonNullable<ProblemDetails['problems']>[number] {
  const { code, path, value, reason, remedy, object, severity } = redactProblem(problem);
  const shown =
    typeof value === 'string' && value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value;
  return {
    code,
    path: [...path],
    ...(shown === undefined ? {} : { value: shown }),
    reason,
    remedy,
    ...(object === undefined ? {} : { object }),
    ...(severity === undefined ? {} : { severity }),
  };
}

/** Returns the status of a client error of fastify; undefined for other errors. */
function statusOf(error: unknown): number | undefined {
  const { code, statusCode } = (error ?? {}) as { readonly code?: unknown; readonly statusCode?: unknown };
  const isOfLibrary = typeof code === 'string' && code.startsWith('FST_ERR_');
  if (!isOfLibrary || typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined;
  return statusCode;
}
