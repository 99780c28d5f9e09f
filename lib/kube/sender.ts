import { abortedError, whenAborted } from './abort';
import { ApiError } from './api-error';
import { type ClientMetrics } from './client-metrics';
import { type Clock } from './clock';
import { errorOf, retryDelay } from './retry';
import { sleep } from './sleep';
import { type TokenBucket } from './token-bucket';
import { type Transport } from './transport';
import { type WireAnswer, type WireRequest } from './wire';

/** What sending leans on. */
export interface SenderParts {
  readonly transport: Transport;
  readonly clock: Clock;
  /** @default - no limit of its own */
  readonly bucket?: TokenBucket;
  /** @default - none */
  readonly metrics?: ClientMetrics;
  /** Asked right before a request that changes something is sent. @default - always true */
  readonly mayWrite?: () => boolean;
  /** Ends all that waits or is under way; its reason is the error. */
  readonly closing: AbortSignal;
}

/** One request of a caller, sent as often as the server's refusals ask for. */
export type Sending = Omit<WireRequest, 'onHead' | 'check'> & {
  /** @default - as often as client-go would */
  readonly retries?: number;
};

/** Sends a request at the client's rate, waits out what the server asks to wait for; any failure is an `ApiError`. */
export async function sendPatiently(parts: SenderParts, sending: Sending): Promise<WireAnswer> {
  if (parts.closing.aborted) throw abortedError(parts.closing);
  const ending = new AbortController();
  const end = (error: ApiError): void => ending.abort(error);
  const releases = [whenAborted(parts.closing, end), whenAborted(sending.signal, end)];
  if (sending.signal?.aborted) end(abortedError(sending.signal));
  try {
    return await sendUntilTaken(parts, { ...sending, signal: ending.signal });
  } finally {
    for (const release of releases) release();
  }
}

async function sendUntilTaken(parts: SenderParts, sending: Sending): Promise<WireAnswer> {
  const { transport, clock, metrics } = parts;
  const { retries: most = Number.POSITIVE_INFINITY } = sending;
  const request = { verb: sending.method, host: transport.host };
  for (let retries = 0; ; retries++) {
    await awaitTurn(parts, sending);
    const answer = await sendMeasured(parts, sending);
    if (answer.status < 400) return answer;
    const error = errorOf(answer, `${sending.method} ${sending.path}`, clock.now());
    if (retries >= most) throw error;
    const delay = retryDelay({ error, retries, repeatable: sending.repeatable }, clock.random());
    if (delay === undefined) throw error;
    metrics?.retried(request, `${error.status}`);
    await sleep(clock, delay, sending.signal);
  }
}

async function awaitTurn({ bucket, clock, metrics, transport }: SenderParts, sending: Sending): Promise<void> {
  const { method, signal } = sending;
  if (bucket) {
    const begun = clock.now();
    await bucket.take(signal);
    metrics?.waited({ verb: method, host: transport.host }, (clock.now() - begun) / 1000);
  }
  if (signal?.aborted) throw abortedError(signal);
}

/** Asked last of all: while a request waited, connected or was tried before, the right to send it may have ended. */
function entitled({ mayWrite }: SenderParts, { method, path }: Sending): void {
  if (method !== 'GET' && mayWrite?.() === false)
    throw new ApiError(0, 'NotLeading', `${method} ${path}: not sent, this process does not lead`);
}

async function sendMeasured(parts: SenderParts, sending: Sending): Promise<WireAnswer> {
  const { transport, clock, metrics } = parts;
  const request = { verb: sending.method, host: transport.host };
  const begun = clock.now();
  let answered = false;
  const onHead = (status: number): void => {
    answered = true;
    metrics?.answered(request, `${status}`, (clock.now() - begun) / 1000);
  };
  try {
    return await transport.send({ ...sending, onHead, check: () => entitled(parts, sending) });
  } catch (error) {
    if (!answered) metrics?.answered(request, '<error>', (clock.now() - begun) / 1000);
    throw error;
  }
}
