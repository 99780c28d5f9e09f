import type * as z from 'zod';
import { idempotencyKeyForm, namedShapes, operations, type Operation, type OperationName } from '../../contract';
import { type Json, OpenApiSchemas } from './openapi-schemas';

/** The OpenAPI 3.1 document of the service, from the operations and shapes of the contract alone. */
export function openApiDocument(): Json {
  const named = new Map<z.ZodType, string>(Object.entries(namedShapes).map(([name, shape]) => [shape, name]));
  const entries = Object.entries(operations) as [OperationName, Operation][];
  for (const [name, { body, answer }] of entries) {
    if (body && !named.has(body)) named.set(body, `${capital(name)}Request`);
    if (!named.has(answer.shape)) named.set(answer.shape, `${capital(name)}Answer`);
  }
  const schemas = new OpenApiSchemas(named);
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, operation] of entries)
    (paths[operation.path] ??= {})[operation.method] = operationObject(name, operation, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Job submission service of pinion',
      version: '1',
      description:
        'Checks who asks, policy, quota and feasibility, submits what was published, and follows until it is Ready or the cause and its owner are named.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      schemas: schemas.components(),
      responses: failures(schemas),
      headers: {
        RetryAfter: { description: 'Seconds after which to ask again.', schema: { type: 'integer', minimum: 0 } },
        RequestId: { description: 'Name of the request in the logs of the service.', schema: { type: 'string' } },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of an issuer that the service trusts, or of a service account of the cluster.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'pinion-session-0',
          description:
            'The session of a browser; over https its name begins with __Host-. What changes something must come from the page of the service itself, as application/json.',
        },
      },
    },
  };
}

/** What can go wrong with a request, by status, and when. */
const failureTexts: Readonly<Record<number, string>> = {
  400: 'The request is not what the operation takes; all that is wrong with it is listed.',
  401: 'Nobody is known by what the request shows.',
  403: 'The caller may not do that.',
  404: 'There is no such thing, or the caller may not see it.',
  409: 'Something else is under way, or the idempotency key belongs to another request.',
  413: 'The body is larger than the service reads.',
  415: 'The body is not application/json.',
  422: 'What is asked for cannot be: a problem of the artifact, or the quota is too small.',
  429: 'The caller asks for more than the service does for one.',
  500: 'A fault of the service; its log tells more under the id of the request.',
  503: 'The service, or something that it needs, cannot answer now.',
};

const everywhere = [400, 401, 403, 404, 429, 500, 503];
const withBody = [409, 413, 415, 422];

function failures(schemas: OpenApiSchemas): Record<string, Json> {
  const content = { 'application/problem+json': { schema: schemas.refTo(namedShapes.Failure) } };
  return Object.fromEntries(
    Object.entries(failureTexts).map(([status, description]) => {
      const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...headersOf(Number(status)) };
      return [`Failure${status}`, { description, headers, content }];
    }),
  );
}

function headersOf(status: number): Record<string, Json> {
  if (status === 401)
    return {
      'WWW-Authenticate': {
        description: 'The scheme, and what is wrong with a token that was shown.',
        required: true,
        schema: { type: 'string' },
      },
    };
  return status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {};
}

function operationObject(name: OperationName, operation: Operation, schemas: OpenApiSchemas): Json {
  const { method, summary, body } = operation;
  const statuses = method === 'post' ? [...everywhere, ...withBody] : everywhere;
  const parameters = parametersOf(operation, schemas);
  return {
    operationId: name,
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemas.refTo(body) } } } }
      : {}),
    responses: {
      [operation.answer.status]: answerObject(operation, schemas),
      ...Object.fromEntries(
        [...statuses]
          .sort((a, b) => a - b)
          .map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]),
      ),
    },
  };
}

function answerObject({ answer, resumes }: Operation, schemas: OpenApiSchemas): Json {
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
  const schema = schemas.refTo(answer.shape);
  if (!answer.stream) return { description: 'Done.', headers, content: { 'application/json': { schema } } };
  const description =
    'Server-sent events, as the schema has each of them. A stream that ends without `end` or `failure` is to be asked for again; the service ends each after some minutes.';
  const content = { 'text/event-stream': { schema: eventSchema(schema, schemas.refTo(namedShapes.Failure), resumes) } };
  return { description, headers, content };
}

/** What one event of a stream is, in the way in which OpenAPI 3.2 describes items. */
function eventSchema(message: Json, failure: Json, resumes = false): Json {
  const data = (contentSchema: Json): Json => ({ type: 'string', contentMediaType: 'application/json', contentSchema });
  const event = (name: string, description: string, of: Json): Json => ({
    description,
    properties: { event: { const: name }, data: data(of) },
  });
  return {
    type: 'object',
    required: ['data'],
    properties: {
      ...(resumes ? { id: { type: 'string', description: 'Number of the event.', pattern: '^\\d{1,15}$' } } : {}),
      event: { type: 'string', description: 'Kind of event; a message where it is left out.', default: 'message' },
      data: { type: 'string', contentMediaType: 'application/json' },
    },
    oneOf: [
      event('message', 'Something happened.', message),
      ...(resumes ? [event('end', 'Nothing follows.', { type: 'object' })] : []),
      event('failure', 'Why the stream ends before that.', failure),
    ],
  };
}

function parametersOf({ params, query, idempotent, resumes }: Operation, schemas: OpenApiSchemas): Json[] {
  const some = (where: 'path' | 'query', shape: z.ZodObject | undefined): Json[] =>
    Object.entries(shape?.shape ?? {}).map(([name, member]) => {
      const { description, ...schema } = schemas.inline(member as z.ZodType);
      const isRequired = where === 'path' || !(member as z.ZodType).safeParse(undefined).success;
      return { name, in: where, required: isRequired, ...(description === undefined ? {} : { description }), schema };
    });
  const header = (name: string, required: boolean, description: string, pattern: string): Json => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', pattern },
  });
  return [
    ...some('path', params),
    ...some('query', query),
    ...(idempotent
      ? [
          header(
            'Idempotency-Key',
            true,
            'Name of this request: the same key with the same body is the same deployment, however often it is sent; with another body it is refused.',
            idempotencyKeyForm.source,
          ),
        ]
      : []),
    ...(resumes
      ? [
          header(
            'Last-Event-ID',
            false,
            'Number of the last event that is known; those after it follow.',
            '^\\d{1,15}$',
          ),
        ]
      : []),
  ];
}

const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
