import { type IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { schemaProblems, type FieldPath, type Problem } from '../../api';
import { idempotencyKeyPattern, type Operation } from '../../contract';
import { ProblemResponse } from '../problem-response';

/** Unparsed parts of a request. */
export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Parts of a request, parsed by the schemas of its operation. */
export interface ParsedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string;
  readonly after: number;
}

/** Creates the parser of an operation's requests, which throws a `ProblemResponse` with status 400 and all problems. */
export function createRequestParser(operation: Operation): (parts: RawRequest) => ParsedRequest {
  const params = operation.params ?? z.object({});
  const query = (operation.query ?? z.object({})).strict();
  const body = operation.body ?? z.strictObject({}).optional();
  return (parts) => {
    const problems: Problem[] = [];
    const parsed = {
      params: parsePart(params, parts.params, ['path'], problems),
      query: parsePart(query, parts.query, ['query'], problems),
      body: parsePart(body, parts.body, [], problems),
      idempotencyKey: operation.idempotent ? parseIdempotencyKey(parts.headers, problems) : '',
      after: operation.resumes ? parseLastEventId(parts.headers, problems) : 0,
    };
    if (problems.length > 0)
      throw new ProblemResponse(400, {
        title: 'Bad Request',
        detail: 'The request is invalid.',
        problems,
      });
    return parsed;
  };
}

function parsePart(schema: z.ZodType, input: unknown, base: FieldPath, problems: Problem[]): unknown {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  problems.push(...schemaProblems(schema, input, parsed.error.issues, base));
  return undefined;
}

function parseIdempotencyKey(headers: IncomingHttpHeaders, problems: Problem[]): string {
  const key = headers['idempotency-key'];
  const path = ['header', 'Idempotency-Key'];
  const remedy = 'use 8 to 128 letters, digits, dots, underscores, colons and dashes, unique per request';
  if (key === undefined) problems.push({ code: 'required', path, reason: 'is missing', remedy });
  else if (typeof key !== 'string' || !idempotencyKeyPattern.test(key))
    problems.push({ code: 'bad-format', path, value: key, reason: 'must be an idempotency key', remedy });
  return String(key);
}

function parseLastEventId(headers: IncomingHttpHeaders, problems: Problem[]): number {
  const id = headers['last-event-id'];
  if (id === undefined) return 0;
  if (typeof id === 'string' && /^\d{1,15}$/.test(id)) return Number(id);
  const path = ['header', 'Last-Event-ID'];
  const remedy = 'use the number of the last received event, or omit the header';
  problems.push({ code: 'bad-format', path, value: id, reason: 'must be an event number', remedy });
  return 0;
}
