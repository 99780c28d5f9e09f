import { type Page, type ProblemDetails, type RetryDelays } from '../../contract';

/** Reason why a request failed. */
export type RequestFailure =
  | { readonly kind: 'signed-out' }
  /** The service rejected the request. */
  | { readonly kind: 'rejected'; readonly failure: ProblemDetails; readonly retryAfter?: number }
  /** No response, or an invalid one. */
  | { readonly kind: 'unreachable' };

/** Outcome of a request. */
export type Outcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failed: RequestFailure };

/** Subset of a fetch response that the page reads. */
export interface PageResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

/** Subset of a fetch request that the page sets. */
export interface PageRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request to the service that served the page, with the session cookie. */
export type Send = (path: string, request: PageRequest) => Promise<PageResponse>;

/** Client of the deployment API. */
export interface PageTransport {
  get<T>(path: string, signal?: AbortSignal): Promise<Outcome<T>>;
  /** @param idempotencyKey - Set if the operation requires one. */
  post<T>(path: string, body: unknown, idempotencyKey?: string): Promise<Outcome<T>>;
}

/** Creates a client that sends its requests with a function. */
export function createPageTransport(send: Send): PageTransport {
  const sendRequest = async <T>(path: string, request: PageRequest): Promise<Outcome<T>> => {
    try {
      const response = await send(path, request);
      if (!response.ok) return { ok: false, failed: await parseFailure(response) };
      return { ok: true, value: (await response.json()) as T };
    } catch {
      return { ok: false, failed: { kind: 'unreachable' } };
    }
  };
  const accept = { accept: 'application/json, application/problem+json' };
  return {
    get: (path, signal) => sendRequest(path, { method: 'GET', headers: accept, ...(signal && { signal }) }),
    post: (path, body, idempotencyKey) =>
      sendRequest(path, {
        method: 'POST',
        headers: {
          ...accept,
          'content-type': 'application/json',
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify(body),
      }),
  };
}

/** Converts an error response: signed out, or rejected with the problem details of the service if it sent any. */
export async function parseFailure(response: PageResponse): Promise<RequestFailure> {
  if (response.status === 401) return { kind: 'signed-out' };
  const problem = (await response.json().catch(() => undefined)) as Partial<ProblemDetails> | undefined;
  const title =
    typeof problem?.title === 'string' ? problem.title : `The service responded with status ${response.status}`;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    kind: 'rejected',
    failure: { type: 'about:blank', ...problem, title, status: response.status },
    ...(retryAfter >= 0 && { retryAfter }),
  };
}

/** Returns whether the same request may succeed later. */
export const canRetry = (failed: RequestFailure): boolean =>
  failed.kind === 'unreachable' ||
  (failed.kind === 'rejected' && [408, 429, 502, 503, 504].includes(failed.failure.status));

/** Delays between attempts: after a failure of the service, all open pages retry. */
export const retryDelays: RetryDelays = { start: 1000, cap: 30_000 };

/** Returns the delay in milliseconds that the service requested; 0 if it requested none. */
export const requestedDelay = (failed: RequestFailure): number =>
  failed.kind === 'rejected' ? (failed.retryAfter ?? 0) * 1000 : 0;

/** Returns a path with its query; undefined parameters are omitted. */
export function pathWithQuery(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Items per page: the maximum of the service. */
const pageSize = 1000;

/** Lists all pages and passes each on as it arrives. Returns the failure that stopped it, if any. */
export async function listAllItems<T>(
  transport: PageTransport,
  path: string,
  onPage: (items: readonly T[]) => void,
  signal: AbortSignal,
): Promise<RequestFailure | undefined> {
  let after: string | undefined;
  do {
    const outcome = await transport.get<Page<T>>(pathWithQuery(path, { limit: pageSize, after }), signal);
    if (!outcome.ok) return outcome.failed;
    onPage(outcome.value.items);
    after = outcome.value.next;
  } while (after !== undefined);
  return undefined;
}
