import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namedSchemas, operations, type Operation } from '../../../lib/contract';
import { openApiDocument } from '../../../lib/submission/http/openapi-document';
import { startTestServer } from './test-server';

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Record<string, unknown>;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, { readonly schema: object }> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, object>>; readonly $ref?: string }>
  >;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Record<string, unknown>>>;
    readonly responses: Readonly<Record<string, { readonly content: object }>>;
  };
}

const document = openApiDocument() as unknown as Document;
const operationObjects = Object.values(document.paths).flatMap((path) => Object.values(path));
const entries = Object.entries(operations) as [string, Operation][];

/** Returns the values of all members with a name, at any depth. */
function members(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [...(key === name ? [each] : []), ...members(each, name)]);
}

test('contains exactly the operations of the contract, with their methods and paths', () => {
  expect(document.openapi).toBe('3.1.0');
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path]),
  );
  expect(found.sort()).toEqual(entries.map(([name, { method, path }]) => [name, method, path]).sort());
});

test('every reference resolves, and every schema and response is referenced', () => {
  const references = new Set(members(document, '$ref') as string[]);
  for (const reference of references) {
    const target = reference
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document);
    expect([reference, typeof target]).toEqual([reference, 'object']);
  }
  const named = Object.entries(document.components).flatMap(([part, all]) =>
    Object.keys(all).map((name) => `#/components/${part}/${name}`),
  );
  expect(named.filter((name) => !name.includes('securitySchemes') && !references.has(name))).toEqual([]);
});

test('each operation describes all its inputs', () => {
  for (const [name, { path, params, query, body, idempotent, resumes }] of entries) {
    const { parameters = [], requestBody } = operationObjects.find(
      ({ operationId }) => operationId === name,
    ) as OperationObject;
    const named = (location: string) => parameters.filter((each) => each.in === location).map((each) => each.name);
    expect(named('path').map((each) => `{${each}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    expect(named('path')).toEqual(Object.keys(params?.shape ?? {}));
    expect(named('query')).toEqual(Object.keys(query?.shape ?? {}));
    expect(named('header')).toEqual([
      ...(idempotent ? ['Idempotency-Key'] : []),
      ...(resumes ? ['Last-Event-ID'] : []),
    ]);
    expect(parameters.filter(({ required }) => required).map((each) => each.name)).toEqual([
      ...named('path'),
      ...(idempotent ? ['Idempotency-Key'] : []),
    ]);
    expect(requestBody?.required ?? false).toBe(body !== undefined);
  }
});

test('each operation describes its response, and every failure as a problem document', () => {
  for (const [name, { method, response }] of entries) {
    const { responses } = operationObjects.find(({ operationId }) => operationId === name) as OperationObject;
    const always = [400, 401, 403, 404, 429, 500, 503];
    const statuses = [response.status, ...always, ...(method === 'post' ? [409, 413, 415, 422] : [])].sort(
      (a, b) => a - b,
    );
    expect(Object.keys(responses)).toEqual(statuses.map(String));
    const type = response.stream ? 'text/event-stream' : 'application/json';
    expect(Object.keys(responses[response.status]?.content ?? {})).toEqual([type]);
  }
  for (const { content } of Object.values(document.components.responses))
    expect(content).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
    });
});

test('request schemas reject unknown fields, response schemas allow new ones, and both list their fields', () => {
  const { schemas } = document.components;
  for (const name of Object.keys(namedSchemas)) expect(schemas).toHaveProperty(name);
  for (const name of ['DeployRequest', 'RollBackRequest', 'ApprovalRequest'])
    expect(schemas[name]).toMatchObject({ additionalProperties: false });
  for (const name of ['Deployment', 'WorkloadView', 'ProblemDetails'])
    expect(schemas[name]).not.toHaveProperty('additionalProperties');
  expect(schemas['Deployment']?.['required']).toContain('targets');
  expect(schemas['ProblemDetails']?.['properties']).toHaveProperty(
    'preview',
    expect.objectContaining({ $ref: '#/components/schemas/DeploymentPreview' }),
  );
});

test('the served document equals docs/openapi.json', async () => {
  const committed = JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8')) as unknown;
  expect(JSON.parse(JSON.stringify(document))).toEqual(committed);
  const { url } = await startTestServer();
  const response = await fetch(`${url}/openapi.json`);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual(committed);
});
