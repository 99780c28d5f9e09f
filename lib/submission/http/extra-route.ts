import { type FastifyReply, type FastifyRequest } from 'fastify';
import { requireSameOrigin } from './same-origin';

/** Request of an extra route. */
interface ExtraRouteRequest {
  readonly path: string;
  /** Query string without the question mark. */
  readonly query: string;
  /** The header Cookie. */
  readonly cookie: string | undefined;
  /** The header If-None-Match. */
  readonly ifNoneMatch: string | undefined;
}

/** Response of an extra route; its headers override the security headers. */
interface ExtraRouteResponse {
  readonly status: number;
  /** Names in lower case; multiple values are sent as multiple headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

/**
 * Route outside the API: pages, files, login and logout. Requires no authentication; POST requires the origin of the page.
 */
export interface ExtraRoute {
  readonly method: 'GET' | 'POST';
  /** Path such as `/login`; `/assets/*` matches all paths under it. */
  readonly path: string;
  /** Throws a `ProblemResponse` on failure. */
  handle(request: ExtraRouteRequest): Promise<ExtraRouteResponse>;
}

/** Handles a request with an extra route; returns the status. */
export async function handleExtraRoute(
  route: ExtraRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  origin: string | undefined,
): Promise<number> {
  const { headers, url } = request;
  if (route.method === 'POST') requireSameOrigin(headers, origin);
  const queryStart = url.indexOf('?');
  const response = await route.handle({
    path: queryStart < 0 ? url : url.slice(0, queryStart),
    query: queryStart < 0 ? '' : url.slice(queryStart + 1),
    cookie: headers.cookie,
    ifNoneMatch: headers['if-none-match'],
  });
  for (const [name, value] of Object.entries(response.headers))
    void reply.header(name, typeof value === 'string' ? value : [...value]);
  void reply.code(response.status).send(response.body);
  return response.status;
}
