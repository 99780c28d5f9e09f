import { randomUUID } from 'node:crypto';
import { fastify, type FastifyInstance } from 'fastify';
import { operations, type Operation, type OperationName } from '../../contract';
import { RequestPipeline, type PipelineOptions } from './request-pipeline';
import { handleExtraRoute, type ExtraRoute } from './extra-route';
import { parseJsonBody } from './parse-json-body';
import { openApiDocument } from './openapi-document';
import { createOperationHandler } from './operation-handler';
import { allowedMethods, routerPath } from './paths';
import { HttpRejection } from './http-rejection';

/** Path of the OpenAPI document. */
const documentPath = '/openapi.json';

/** Builds the HTTP application; does not listen yet. */
export function buildApp(options: PipelineOptions & { readonly routes?: readonly ExtraRoute[] }): {
  readonly app: FastifyInstance;
  readonly pipeline: RequestPipeline;
} {
  const routes = [documentRoute(), ...(options.routes ?? [])];
  const names = Object.keys(operations) as OperationName[];
  const served = [...routes.flatMap(methodsOfRoute), ...names.flatMap(methodsOfOperation)];
  const pipeline = new RequestPipeline(options, allowedMethods(served));
  const app = newApp(options, pipeline);
  app.decorateRequest('tracked', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  // The logout form sends an empty body of another type.
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume();
    if (request.routeOptions.config.needsCaller) done(unsupportedType());
    else done(null, undefined);
  });
  app.addHook('onRequest', (request, reply) => pipeline.begin(request, reply));
  app.addHook('onSend', async (_request, reply) => pipeline.beforeSending(reply));
  app.setErrorHandler((error, request, reply) => pipeline.fail(error, request, reply));
  // The pipeline rejects unknown paths earlier, with the allowed methods.
  app.setNotFoundHandler(() => undefined);
  for (const route of routes) addRoute(app, route, pipeline, options.origin);
  for (const name of names) addOperation(app, name, pipeline);
  return { app, pipeline };
}

function newApp({ limits, trustedProxies }: PipelineOptions, pipeline: RequestPipeline): FastifyInstance {
  return fastify({
    genReqId: () => randomUUID(),
    bodyLimit: limits.maxBodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: Math.max(limits.keepAliveTimeoutMs, limits.responseTimeoutMs) + 5_000,
    maxRequestsPerSocket: limits.maxRequestsPerConnection,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: Math.max(100, Math.floor(limits.headersTimeoutMs / 5)),
    },
    trustProxy: trustedProxies && trustedProxies.length > 0 ? [...trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Parameters are limited by the schemas of operations, with better messages.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => pipeline.failBeforeRoute(error, request, reply),
    clientErrorHandler: (error, socket) => pipeline.failConnection(error, socket),
  });
}

function addOperation(app: FastifyInstance, name: OperationName, pipeline: RequestPipeline): void {
  const { method, path, changes: isMutating = false, response }: Operation = operations[name];
  const respond = createOperationHandler(name, pipeline.context);
  app.route({
    method,
    url: routerPath(path),
    exposeHeadRoute: method === 'get' && !response.stream,
    config: { operation: name, needsCaller: true, isMutating },
    handler: (request, reply) =>
      pipeline.handle(request, reply, async (tracked) => {
        if (tracked.caller) await respond(request, reply, tracked, tracked.caller);
      }),
  });
}

function addRoute(
  app: FastifyInstance,
  route: ExtraRoute,
  pipeline: RequestPipeline,
  origin: string | undefined,
): void {
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: route.method === 'GET',
    config: { operation: route.path },
    handler: (request, reply) =>
      pipeline.handle(request, reply, async (tracked) => {
        tracked.status = await handleExtraRoute(route, request, reply, origin);
      }),
  });
}

function documentRoute(): ExtraRoute {
  const body = JSON.stringify(openApiDocument());
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { method: 'GET', path: documentPath, handle: async () => ({ status: 200, headers, body }) };
}

const methodsOfRoute = ({ method, path }: ExtraRoute) =>
  method === 'GET' ? ['GET', 'HEAD'].map((each) => ({ method: each, path })) : [{ method, path }];

const methodsOfOperation = (name: OperationName) => {
  const { method, path, response }: Operation = operations[name];
  const isRead = method === 'get' && !response.stream;
  return [method.toUpperCase(), ...(isRead ? ['HEAD'] : [])].map((each) => ({ method: each, path }));
};

const unsupportedType = (): HttpRejection =>
  new HttpRejection(415, {
    title: 'Unsupported Media Type',
    detail: 'Send the body as uncompressed application/json in UTF-8.',
  });
