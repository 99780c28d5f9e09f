import { STATUS_CODES } from 'node:http';
import { discreet, type Problem } from '../../api';
import { type Failure } from '../../contract';
import { Refusal } from '../refusal';
import { TurnedAway } from './turned-away';

/** Media type of every failure. */
export const problemType = 'application/problem+json; charset=utf-8';

/** What a failed request is answered. */
export interface FailureAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly failure: Failure;
  /** Whether it is a fault of the service, which its log must tell. */
  readonly isFault: boolean;
}

/** Problems that one answer tells; a body of 64 kB can have thousands. */
const mostProblems = 100;
/** Characters of a text that a problem shows. */
const longestValue = 200;

/** What is said of an error; of one that nobody foresaw only under which id the log has it. */
export function failureOf(error: unknown, id: string): FailureAnswer {
  if (error instanceof Refusal) return ofRefusal(error);
  const answer = (status: number, detail: string, headers: Readonly<Record<string, string>> = {}, isFault = false) => ({
    status,
    headers,
    failure: { type: 'about:blank', title: STATUS_CODES[status] ?? 'Failure', status, detail },
    isFault,
  });
  const status = statusOf(error);
  switch (status) {
    case 413:
      return answer(status, 'The body is larger than the service reads.', { connection: 'close' });
    case 415:
      return answer(status, 'Send the body as application/json, in UTF-8 and not compressed.');
    case undefined:
      return answer(500, `The service failed; its log tells why, under the id ${id}.`, {}, true);
    default:
      return answer(status, 'The request is not well-formed.');
  }
}

function ofRefusal(refusal: Refusal): FailureAnswer {
  const { title, detail, problems = [], check, retryAfter } = refusal.facts;
  const headers = {
    ...(refusal instanceof TurnedAway ? refusal.headers : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }),
  };
  const failure = {
    type: 'about:blank',
    title,
    status: refusal.status,
    ...(detail === undefined ? {} : { detail }),
    ...(problems.length === 0 ? {} : { problems: problems.slice(0, mostProblems).map(told) }),
    ...(check === undefined ? {} : { check }),
  };
  return { status: refusal.status, headers, failure, isFault: false };
}

/** A problem as the contract has it, without a value that could hold a secret, or text that is too long to read. */
function told(problem: Problem): NonNullable<Failure['problems']>[number] {
  const { code, path, value, reason, remedy, object, severity } = discreet(problem);
  const shown = typeof value === 'string' && value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
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

/** Status of what the HTTP library refuses; undefined where it is no fault of who asked. */
function statusOf(error: unknown): number | undefined {
  const { code, statusCode } = (error ?? {}) as { readonly code?: unknown; readonly statusCode?: unknown };
  const isOfLibrary = typeof code === 'string' && code.startsWith('FST_ERR_');
  if (!isOfLibrary || typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined;
  return statusCode;
}
