import { type IncomingMessage } from 'node:http';
import { type ApiCaller } from '../identity/api-caller';
import { forwardingError } from '../identity/impersonated-caller';
import { type ApiStatus } from '../reads/api-status';

/** Methods whose body Node.js would send without its length, so that the API server would read it as further requests. */
const withoutBody = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** Protocols that the Kubernetes API upgrades to. */
const upgradeProtocols = new Set(['websocket', 'spdy/3.1']);

const badRequest = (message: string): ApiStatus => ({ code: 400, reason: 'BadRequest', message });

/** Returns why a request is not passed on to the API server; undefined if it is. */
export function requestRefusal({ method = 'GET', headers }: IncomingMessage, caller: ApiCaller): ApiStatus | undefined {
  const encoding = headers['transfer-encoding'];
  if (hasBody(headers) && withoutBody.has(method))
    return badRequest(`a ${method} request must not have a body; send it without one`);
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    return badRequest(`Transfer-Encoding is ${JSON.stringify(encoding)}; only "chunked" is supported`);
  return callerRefusal(caller);
}

/** Returns why an upgrade is not passed on to the API server; undefined if it is. */
export function upgradeRefusal({ headers }: IncomingMessage, caller: ApiCaller): ApiStatus | undefined {
  const { upgrade = '' } = headers;
  if (!upgradeProtocols.has(upgrade.toLowerCase()))
    return badRequest(
      `Upgrade is ${JSON.stringify(upgrade)}; use "websocket" or "SPDY/3.1", or send the request without it`,
    );
  if (hasBody(headers)) return badRequest('a request that asks for an upgrade must not have a body');
  return callerRefusal(caller);
}

function callerRefusal(caller: ApiCaller): ApiStatus | undefined {
  const message = forwardingError(caller);
  return message === undefined ? undefined : { code: 403, reason: 'Forbidden', message };
}

const hasBody = (headers: IncomingMessage['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
