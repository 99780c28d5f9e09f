import { type IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { schemaProblems, type FieldPath, type Problem } from '../../api';
import { idempotencyKeyForm, type Operation } from '../../contract';
import { Refusal } from '../refusal';

/** The parts of a request, as they came. */
export interface RequestParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** The parts of a request, as the shapes of its operation give them. */
export interface ReadParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string;
  readonly after: number;
}

/** Reads requests of one operation. Throws a `Refusal` of status 400 with all that is wrong with one. */
export function requestReader(operation: Operation): (parts: RequestParts) => ReadParts {
  const params = operation.params ?? z.object({});
  const query = (operation.query ?? z.object({})).strict();
  const body = operation.body ?? z.strictObject({}).optional();
  return (parts) => {
    const problems: Problem[] = [];
    const read = {
      params: readPart(params, parts.params, ['path'], problems),
      query: readPart(query, parts.query, ['query'], problems),
      body: readPart(body, parts.body, [], problems),
      idempotencyKey: operation.idempotent ? readIdempotencyKey(parts.headers, problems) : '',
      after: operation.resumes ? readLastEventId(parts.headers, problems) : 0,
    };
    if (problems.length > 0)
      throw new Refusal(400, {
        title: 'Bad Request',
        detail: 'The request is not what the operation takes.',
        problems,
      });
    return read;
  };
}

function readPart(shape: z.ZodType, input: unknown, base: FieldPath, problems: Problem[]): unknown {
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  problems.push(...schemaProblems(shape, input, parsed.error.issues, base));
  return undefined;
}

function readIdempotencyKey(headers: IncomingHttpHeaders, problems: Problem[]): string {
  const key = headers['idempotency-key'];
  const path = ['header', 'Idempotency-Key'];
  const remedy = 'give 8 to 128 letters, digits, dots, underscores, colons and dashes, new for each thing that you ask';
  if (key === undefined) problems.push({ code: 'required', path, reason: 'is missing', remedy });
  else if (typeof key !== 'string' || !idempotencyKeyForm.test(key))
    problems.push({ code: 'bad-format', path, value: key, reason: 'is not an idempotency key', remedy });
  return String(key);
}

function readLastEventId(headers: IncomingHttpHeaders, problems: Problem[]): number {
  const id = headers['last-event-id'];
  if (id === undefined) return 0;
  if (typeof id === 'string' && /^\d{1,15}$/.test(id)) return Number(id);
  const path = ['header', 'Last-Event-ID'];
  const remedy = 'give the number of the last event that you have, or leave the header out';
  problems.push({ code: 'bad-format', path, value: id, reason: 'is not the number of an event', remedy });
  return 0;
}
