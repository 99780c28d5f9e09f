import type * as z from 'zod';
import { operations, type Operation, type OperationName } from './operations';

type Operations = typeof operations;

/** Operations that return a stream. */
type StreamName = {
  [N in OperationName]: Operations[N]['response'] extends { stream: true } ? N : never;
}[OperationName];

/** Operations that return one response. */
export type RequestName = Exclude<OperationName, StreamName>;

/** Response of an operation; for a stream, one event. */
export type ResponseOf<N extends OperationName> = z.output<Operations[N]['response']['schema']>;

/** Operations that return pages. */
export type ListName = { [N in RequestName]: ResponseOf<N> extends { items: unknown[] } ? N : never }[RequestName];

/** Item of a list. */
export type ItemOf<N extends ListName> = ResponseOf<N>['items'][number];

/** Input of an operation: path parameters, query, body and idempotency key. */
export type OperationInput<N extends OperationName> = (Operations[N] extends { params: infer P extends z.ZodType }
  ? { readonly params: Readonly<z.output<P>> }
  : unknown) &
  (Operations[N] extends { query: infer Q extends z.ZodType }
    ? { readonly query?: { readonly [K in keyof z.output<Q>]?: z.output<Q>[K] | undefined } }
    : unknown) &
  (Operations[N] extends { body: infer B extends z.ZodType } ? { readonly body: Readonly<z.input<B>> } : unknown) &
  (Operations[N] extends { idempotent: true } ? { readonly key: string } : unknown);

/** Encoded request. */
export interface ServiceRequest {
  readonly operation: Operation;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether sending it twice has the same effect as once. */
  readonly isRepeatable: boolean;
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly key?: string;
}

/** Encodes an operation as a request under the URL of a service. */
export function encodeRequest<N extends OperationName>(
  server: string,
  name: N,
  input: OperationInput<N>,
): ServiceRequest {
  const { params = {}, query = {}, body, key } = input as AnyInput;
  const operation: Operation = operations[name];
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    given.map(([member, value]): [string, string] => [member, String(value)]),
  ).toString();
  return {
    operation,
    url: `${server}${path}${search && `?${search}`}`,
    headers: {
      accept: operation.response.stream ? 'text/event-stream' : 'application/json, application/problem+json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // A preview writes nothing, though it is a POST.
    isRepeatable: operation.method === 'get' || key !== undefined || name === 'preview',
  };
}
