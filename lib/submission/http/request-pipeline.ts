import { type FastifyReply, type FastifyRequest } from 'fastify';
import { auditRecord } from './audit';
import { formatClientError } from './format-client-error';
import { type HttpMetrics } from './http-metrics';
import { type HttpServerOptions } from './http-server-options';
import { toErrorResponse, problemType, type ErrorResponse } from './error-response';
import { RequestGuard } from './request-guard';
import { type Limits } from '../../programs';
import { type OperationContext } from './operation-handler';
import { securityHeaders } from './security-headers';
import { LimitExceeded, HttpRejection } from './http-rejection';
import { TrackedRequest } from './tracked-request';

declare module 'fastify' {
  interface FastifyRequest {
    tracked: TrackedRequest | undefined;
  }
  interface FastifyContextConfig {
    /** Name of the operation, or path of an extra route. */
    readonly operation?: string;
    /** Whether it requires authentication. */
    readonly needsCaller?: boolean;
    readonly isMutating?: boolean;
  }
}

/** Options of the request pipeline. */
export interface PipelineOptions extends HttpServerOptions {
  readonly limits: Limits;
  readonly metrics: HttpMetrics;
}

/** Handles every request: limits, authentication, response, metrics and audit log. */
export class RequestPipeline {
  readonly guard: RequestGuard;
  readonly context: OperationContext;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #streams = new Set<AbortController>();
  #isStopping = false;

  constructor(
    private readonly options: PipelineOptions,
    private readonly allowedMethods: (path: string) => string | undefined,
  ) {
    const { service, identity, clock, limits, origin, isBehindTls = false } = options;
    this.guard = new RequestGuard({ identity, clock, limits, origin });
    this.#headers = securityHeaders(isBehindTls);
    const errorText = (error: unknown, tracked: TrackedRequest): string =>
      JSON.stringify(this.#toResponse(error, tracked).problem);
    this.context = {
      ...{ service, guard: this.guard, clock, limits, errorText },
      openStream: (abort) => this.#openStream(abort),
    };
  }

  /** Whether it rejects new requests. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Rejects new requests and ends all streams. */
  stop(): void {
    this.#isStopping = true;
    for (const abort of this.#streams) abort.abort();
  }

  /** Starts a request; throws if it is rejected. */
  async begin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const tracked = new TrackedRequest(request.id, request.ip, this.options.clock.now(), reply.raw);
    const { operation = 'unknown', needsCaller = false, isMutating = false } = request.routeOptions.config;
    request.tracked = tracked;
    tracked.operation = operation;
    tracked.isMutating = isMutating;
    tracked.onEnd((status) => this.#recordEnd(tracked, status));
    void reply.headers(this.#headers).header('x-request-id', request.id);
    if (this.#isStopping) throw stopping();
    if (!needsCaller) await tracked.track(this.guard.admitAnonymous(tracked, request));
    if (request.is404) throw this.#notFound(request.url);
    if (!needsCaller) return;
    await tracked.track(this.guard.identify(tracked, request));
    if (isEncoded(request)) throw unsupportedEncoding();
  }

  /** Handles a request and tracks it to its end, even if the client disconnects; does not start after a disconnect. */
  async handle(
    request: FastifyRequest,
    reply: FastifyReply,
    respond: (tracked: TrackedRequest) => Promise<void>,
  ): Promise<unknown> {
    const { tracked } = request;
    if (!tracked || tracked.hasEnded) return reply.hijack();
    const responded = respond(tracked).catch((error: unknown) => {
      tracked.status = toErrorResponse(error, tracked.id).status;
      throw error;
    });
    await tracked.track(responded);
    return reply;
  }

  /** Closes keep-alive connections during shutdown. */
  beforeSending(reply: FastifyReply): void {
    if (this.#isStopping) void reply.header('connection', 'close');
  }

  /** Sends an error response. */
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return this.#send(reply, this.#toResponse(error, request.tracked ?? request));
  }

  /** Sends the error response of a request that failed before routing. */
  failBeforeRoute(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    void this.#send(reply.headers(this.#headers), this.#toResponse(error, request));
  }

  /** Responds to input that is not HTTP, and closes the connection. */
  failConnection(error: NodeJS.ErrnoException, socket: FastifyRequest['socket']): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable) socket.write(formatClientError(error.code, this.#headers));
    socket.destroySoon();
  }

  #openStream(abort: AbortController): () => void {
    this.#streams.add(abort);
    if (this.#isStopping) abort.abort();
    return () => this.#streams.delete(abort);
  }

  #send(reply: FastifyReply, { status, headers, problem: failure }: ErrorResponse): FastifyReply {
    return reply.code(status).headers(headers).type(problemType).send(JSON.stringify(failure));
  }

  /** Converts an error to a response; logs server errors and counts exceeded limits. */
  #toResponse(
    error: unknown,
    tracked: { readonly id: string; operation?: string; status?: number | undefined },
  ): ErrorResponse {
    const response = toErrorResponse(error, tracked.id);
    tracked.status = response.status;
    if (error instanceof LimitExceeded) this.options.metrics.countRejection(error.limit);
    if (response.isServerError) {
      const { id, operation } = tracked;
      this.options.log.error('request failed', { id, operation, error: errorDetails(error) });
    }
    return response;
  }

  #recordEnd(tracked: TrackedRequest, status: number): void {
    const { metrics, clock, audit } = this.options;
    const now = clock.now();
    metrics.countRequest(tracked.operation, status);
    if (!tracked.isStream) metrics.observeDuration(tracked.operation, now - tracked.startedAt);
    if (tracked.isMutating) audit(auditRecord(tracked, status, now));
  }

  #notFound(url: string): HttpRejection {
    const allow = this.allowedMethods(url.split('?', 1)[0] ?? '');
    if (allow === undefined)
      return new HttpRejection(404, { title: 'Not Found', detail: 'Path not found; see /openapi.json.' });
    const detail = `This path supports ${allow}.`;
    return new HttpRejection(405, { title: 'Method Not Allowed', detail }, { allow });
  }
}

const stopping = (): HttpRejection =>
  new HttpRejection(
    503,
    { title: 'Service Unavailable', detail: 'This replica is shutting down; retry.', retryAfter: 1 },
    { connection: 'close' },
  );

const isEncoded = ({ headers }: FastifyRequest): boolean =>
  (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';

const unsupportedEncoding = (): HttpRejection =>
  new HttpRejection(415, { title: 'Unsupported Media Type', detail: 'Send the body without Content-Encoding.' });

function errorDetails(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\ncaused by ${errorDetails(error.cause)}`;
}
