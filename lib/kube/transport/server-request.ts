import { type Agent, type ClientRequest, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** HTTP request to a server, without its body. */
export interface ServerRequest {
  readonly method: string;
  /** Path with query, below the path of the server's URL. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly agent: Agent;
}

/** Creates a request to the server of a URL; the caller sends its body and ends it. */
export function serverRequest(server: URL, { method, path, headers, agent }: ServerRequest): ClientRequest {
  const send = server.protocol === 'https:' ? httpsRequest : httpRequest;
  return send({
    // An IPv6 address has brackets in a URL only.
    host: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port === '' ? undefined : Number(server.port),
    path: `${server.pathname.replace(/\/$/, '')}${path}`,
    method,
    headers,
    agent,
  });
}
