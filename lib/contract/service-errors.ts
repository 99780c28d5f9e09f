import * as z from 'zod';
import { failureShape, type Failure } from './check-shapes';

/** Thrown where the service says no. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed' as const;
  constructor(
    /** What it says; where that is no problem document, what its status says. */
    readonly failure: Failure,
    /** Milliseconds after which it wants to be asked again. @default - it does not say */
    readonly retryAfter?: number,
  ) {
    super(failure.detail ?? failure.title);
  }
}

/** Thrown where the service gives no answer that can be read. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable' as const;
  constructor(
    message: string,
    /** Whether the same request may have an answer later. */
    readonly mayPass: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Statuses by which a service, or what stands before it, asks for patience. */
const passing: readonly number[] = [429, 502, 503, 504];

/** Whether the same request may come to another end later. */
export const mayPass = (error: unknown): boolean =>
  error instanceof RequestFailed
    ? passing.includes(error.failure.status)
    : error instanceof ServiceUnreachable && error.mayPass;

/** Milliseconds that the service wants to be left alone. */
export const leastPause = (error: unknown): number => (error instanceof RequestFailed ? (error.retryAfter ?? 0) : 0);

/** A member that a newer service says in a way that is unknown here costs that member, not the document. */
const lenientShape = z.object({
  title: failureShape.shape.title.optional().catch(undefined),
  detail: failureShape.shape.detail.catch(undefined),
  problems: failureShape.shape.problems.catch(undefined),
  check: failureShape.shape.check.catch(undefined),
});

/** Reads what a service says where it says no. */
export function failureIn(status: number, body: string): Failure {
  const whole = failureShape.safeParse(jsonIn(body));
  // The status of the answer is the one that was meant: a document may have come through other hands.
  if (whole.success) return { ...whole.data, status };
  const { title = `the service answers with status ${status}`, ...part } =
    lenientShape.safeParse(jsonIn(body)).data ?? {};
  return { type: 'about:blank', title, status, ...part };
}

/** The value of a JSON text; undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What speaks for a certificate that is not trusted, or for a URL that is not right: waiting changes neither. */
const lasting = /CERT|SIGNATURE|SSL|TLS|^ENOTFOUND$|^EPROTO$|^ERR_INVALID|^bad port$/;

/** What a person can do something about, by the code of the error or, where it has none, what it says. */
const plain: Readonly<Record<string, (server: string) => string>> = {
  ECONNREFUSED: (server) =>
    `nothing answers at ${server}: the connection is refused; see whether the service runs there`,
  ENOTFOUND: (server) => `nothing answers at ${server}: there is no host of that name; correct the URL`,
  'bad port': (server) => `nothing is asked at ${server}: its port belongs to another protocol; correct the URL`,
};

/** Why a request had no answer, in words that hold nothing of the request. */
export function unreachable(server: string, error: Error): ServiceUnreachable {
  const { code, message } = (error.cause ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const why = String(code ?? message);
  const told =
    plain[why]?.(server) ?? `${server} does not answer: ${code === undefined ? 'the connection was lost' : why}`;
  return new ServiceUnreachable(told, !lasting.test(why), { cause: error });
}
