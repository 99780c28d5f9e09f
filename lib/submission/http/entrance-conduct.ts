import { type FastifyReply, type FastifyRequest } from 'fastify';
import { auditRecord } from './audit';
import { clientFailure } from './client-failure';
import { type EntranceMetrics } from './entrance-metrics';
import { type EntranceOptions } from './entrance-options';
import { failureOf, problemType, type FailureAnswer } from './failure';
import { Gate } from './gate';
import { type Limits } from '../../programs';
import { type OperationContext } from './operation-route';
import { securityHeaders } from './security-headers';
import { BoundReached, TurnedAway } from './turned-away';
import { Visit } from './visit';

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | undefined;
  }
  interface FastifyContextConfig {
    /** Name of the operation, or path of a handed route. */
    readonly operation?: string;
    /** Whether who asks must be known. */
    readonly needsCaller?: boolean;
    readonly changes?: boolean;
  }
}

/** What requests are conducted by. */
export interface ConductOptions extends EntranceOptions {
  readonly limits: Limits;
  readonly metrics: EntranceMetrics;
}

/** How every request is led through the entrance: counted, identified, answered or refused, and told of at its end. */
export class EntranceConduct {
  readonly gate: Gate;
  readonly context: OperationContext;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #streams = new Set<AbortController>();
  #isStopping = false;

  constructor(
    private readonly options: ConductOptions,
    private readonly allowed: (path: string) => string | undefined,
  ) {
    const { service, identity, clock, limits, origin, isBehindTls = false } = options;
    this.gate = new Gate({ identity, clock, limits, origin });
    this.#headers = securityHeaders(isBehindTls);
    const failureText = (error: unknown, visit: Visit): string => JSON.stringify(this.#told(error, visit).failure);
    this.context = {
      ...{ service, gate: this.gate, clock, limits, failureText },
      openStream: (abort) => this.#openStream(abort),
    };
  }

  /** Whether it lets nobody in any more. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Lets nobody in any more, and ends all streams. */
  stop(): void {
    this.#isStopping = true;
    for (const abort of this.#streams) abort.abort();
  }

  /** Begins a request: throws where it is not let in. */
  async begin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const visit = new Visit(request.id, request.ip, this.options.clock.now(), reply.raw);
    const { operation = 'unknown', needsCaller = false, changes = false } = request.routeOptions.config;
    request.visit = visit;
    visit.operation = operation;
    visit.changes = changes;
    visit.atEnd((status) => this.#ended(visit, status));
    void reply.headers(this.#headers).header('x-request-id', request.id);
    if (this.#isStopping) throw stopping();
    visit.countedUntil(this.gate.enter(visit));
    if (request.is404) throw this.#notServed(request.url);
    if (!needsCaller) return;
    await visit.hold(this.gate.identify(visit, request));
    if (isEncoded(request)) throw encoded();
  }

  /** Answers a request, whose work is told of even where its sender has left. What is not begun by then is not begun. */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    respond: (visit: Visit) => Promise<void>,
  ): Promise<unknown> {
    const { visit } = request;
    if (!visit || visit.isOver) return reply.hijack();
    const answered = respond(visit).catch((error: unknown) => {
      visit.status = failureOf(error, visit.id).status;
      throw error;
    });
    await visit.hold(answered);
    return reply;
  }

  /** Connections that could go on are closed where it stops. */
  beforeSending(reply: FastifyReply): void {
    if (this.#isStopping) void reply.header('connection', 'close');
  }

  /** Answers what went wrong. */
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return this.#send(reply, this.#told(error, request.visit ?? request));
  }

  /** Answers a request that no route was looked for. */
  failBeforeRoute(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    void this.#send(reply.headers(this.#headers), this.#told(error, request));
  }

  /** Answers what is no HTTP, and closes the connection. */
  failConnection(error: NodeJS.ErrnoException, socket: FastifyRequest['socket']): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable) socket.write(clientFailure(error.code, this.#headers));
    socket.destroySoon();
  }

  #openStream(abort: AbortController): () => void {
    this.#streams.add(abort);
    if (this.#isStopping) abort.abort();
    return () => this.#streams.delete(abort);
  }

  #send(reply: FastifyReply, { status, headers, failure }: FailureAnswer): FastifyReply {
    return reply.code(status).headers(headers).type(problemType).send(JSON.stringify(failure));
  }

  /** What is said of an error; a fault is told in the log, and a bound that was reached in the metrics. */
  #told(
    error: unknown,
    visit: { readonly id: string; operation?: string; status?: number | undefined },
  ): FailureAnswer {
    const answer = failureOf(error, visit.id);
    visit.status = answer.status;
    if (error instanceof BoundReached) this.options.metrics.refused(error.bound);
    if (answer.isFault) {
      const { id, operation } = visit;
      this.options.log.error('a request failed', { id, operation, error: faultText(error) });
    }
    return answer;
  }

  #ended(visit: Visit, status: number): void {
    const { metrics, clock, audit } = this.options;
    const now = clock.now();
    metrics.ended(visit.operation, status);
    if (!visit.isStream) metrics.took(visit.operation, now - visit.beganAt);
    if (visit.changes) audit(auditRecord(visit, status, now));
  }

  #notServed(url: string): TurnedAway {
    const allow = this.allowed(url.split('?', 1)[0] ?? '');
    if (allow === undefined)
      return new TurnedAway(404, { title: 'Not Found', detail: 'There is no such path; /openapi.json has all.' });
    const detail = `This path is served by ${allow} alone.`;
    return new TurnedAway(405, { title: 'Method Not Allowed', detail }, { allow });
  }
}

const stopping = (): TurnedAway =>
  new TurnedAway(
    503,
    { title: 'Service Unavailable', detail: 'This process of the service stops; ask again.', retryAfter: 1 },
    { connection: 'close' },
  );

const isEncoded = ({ headers }: FastifyRequest): boolean =>
  (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';

const encoded = (): TurnedAway =>
  new TurnedAway(415, { title: 'Unsupported Media Type', detail: 'Send the body without a Content-Encoding.' });

function faultText(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${faultText(error.cause)}`;
}
