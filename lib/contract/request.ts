import type * as z from 'zod';
import { operations, type Operation, type OperationName } from './operations';

type Operations = typeof operations;

/** Operations that answer with a stream. */
type StreamName = {
  [N in OperationName]: Operations[N]['answer'] extends { stream: true } ? N : never;
}[OperationName];

/** Operations that answer once. */
export type AskName = Exclude<OperationName, StreamName>;

/** What an operation answers; of a stream, each event of it. */
export type AnswerOf<N extends OperationName> = z.output<Operations[N]['answer']['shape']>;

/** Operations that answer with pages. */
export type ListName = { [N in AskName]: AnswerOf<N> extends { items: unknown[] } ? N : never }[AskName];

/** One item of what a list holds. */
export type ItemOf<N extends ListName> = AnswerOf<N>['items'][number];

/** What must be said with an operation: members of its path, its question, its body, and the key that makes it one. */
export type Given<N extends OperationName> = (Operations[N] extends { params: infer P extends z.ZodType }
  ? { readonly params: Readonly<z.output<P>> }
  : unknown) &
  (Operations[N] extends { query: infer Q extends z.ZodType }
    ? { readonly query?: { readonly [K in keyof z.output<Q>]?: z.output<Q>[K] | undefined } }
    : unknown) &
  (Operations[N] extends { body: infer B extends z.ZodType } ? { readonly body: Readonly<z.input<B>> } : unknown) &
  (Operations[N] extends { idempotent: true } ? { readonly key: string } : unknown);

/** A request as it is sent. */
export interface ServiceRequest {
  readonly operation: Operation;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether sending it twice does what sending it once does. */
  readonly isRepeatable: boolean;
}

interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly key?: string;
}

/** Writes an operation as a request below the URL of a service. */
export function requestOf<N extends OperationName>(server: string, name: N, given: Given<N>): ServiceRequest {
  const { params = {}, query = {}, body, key } = given as Parts;
  const operation: Operation = operations[name];
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  const asked = Object.entries(query).filter(([, value]) => value !== undefined);
  const question = new URLSearchParams(
    asked.map(([member, value]): [string, string] => [member, String(value)]),
  ).toString();
  return {
    operation,
    url: `${server}${path}${question && `?${question}`}`,
    headers: {
      accept: operation.answer.stream ? 'text/event-stream' : 'application/json, application/problem+json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // A check writes nothing, though it is a POST.
    isRepeatable: operation.method === 'get' || key !== undefined || name === 'check',
  };
}
