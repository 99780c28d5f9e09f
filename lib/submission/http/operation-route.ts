import { type FastifyReply, type FastifyRequest } from 'fastify';
import { operations, type Caller, type Operation, type OperationName } from '../../contract';
import { type Clock } from '../../kube';
import { type SubmissionService } from '../service';
import { calls, type Call } from './calls';
import { EventStream } from './event-stream';
import { type Gate } from './gate';
import { type Limits } from '../../programs';
import { requestReader, type ReadParts } from './read-request';
import { BoundReached } from './turned-away';
import { type About, type Visit } from './visit';
import { within } from './within';

/** What operations need to be answered. */
export interface OperationContext {
  readonly service: SubmissionService;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Has a stop end a stream, until what it returns is called. */
  readonly openStream: (abort: AbortController) => () => void;
  /** JSON of the failure document, for one that comes when a stream has begun; told in the log where it is a fault. */
  readonly failureText: (error: unknown, visit: Visit) => string;
}

/** A call before it is known which operation it is of. */
type AnyCall = (service: SubmissionService, call: object) => Promise<object>;

/** Answers requests of one operation by a caller who is known. */
export function operationAnswer(name: OperationName, context: OperationContext) {
  const operation: Operation = operations[name];
  const read = requestReader(operation);
  const call = calls[name] as AnyCall;
  return async (request: FastifyRequest, reply: FastifyReply, visit: Visit, caller: Caller): Promise<void> => {
    const parts = read(request);
    visit.about = aboutOf(parts);
    const abort = new AbortController();
    const said = { ...parts, caller, signal: abort.signal } satisfies Omit<Call<OperationName>, keyof ReadParts>;
    if (operation.answer.stream) context.gate.takeStream(visit, caller);
    else context.gate.takePlace(visit, caller);
    const work = visit.hold(call(context.service, said));
    const { answerWithin } = context.limits;
    // A stream whose source comes too late is not read by anybody.
    const late = (): Error => {
      abort.abort();
      return new BoundReached('answerWithin', 1_000);
    };
    const answer = await within(work, answerWithin, context.clock, late);
    visit.status = operation.answer.status;
    if (operation.answer.stream)
      return stream(answer as AsyncIterable<object>, operation, reply, visit, abort, context);
    if (operation.idempotent && 'id' in answer) visit.about = { ...visit.about, deployment: String(answer.id) };
    void reply.code(operation.answer.status).type('application/json; charset=utf-8').send(JSON.stringify(answer));
  };
}

async function stream(
  source: AsyncIterable<object>,
  operation: Operation,
  reply: FastifyReply,
  visit: Visit,
  abort: AbortController,
  { clock, limits, openStream, failureText }: OperationContext,
): Promise<void> {
  const headers = reply.getHeaders();
  reply.hijack();
  const response = reply.raw;
  visit.becomeStream();
  if (response.destroyed) abort.abort();
  response.once('close', () => abort.abort());
  const close = openStream(abort);
  const events = new EventStream({
    response,
    headers,
    abort,
    clock,
    times: limits,
    failureText: (error) => failureText(error, visit),
    resumes: operation.resumes ?? false,
  });
  await visit.hold(events.send(source)).finally(close);
}

/** What a well-formed request is about: names alone, and the reason of a break-glass, which is told on purpose. */
function aboutOf({ params, body }: ReadParts): About {
  const said = { ...(params as object | undefined), ...(body as object | undefined) } as Readonly<
    Record<string, string>
  >;
  const { artifact, id, project = artifact?.split('/', 1)[0], workflow, stage, version, breakGlass } = said;
  const about = { project, workflow, artifact, stage, version, breakGlass, deployment: id };
  return Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined));
}
