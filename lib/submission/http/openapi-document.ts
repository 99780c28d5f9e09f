import type * as z from 'zod';
import { idempotencyKeyPattern, namedSchemas, operations, type Operation, type OperationName } from '../../contract';
import { type Json, OpenApiSchemas } from './openapi-schemas';

/** Builds the OpenAPI 3.1 document of the service from the contract. */
export function openApiDocument(): Json {
  const named = new Map<z.ZodType, string>(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));
  const entries = Object.entries(operations) as [OperationName, Operation][];
  for (const [name, { body, response }] of entries) {
    if (body && !named.has(body)) named.set(body, `${capital(name)}Request`);
    if (!named.has(response.schema)) named.set(response.schema, `${capital(name)}Response`);
  }
  const schemas = new OpenApiSchemas(named);
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, operation] of entries)
    (paths[operation.path] ??= {})[operation.method] = operationObject(name, operation, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'pinion submission service',
      version: '1',
      description:
        'Authenticates callers, checks policy, quota and feasibility, deploys published artifacts, and follows them until they are Ready or the cause and its owner are known.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      schemas: schemas.components(),
      responses: errorResponses(schemas),
      headers: {
        RetryAfter: { description: 'Seconds to wait before a retry.', schema: { type: 'integer', minimum: 0 } },
        RequestId: { description: 'Request ID in the logs of the service.', schema: { type: 'string' } },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Token of a trusted issuer or of a service account of the cluster.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'pinion-session-0',
          description:
            'Browser session; over https its name begins with __Host-. Changes must come from the page of the service as application/json.',
        },
      },
    },
  };
}

/** Descriptions of error responses by status. */
const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'The request is invalid; all problems are listed.',
  401: 'Authentication failed.',
  403: 'The caller lacks permission.',
  404: 'Not found, or not visible to the caller.',
  409: 'Another operation is in progress, or the idempotency key belongs to another request.',
  413: 'The body is too large.',
  415: 'The body must be application/json.',
  422: 'The artifact has problems, or the quota is insufficient.',
  429: 'A limit is exceeded.',
  500: 'Internal error; see the request ID in the log of the service.',
  503: 'The service or a dependency is unavailable.',
};

const commonStatuses = [400, 401, 403, 404, 429, 500, 503];
const bodyStatuses = [409, 413, 415, 422];

function errorResponses(schemas: OpenApiSchemas): Record<string, Json> {
  const content = { 'application/problem+json': { schema: schemas.refTo(namedSchemas.ProblemDetails) } };
  return Object.fromEntries(
    Object.entries(errorDescriptions).map(([status, description]) => {
      const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...headersOf(Number(status)) };
      return [`Problem${status}`, { description, headers, content }];
    }),
  );
}

function headersOf(status: number): Record<string, Json> {
  if (status === 401)
    return {
      'WWW-Authenticate': {
        description: 'Scheme, and the problem of the token.',
        required: true,
        schema: { type: 'string' },
      },
    };
  return status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {};
}

function operationObject(name: OperationName, operation: Operation, schemas: OpenApiSchemas): Json {
  const { method, summary, body } = operation;
  const statuses = method === 'post' ? [...commonStatuses, ...bodyStatuses] : commonStatuses;
  const parameters = parametersOf(operation, schemas);
  return {
    operationId: name,
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemas.refTo(body) } } } }
      : {}),
    responses: {
      [operation.response.status]: responseObject(operation, schemas),
      ...Object.fromEntries(
        [...statuses]
          .sort((a, b) => a - b)
          .map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
      ),
    },
  };
}

function responseObject({ response, resumes }: Operation, schemas: OpenApiSchemas): Json {
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
  const schema = schemas.refTo(response.schema);
  if (!response.stream) return { description: 'Success.', headers, content: { 'application/json': { schema } } };
  const description =
    'Server-sent events. Reconnect if a stream closes without `end` or `failure`; the service closes streams after a few minutes.';
  const content = {
    'text/event-stream': { schema: eventSchema(schema, schemas.refTo(namedSchemas.ProblemDetails), resumes) },
  };
  return { description, headers, content };
}

/** Returns the schema of one event of a stream, as OpenAPI 3.2 describes items. */
function eventSchema(message: Json, failure: Json, resumes = false): Json {
  const data = (contentSchema: Json): Json => ({ type: 'string', contentMediaType: 'application/json', contentSchema });
  const event = (name: string, description: string, content: Json): Json => ({
    description,
    properties: { event: { const: name }, data: data(content) },
  });
  return {
    type: 'object',
    required: ['data'],
    properties: {
      ...(resumes ? { id: { type: 'string', description: 'Number of the event.', pattern: '^\\d{1,15}$' } } : {}),
      event: { type: 'string', description: 'Type of the event. Defaults to message.', default: 'message' },
      data: { type: 'string', contentMediaType: 'application/json' },
    },
    oneOf: [
      event('message', 'Event or change.', message),
      ...(resumes ? [event('end', 'End of the stream.', { type: 'object' })] : []),
      event('failure', 'Error that ended the stream.', failure),
    ],
  };
}

function parametersOf({ params, query, idempotent, resumes }: Operation, schemas: OpenApiSchemas): Json[] {
  const parametersIn = (location: 'path' | 'query', schema: z.ZodObject | undefined): Json[] =>
    Object.entries(schema?.shape ?? {}).map(([name, member]) => {
      const { description, ...inlined } = schemas.inline(member as z.ZodType);
      const isRequired = location === 'path' || !(member as z.ZodType).safeParse(undefined).success;
      return {
        name,
        in: location,
        required: isRequired,
        ...(description === undefined ? {} : { description }),
        schema: inlined,
      };
    });
  const header = (name: string, required: boolean, description: string, pattern: string): Json => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', pattern },
  });
  return [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...(idempotent
      ? [
          header(
            'Idempotency-Key',
            true,
            'Unique key of the request. Repeating it with the same body returns the same deployment; another body is rejected.',
            idempotencyKeyPattern.source,
          ),
        ]
      : []),
    ...(resumes
      ? [
          header(
            'Last-Event-ID',
            false,
            'Number of the last received event; the stream resumes after it.',
            '^\\d{1,15}$',
          ),
        ]
      : []),
  ];
}

const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
