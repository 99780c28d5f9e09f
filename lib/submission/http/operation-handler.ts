import { type FastifyReply, type FastifyRequest } from 'fastify';
import { operations, type Caller, type Operation, type OperationName } from '../../contract';
import { type Clock } from '../../kube';
import { type SubmissionService } from '../service';
import { calls, type Call } from './operation-calls';
import { EventStream } from './event-stream';
import { type RequestGuard } from './request-guard';
import { type Limits } from '../../programs';
import { createRequestParser, type ParsedRequest } from './request-parser';
import { LimitExceeded } from './http-rejection';
import { type AuditSubject, type TrackedRequest } from './tracked-request';
import { withDeadline } from './with-deadline';

/** Dependencies of operation handlers. */
export interface OperationContext {
  readonly service: SubmissionService;
  readonly guard: RequestGuard;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Registers a stream to abort on shutdown; returns a function that unregisters it. */
  readonly openStream: (abort: AbortController) => () => void;
  /** Returns the problem document of an error in an open stream; logs server errors. */
  readonly errorText: (error: unknown, tracked: TrackedRequest) => string;
}

/** Call of any operation. */
type AnyCall = (service: SubmissionService, call: object) => Promise<object>;

/** Creates the handler of authenticated requests of an operation. */
export function createOperationHandler(name: OperationName, context: OperationContext) {
  const operation: Operation = operations[name];
  const parse = createRequestParser(operation);
  const call = calls[name] as AnyCall;
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    tracked: TrackedRequest,
    caller: Caller,
  ): Promise<void> => {
    const parsed = parse(request);
    tracked.auditSubject = auditSubjectOf(parsed);
    const abort = new AbortController();
    const input = { ...parsed, caller, signal: abort.signal } satisfies Omit<Call<OperationName>, keyof ParsedRequest>;
    if (operation.response.stream) context.guard.limitStreams(tracked, caller, streamProjects(context, caller, parsed));
    else context.guard.limitConcurrency(tracked, caller);
    const work = tracked.track(call(context.service, input));
    const { responseTimeoutMs } = context.limits;
    // Stops the source of a stream that was never sent.
    const timeoutError = (): Error => {
      abort.abort();
      return new LimitExceeded('responseTimeoutMs', 1_000);
    };
    const result = await withDeadline(work, responseTimeoutMs, context.clock, timeoutError);
    tracked.status = operation.response.status;
    if (operation.response.stream)
      return stream(result as AsyncIterable<object>, operation, reply, tracked, abort, context);
    if (operation.idempotent && 'id' in result)
      tracked.auditSubject = { ...tracked.auditSubject, deployment: String(result.id) };
    void reply.code(operation.response.status).type('application/json; charset=utf-8').send(JSON.stringify(result));
  };
}

/** Returns the projects in which a stream may count: the requested one if the caller is a member, or all of the caller. */
function streamProjects({ service }: OperationContext, caller: Caller, { query }: ParsedRequest): readonly string[] {
  const all = service.projectsOf(caller);
  const requested = (query as { readonly project?: string } | undefined)?.project;
  return requested !== undefined && all.includes(requested) ? [requested] : all;
}

async function stream(
  source: AsyncIterable<object>,
  operation: Operation,
  reply: FastifyReply,
  tracked: TrackedRequest,
  abort: AbortController,
  { clock, limits, openStream, errorText }: OperationContext,
): Promise<void> {
  const headers = reply.getHeaders();
  reply.hijack();
  const response = reply.raw;
  tracked.becomeStream();
  if (response.destroyed) abort.abort();
  response.once('close', () => abort.abort());
  const close = openStream(abort);
  const events = new EventStream({
    response,
    headers,
    abort,
    clock,
    timeouts: limits,
    errorText: (error) => errorText(error, tracked),
    resumes: operation.resumes ?? false,
  });
  await tracked.track(events.send(source)).finally(close);
}

/** Returns the names in a valid request for the audit log, and the reason of a break-glass. */
function auditSubjectOf({ params, body }: ParsedRequest): AuditSubject {
  const fields = { ...(params as object | undefined), ...(body as object | undefined) } as Readonly<
    Record<string, string>
  >;
  const { artifact, id, project = artifact?.split('/', 1)[0], workflow, stage, version, breakGlass } = fields;
  const about = { project, workflow, artifact, stage, version, breakGlass, deployment: id };
  return Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined));
}
