import { ApiError } from '../transport/api-error';
import { type CallOptions } from './kube-client';
import { sendWithRetries, type SenderDeps } from './send-with-retries';

/** Query parameters; undefined ones are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Options of one API request. */
export interface ApiCall extends CallOptions {
  readonly query?: Query;
  /** Request body: a string is sent as is, anything else as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** Whether the request is idempotent. @default - true for GET only */
  readonly repeatable?: boolean;
}

/** Default request timeout in milliseconds. */
export const defaultTimeout = 30_000;

/** Accept header for metadata only (Kubernetes API concepts, "Metadata-only fetches"). */
const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

/** Sends one request and returns the parsed JSON response, or the text of a response of another type. */
export async function callApi(deps: SenderDeps, method: string, path: string, call: ApiCall): Promise<unknown> {
  const {
    query = {},
    body,
    contentType,
    accept,
    repeatable = method === 'GET',
    timeout = defaultTimeout,
    signal,
    retries,
    metadataOnly = false,
    as,
  } = call;
  const response = await sendWithRetries(deps, {
    method,
    path: withQuery(path, query),
    timeout,
    signal,
    repeatable,
    ...(retries !== undefined && { retries }),
    ...(as && { as }),
    ...(accept !== undefined && { accept }),
    ...(metadataOnly && { accept: partial }),
    ...(contentType !== undefined && { contentType }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (!(response.headers['content-type'] ?? '').startsWith('application/json')) return response.text;
  try {
    return decodeResponse(response.text);
  } catch (cause) {
    throw new ApiError(response.status, 'Unreadable', `${method} ${path}: the response is not JSON`, {}, { cause });
  }
}

/** Separate function so that CPU profiles show the cost of decoding. */
const decodeResponse = (text: string): unknown => JSON.parse(text) as unknown;

/** Appends query parameters to a path, which may have some already. */
export function withQuery(path: string, query: Query): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  if (entries.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(entries).toString()}`;
}
