import { type FastifyReply, type FastifyRequest } from 'fastify';
import { requireSameOrigin } from './same-origin';

/** What a handed route is told of a request. */
interface HandedRequest {
  readonly path: string;
  /** What stands behind the question mark, without that. */
  readonly query: string;
  /** The header Cookie. */
  readonly cookie: string | undefined;
  /** Entity tag that the browser has, for files that seldom change. */
  readonly ifNoneMatch: string | undefined;
}

/** What a handed route answers; the security headers are added, and its own are put over them. */
interface HandedAnswer {
  readonly status: number;
  /** In lower case; several values of one name are several headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

/**
 * A route that is no operation: pages and files, logging in and out. Who asks is not looked at; a POST is taken only from
 * the page of the service itself.
 */
export interface HandedRoute {
  readonly method: 'GET' | 'POST';
  /** `/login`, or `/assets/*` for all below. */
  readonly path: string;
  /** Throws a `Refusal` where it is not done. */
  handle(request: HandedRequest): Promise<HandedAnswer>;
}

/** Answers a request by a handed route; returns the status. */
export async function answerHanded(
  route: HandedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  origin: string | undefined,
): Promise<number> {
  const { headers, url } = request;
  if (route.method === 'POST') requireSameOrigin(headers, origin);
  const mark = url.indexOf('?');
  const answer = await route.handle({
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    cookie: headers.cookie,
    ifNoneMatch: headers['if-none-match'],
  });
  for (const [name, value] of Object.entries(answer.headers))
    void reply.header(name, typeof value === 'string' ? value : [...value]);
  void reply.code(answer.status).send(answer.body);
  return answer.status;
}
