import { randomUUID } from 'node:crypto';
import { fastify, type FastifyInstance } from 'fastify';
import { operations, type Operation, type OperationName } from '../../contract';
import { EntranceConduct, type ConductOptions } from './entrance-conduct';
import { answerHanded, type HandedRoute } from './handed-route';
import { parseJsonBody } from './json-body';
import { openApiDocument } from './openapi-document';
import { operationAnswer } from './operation-route';
import { allowedMethods, routerPath } from './paths';
import { TurnedAway } from './turned-away';

/** Where the document that describes the operations is served. */
const documentPath = '/openapi.json';

/** Builds the server of the entrance; nothing listens yet. */
export function buildApp(options: ConductOptions & { readonly routes?: readonly HandedRoute[] }): {
  readonly app: FastifyInstance;
  readonly conduct: EntranceConduct;
} {
  const handed = [documentRoute(), ...(options.routes ?? [])];
  const names = Object.keys(operations) as OperationName[];
  const served = [...handed.flatMap(methodsOfHanded), ...names.flatMap(methodsOfOperation)];
  const conduct = new EntranceConduct(options, allowedMethods(served));
  const app = newApp(options, conduct);
  app.decorateRequest('visit', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  // A form that logs somebody out says nothing in its body.
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume();
    if (request.routeOptions.config.needsCaller) done(unsupportedType());
    else done(null, undefined);
  });
  app.addHook('onRequest', (request, reply) => conduct.begin(request, reply));
  app.addHook('onSend', async (_request, reply) => conduct.beforeSending(reply));
  app.setErrorHandler((error, request, reply) => conduct.fail(error, request, reply));
  // Every request is refused before, with the methods that its path has.
  app.setNotFoundHandler(() => undefined);
  for (const route of handed) addHanded(app, route, conduct, options.origin);
  for (const name of names) addOperation(app, name, conduct);
  return { app, conduct };
}

function newApp({ limits, trustedProxies }: ConductOptions, conduct: EntranceConduct): FastifyInstance {
  return fastify({
    genReqId: () => randomUUID(),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestWithin,
    keepAliveTimeout: limits.idleFor,
    connectionTimeout: Math.max(limits.idleFor, limits.answerWithin) + 5_000,
    maxRequestsPerSocket: limits.requestsOfConnection,
    http: {
      headersTimeout: limits.headersWithin,
      connectionsCheckingInterval: Math.max(100, Math.floor(limits.headersWithin / 5)),
    },
    trustProxy: trustedProxies && trustedProxies.length > 0 ? [...trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // The shapes of operations bound their parameters, with words.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => conduct.failBeforeRoute(error, request, reply),
    clientErrorHandler: (error, socket) => conduct.failConnection(error, socket),
  });
}

function addOperation(app: FastifyInstance, name: OperationName, conduct: EntranceConduct): void {
  const { method, path, changes = false, answer }: Operation = operations[name];
  const respond = operationAnswer(name, conduct.context);
  app.route({
    method,
    url: routerPath(path),
    exposeHeadRoute: method === 'get' && !answer.stream,
    config: { operation: name, needsCaller: true, changes },
    handler: (request, reply) =>
      conduct.answer(request, reply, async (visit) => {
        if (visit.caller) await respond(request, reply, visit, visit.caller);
      }),
  });
}

function addHanded(
  app: FastifyInstance,
  route: HandedRoute,
  conduct: EntranceConduct,
  origin: string | undefined,
): void {
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: route.method === 'GET',
    config: { operation: route.path },
    handler: (request, reply) =>
      conduct.answer(request, reply, async (visit) => {
        visit.status = await answerHanded(route, request, reply, origin);
      }),
  });
}

function documentRoute(): HandedRoute {
  const body = JSON.stringify(openApiDocument());
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { method: 'GET', path: documentPath, handle: async () => ({ status: 200, headers, body }) };
}

const methodsOfHanded = ({ method, path }: HandedRoute) =>
  method === 'GET' ? ['GET', 'HEAD'].map((each) => ({ method: each, path })) : [{ method, path }];

const methodsOfOperation = (name: OperationName) => {
  const { method, path, answer }: Operation = operations[name];
  const isRead = method === 'get' && !answer.stream;
  return [method.toUpperCase(), ...(isRead ? ['HEAD'] : [])].map((each) => ({ method: each, path }));
};

const unsupportedType = (): TurnedAway =>
  new TurnedAway(415, {
    title: 'Unsupported Media Type',
    detail: 'Send the body as application/json, in UTF-8 and not compressed.',
  });
