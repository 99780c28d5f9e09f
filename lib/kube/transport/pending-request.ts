import { type ClientRequest, type IncomingMessage } from 'node:http';
import { onAbort } from './abort';
import { type ApiError } from './api-error';
import { type Clock } from '../../process';
import { whenConnected } from './connected';
import { readLines, readText } from './read-response';
import { unreachableError, type WireResponse, type WireRequest } from './wire';

/** One request in flight; it ends with the response or with its first failure. */
export class PendingRequest {
  /** Rejects with an `ApiError`, or with an error that `onLine` throws. */
  readonly response: Promise<WireResponse>;
  #failure: ApiError | undefined;
  #staleError: ApiError | undefined;

  constructor(
    private readonly request: ClientRequest,
    private readonly wire: WireRequest,
    clock: Clock,
  ) {
    const { signal, timeout } = wire;
    const stopTimer = clock.after(timeout, () => this.fail(unreachableError(wire, `no response within ${timeout} ms`)));
    const release = onAbort(signal, (error) => this.fail(error));
    this.response = this.#receive(stopTimer).finally(() => {
      stopTimer();
      release();
    });
    whenConnected(request, () => this.#send());
  }

  /** Aborts the request; the first error wins. */
  fail(error: ApiError): void {
    this.#failure ??= error;
    this.request.destroy();
  }

  /** Returns whether it failed with this error because the reused connection was already closed by the server. */
  isStale(error: unknown): boolean {
    return error !== undefined && error === this.#staleError;
  }

  #receive(stopTimer: () => void): Promise<WireResponse> {
    const { request, wire } = this;
    let responded = false;
    return new Promise((resolve, reject) => {
      request.once('response', (response) => {
        responded = true;
        if (wire.onLine && isSuccess(response)) stopTimer();
        readResponse(wire, response).then(resolve, (error: unknown) => {
          request.destroy();
          reject(this.#failure ?? error);
        });
      });
      request.on('error', (cause) => {
        const error = this.#failure ?? unreachableError(wire, cause.message, cause);
        if (!this.#failure && !responded && request.reusedSocket) this.#staleError ??= error;
        reject(error);
      });
    });
  }

  /** Checks again before sending: the process may have lost its lease while the request was connecting. */
  #send(): void {
    try {
      this.wire.check?.();
      this.request.end(this.wire.body);
    } catch (error) {
      this.fail(error as ApiError);
    }
  }
}

async function readResponse(wire: WireRequest, response: IncomingMessage): Promise<WireResponse> {
  const { statusCode: status = 0, headers } = response;
  wire.onStatus?.(status);
  const createError = (message: string, cause?: Error): ApiError => unreachableError(wire, message, cause);
  if (!wire.onLine || !isSuccess(response)) return { status, headers, text: await readText(response, createError) };
  await readLines(response, wire.onLine, createError);
  return { status, headers, text: '' };
}

const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;
