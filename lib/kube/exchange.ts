import { type ClientRequest, type IncomingMessage } from 'node:http';
import { whenAborted } from './abort';
import { type ApiError } from './api-error';
import { type Clock } from './clock';
import { whenConnected } from './connected';
import { readLines, readText } from './read-answer';
import { unreachable, type WireAnswer, type WireRequest } from './wire';

/** One request on its way: it ends with the answer, or with the first reason why none comes. */
export class Exchange {
  /** Rejected with an `ApiError`, or with what `onLine` threw. */
  readonly answer: Promise<WireAnswer>;
  #verdict: ApiError | undefined;
  #staleness: ApiError | undefined;

  constructor(
    private readonly request: ClientRequest,
    private readonly wire: WireRequest,
    clock: Clock,
  ) {
    const { signal, timeout } = wire;
    const stopTimer = clock.after(timeout, () => this.fail(unreachable(wire, `no answer within ${timeout} ms`)));
    const release = whenAborted(signal, (error) => this.fail(error));
    this.answer = this.#answered(stopTimer).finally(() => {
      stopTimer();
      release();
    });
    whenConnected(request, () => this.#send());
  }

  /** Ends it; the first reason counts. */
  fail(error: ApiError): void {
    this.#verdict ??= error;
    this.request.destroy();
  }

  /** Whether it failed with this error because the kept connection that it was given was dead before it was of use. */
  isStale(error: unknown): boolean {
    return error !== undefined && error === this.#staleness;
  }

  #answered(stopTimer: () => void): Promise<WireAnswer> {
    const { request, wire } = this;
    let begun = false;
    return new Promise((resolve, reject) => {
      request.once('response', (response) => {
        begun = true;
        if (wire.onLine && isSuccess(response)) stopTimer();
        take(wire, response).then(resolve, (error: unknown) => {
          request.destroy();
          reject(this.#verdict ?? error);
        });
      });
      request.on('error', (cause) => {
        const error = this.#verdict ?? unreachable(wire, cause.message, cause);
        if (!this.#verdict && !begun && request.reusedSocket) this.#staleness ??= error;
        reject(error);
      });
    });
  }

  /** A process may be held while it connects: what it was entitled to before, it need not be after. */
  #send(): void {
    try {
      this.wire.check?.();
      this.request.end(this.wire.body);
    } catch (error) {
      this.fail(error as ApiError);
    }
  }
}

async function take(wire: WireRequest, response: IncomingMessage): Promise<WireAnswer> {
  const { statusCode: status = 0, headers } = response;
  wire.onHead?.(status);
  const broken = (what: string, cause?: Error): ApiError => unreachable(wire, what, cause);
  if (!wire.onLine || !isSuccess(response)) return { status, headers, text: await readText(response, broken) };
  await readLines(response, wire.onLine, broken);
  return { status, headers, text: '' };
}

const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;
