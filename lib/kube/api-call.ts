import { ApiError } from './api-error';
import { type CallOptions } from './kube-client';
import { sendPatiently, type SenderParts } from './sender';

/** Parameters behind a path; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What a request says besides its method and path. */
export interface ApiCall extends CallOptions {
  readonly query?: Query;
  /** A text as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  /** Whether the server may see it twice without harm. @default - GET alone */
  readonly repeatable?: boolean;
}

/** Milliseconds until a request is given up whose caller does not say. */
export const usualTimeout = 30_000;

/** How a server is asked for metadata alone (Kubernetes API concepts, "Metadata-only fetches"). */
const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

/** Sends one request and gives the parsed answer; the text of an answer that is no JSON. */
export async function callApi(parts: SenderParts, method: string, path: string, call: ApiCall): Promise<unknown> {
  const {
    query = {},
    body,
    contentType,
    repeatable = method === 'GET',
    timeout = usualTimeout,
    signal,
    retries,
    metadataOnly = false,
    as,
  } = call;
  const answer = await sendPatiently(parts, {
    method,
    path: withQuery(path, query),
    timeout,
    signal,
    repeatable,
    ...(retries !== undefined && { retries }),
    ...(as && { as }),
    ...(metadataOnly && { accept: partial }),
    ...(contentType !== undefined && { contentType }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (!(answer.headers['content-type'] ?? '').startsWith('application/json')) return answer.text;
  try {
    return decodeAnswer(answer.text);
  } catch (cause) {
    throw new ApiError(answer.status, 'Unreadable', `${method} ${path}: the answer is no JSON`, {}, { cause });
  }
}

/** A function of its own, by whose name profiles tell what lists take from what requests do. */
const decodeAnswer = (text: string): unknown => JSON.parse(text) as unknown;

/** A path with parameters behind it, or behind those that it has. */
export function withQuery(path: string, query: Query): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  if (entries.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(entries).toString()}`;
}
