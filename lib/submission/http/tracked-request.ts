import { type ServerResponse } from 'node:http';
import { type Caller } from '../../contract';

/** Subject of a request in the audit log, from valid fields only. */
export type AuditSubject = Readonly<
  Partial<Record<'project' | 'workflow' | 'artifact' | 'stage' | 'version' | 'deployment' | 'breakGlass', string>>
>;

/** Status of a request whose client disconnected before the response, as in nginx. */
const clientDisconnected = 499;

/** A request with its lifecycle: it ends when its response is closed and its work is done. */
export class TrackedRequest {
  /** Name of the operation, or path of the route. */
  operation = 'unknown';
  isMutating = false;
  caller: Caller | undefined;
  authenticatedBy: 'bearer' | 'session' | undefined;
  auditSubject: AuditSubject = {};
  /** Response status. */
  status: number | undefined;

  #pending = 1;
  #leaveCount: (() => void) | undefined;
  #isStream = false;
  readonly #atEnd: ((status: number) => void)[] = [];

  constructor(
    readonly id: string,
    readonly address: string,
    readonly startedAt: number,
    response: ServerResponse,
  ) {
    response.once('close', () => this.#done());
  }

  /** Extends the request until a promise settles. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#pending += 1;
    const done = (): void => this.#done();
    work.then(done, done);
    return work;
  }

  /** Whether the response is a stream. */
  get isStream(): boolean {
    return this.#isStream;
  }

  /** Whether it has ended. */
  get hasEnded(): boolean {
    return this.#pending === 0;
  }

  /** Sets the callback for when it ends or becomes a stream. */
  onLeave(leave: () => void): void {
    this.#leaveCount = leave;
    this.onEnd(leave);
  }

  /** Marks it as a stream, which does not count as in flight. */
  becomeStream(): void {
    this.#isStream = true;
    this.#leaveCount?.();
  }

  /** Adds a callback for its end. */
  onEnd(callback: (status: number) => void): void {
    this.#atEnd.push(callback);
  }

  #done(): void {
    this.#pending -= 1;
    if (this.#pending > 0) return;
    for (const callback of this.#atEnd) callback(this.status ?? clientDisconnected);
  }
}
