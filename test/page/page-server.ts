import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { ZodError } from 'zod';
import {
  type Change,
  type Deployment,
  type DeploymentEvent,
  finalPhases,
  idempotencyKeyPattern,
  type Operation,
  type OperationName,
  operations,
  type ProblemDetails,
} from '../../lib/contract';
import { type PageService, type ReceivedRequest } from './page-service';
import { type RequestInput, fakeResponses, ErrorResponse } from './fake-responses';
import { type SampleData } from './sample-data';

/** Content security policy of the page. */
export const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; pattern-action 'self'; frame-ancestors 'none'";

const folder = join(__dirname, '..', '..', 'build', 'page');
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
};

interface Stream {
  readonly response: ServerResponse;
  /** Deployment of the stream; if absent, it contains all changes. */
  readonly id?: string;
}

/**
 * Serves the page with a fake service that follows the contract: requests and responses are parsed by the
 * contract's own schemas, so that it cannot respond differently from the service. It serves sample data, and runs
 * events for a test.
 */
export async function startPageServer(sample: SampleData): Promise<PageService> {
  const assets = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  const received: ReceivedRequest[] = [];
  const faults: string[] = [];
  const streams = new Set<Stream>();
  const responses = new Map<string, { readonly request: string; readonly body: unknown }>();
  let session = 1;
  let droppedResponses = 0;
  let failingStreams = 0;

  const sendEvent = (stream: Stream, data: unknown, schema: Operation['response']['schema'], id?: number): void => {
    stream.response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(schema.parse(data))}\n\n`);
  };
  const change = (appliedChange: Change): void => {
    apply(sample, appliedChange);
    for (const stream of streams)
      if (stream.id === undefined) sendEvent(stream, appliedChange, operations.changes.response.schema);
  };
  const openStream = (response: ServerResponse, request: IncomingMessage, id: string | undefined): void => {
    if (failingStreams > 0) {
      failingStreams -= 1;
      response.destroy();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': open\n\n');
    const stream: Stream = { response, ...(id !== undefined && { id }) };
    streams.add(stream);
    response.on('close', () => streams.delete(stream));
    if (id === undefined) return;
    const after = Number(request.headers['last-event-id'] ?? 0);
    for (const event of sample.events.get(id) ?? [])
      if (event.number > after) sendEvent(stream, event, operations.follow.response.schema, event.number);
    endIfFinal(stream);
  };
  const endIfFinal = (stream: Stream): void => {
    const phase = sample.events.get(stream.id ?? '')?.at(-1)?.phase;
    // As the service does, so that no client takes it for an event of the deployment.
    if (phase !== undefined && finalPhases.includes(phase)) stream.response.end('event: end\ndata: {}\n\n');
  };
  const respondOnce = (name: keyof typeof fakeResponses, asked: RequestInput, request: IncomingMessage): unknown => {
    const respond = (): unknown => fakeResponses[name](sample, asked);
    const { method, path, idempotent }: Operation = operations[name];
    if (method === 'get') return respond();
    const header = request.headers['idempotency-key'];
    const key = typeof header === 'string' ? header : undefined;
    received.push({ path: request.url ?? path, idempotencyKey: key, body: asked.body });
    if (!idempotent) return respond();
    if (key === undefined || !idempotencyKeyPattern.test(key))
      throw errorResponse(400, 'The Idempotency-Key header is missing');
    const text = JSON.stringify([name, asked.body]);
    const previous = responses.get(key);
    if (previous && previous.request !== text) throw errorResponse(409, 'The key was used for another request');
    const created = previous?.body ?? respond();
    responses.set(key, { request: text, body: created });
    if (!previous) change({ type: 'deployment', deployment: created as Deployment });
    return created;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page');
    if (pathname === '/login') {
      const cookie = `session=${session}; HttpOnly; SameSite=Lax; Path=/`;
      response.writeHead(303, { location: searchParams.get('return') ?? '/', 'set-cookie': cookie }).end();
      return;
    }
    if (pathname === '/logout' && request.method === 'POST') {
      const ended = 'session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0';
      response.writeHead(303, { location: '/', 'set-cookie': ended }).end();
      return;
    }
    const asset = assets.get(pathname === '/' ? 'index.html' : pathname.replace('/assets/', ''));
    if (asset) {
      const type = types[pathname === '/' ? '.html' : extname(pathname)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'content-security-policy': contentPolicy }).end(asset);
      return;
    }
    const [name, params] = operationOf(request.method ?? 'GET', pathname);
    if (!request.headers.cookie?.includes(`session=${session}`)) throw errorResponse(401, 'Not signed in');
    if (name === 'changes' || name === 'follow') return openStream(response, request, params['id']);
    const operation: Operation = operations[name];
    const asked: RequestInput = {
      params: (operation.params?.parse(params) ?? {}) as RequestInput['params'],
      query: (operation.query?.strict().parse(Object.fromEntries(searchParams)) ?? {}) as RequestInput['query'],
      body: operation.body?.parse(JSON.parse(await textOf(request))),
    };
    const body = operation.response.schema.parse(respondOnce(name, asked, request));
    if (request.method === 'POST' && droppedResponses > 0) {
      droppedResponses -= 1;
      response.destroy();
      return;
    }
    response.writeHead(operation.response.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure.status !== 401 && !(error instanceof ErrorResponse && [403, 404].includes(failure.status)))
        faults.push(`${request.method} ${request.url}: ${failure.title} ${failure.detail ?? ''}`);
      response.writeHead(failure.status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(failure));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    faults,
    change,
    emitEvent: (deployment, event) => {
      const all = sample.events.get(deployment.id) ?? [];
      const numbered: DeploymentEvent = { ...event, number: all.length + 1, at: new Date().toISOString() };
      sample.events.set(deployment.id, [...all, numbered]);
      change({ type: 'deployment', deployment });
      for (const stream of streams) {
        if (stream.id !== deployment.id) continue;
        sendEvent(stream, numbered, operations.follow.response.schema, numbered.number);
        endIfFinal(stream);
      }
    },
    endSessions: () => {
      session += 1;
      for (const { response } of streams) response.destroy();
    },
    breakStreams: (failures = 0) => {
      failingStreams = failures;
      for (const { response } of streams) response.destroy();
    },
    dropResponses: (count) => {
      droppedResponses = count;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the operation of a path, and its parameters. */
function operationOf(method: string, path: string): [OperationName, Record<string, string>] {
  for (const [name, operation] of Object.entries(operations)) {
    const pattern = new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const found = pattern.exec(path);
    if (!found || operation.method !== method.toLowerCase()) continue;
    const params = Object.entries(found.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return [name as OperationName, Object.fromEntries(params) as Record<string, string>];
  }
  throw errorResponse(405, 'Unknown operation');
}

const errorResponse = (status: number, title: string): ErrorResponse =>
  new ErrorResponse({ type: 'about:blank', title, status });

function failureOf(error: unknown): ProblemDetails {
  if (error instanceof ErrorResponse) return error.failure;
  if (error instanceof ZodError)
    return { type: 'about:blank', title: 'Invalid request or response', status: 400, detail: error.message };
  return { type: 'about:blank', title: 'The fake service failed', status: 500, detail: String(error) };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Applies a change to the sample data. */
function apply(sample: SampleData, change: Change): void {
  if (change.type === 'deployment') replace(sample.deployments, change.deployment, ({ id }) => id);
  else if (change.type === 'workload') replace(sample.workloads, change.workload, keyOf);
  else if (change.type === 'project')
    replace(sample.projects, change.project, ({ name, target }) => `${target}/${name}`);
  else if (change.type === 'workloadGone') remove(sample.workloads, (one) => keyOf(one) === keyOf(change.workload));
  else remove(sample.projects, ({ name, target }) => name === change.project.name && target === change.project.target);
}

const keyOf = ({
  project,
  target,
  kind,
  name,
}: {
  project: string;
  target: string;
  kind: string;
  name: string;
}): string => [target, project, kind, name].join('/');

function replace<T>(all: T[], item: T, key: (item: T) => string): void {
  const index = all.findIndex((one) => key(one) === key(item));
  if (index < 0) all.unshift(item);
  else all[index] = item;
}

function remove<T>(all: T[], matches: (item: T) => boolean): void {
  const index = all.findIndex(matches);
  if (index >= 0) all.splice(index, 1);
}
