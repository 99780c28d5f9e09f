import { type ProblemDetails } from '../contract';

/** Why something that was asked for is not there. */
export type Failed =
  | { readonly kind: 'signed-out' }
  /** The service said no. */
  | { readonly kind: 'refused'; readonly failure: ProblemDetails; readonly retryAfter?: number }
  /** No answer came, or one that makes no sense. */
  | { readonly kind: 'unreachable' };

/** What came of a request. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failed: Failed };

/** The part of the browser's answer that is read. */
export interface PageResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

/** What a request carries. */
export interface PageRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request to the service that served the page, with its session. */
export type Send = (path: string, parts: PageRequest) => Promise<PageResponse>;

/** How the page asks the service. */
export interface PageTransport {
  get<T>(path: string, signal?: AbortSignal): Promise<Outcome<T>>;
  /** @param idempotencyKey - Given where the operation asks for one. */
  post<T>(path: string, body: unknown, idempotencyKey?: string): Promise<Outcome<T>>;
}

/** Makes an exchange of a way to send requests. */
export function createExchange(send: Send): PageTransport {
  const ask = async <T>(path: string, parts: PageRequest): Promise<Outcome<T>> => {
    try {
      const response = await send(path, parts);
      if (!response.ok) return { ok: false, failed: await failedOf(response) };
      return { ok: true, value: (await response.json()) as T };
    } catch {
      return { ok: false, failed: { kind: 'unreachable' } };
    }
  };
  const accept = { accept: 'application/json, application/problem+json' };
  return {
    get: (path, signal) => ask(path, { method: 'GET', headers: accept, ...(signal && { signal }) }),
    post: (path, body, idempotencyKey) =>
      ask(path, {
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

/** What an answer with a failing status means: signed out, or a failure in the service's own words where it gave any. */
export async function failedOf(response: PageResponse): Promise<Failed> {
  if (response.status === 401) return { kind: 'signed-out' };
  const problem = (await response.json().catch(() => undefined)) as Partial<ProblemDetails> | undefined;
  const title =
    typeof problem?.title === 'string' ? problem.title : `The service responded with status ${response.status}`;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    kind: 'refused',
    failure: { type: 'about:blank', ...problem, title, status: response.status },
    ...(retryAfter >= 0 && { retryAfter }),
  };
}

/** Whether asking again, as it was, may be answered otherwise. */
export const mayRepeat = (failed: Failed): boolean =>
  failed.kind === 'unreachable' ||
  (failed.kind === 'refused' && [408, 429, 502, 503, 504].includes(failed.failure.status));

/** Returns a path with its query; undefined parameters are omitted. */
export function address(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}
