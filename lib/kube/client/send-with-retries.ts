import { abortedError, onAbort } from '../transport/abort';
import { ApiError } from '../transport/api-error';
import { type ClientMetrics } from './client-metrics';
import { type Clock } from '../../process';
import { errorOf, retryDelay } from './retry';
import { sleep } from './sleep';
import { type TokenBucket } from './token-bucket';
import { type Transport } from '../transport/transport';
import { type WireResponse, type WireRequest } from '../transport/wire';

/** Dependencies of outgoing requests. */
export interface SenderDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  /** @default - no rate limit */
  readonly bucket?: TokenBucket;
  /** @default - none */
  readonly metrics?: ClientMetrics;
  /**
   * Returns whether the client may write; called right before each request other than GET is sent.
   * @default - always true
   */
  readonly mayWrite?: () => boolean;
  /** Aborts waiting requests and requests in flight; its reason is the error. */
  readonly closing: AbortSignal;
}

/** Request of a caller; it is retried when the server's response allows it. */
export type OutgoingRequest = Omit<WireRequest, 'onStatus' | 'check'> & {
  /** Maximum retries. @default - as in client-go */
  readonly retries?: number;
};

/**
 * Sends a request within the rate limit, and retries it after the delay that the server requests; any failure is an
 * `ApiError`.
 */
export async function sendWithRetries(deps: SenderDeps, outgoing: OutgoingRequest): Promise<WireResponse> {
  if (deps.closing.aborted) throw abortedError(deps.closing);
  const ending = new AbortController();
  const end = (error: ApiError): void => ending.abort(error);
  const releases = [onAbort(deps.closing, end), onAbort(outgoing.signal, end)];
  if (outgoing.signal?.aborted) end(abortedError(outgoing.signal));
  try {
    return await sendUntilAccepted(deps, { ...outgoing, signal: ending.signal });
  } finally {
    for (const release of releases) release();
  }
}

async function sendUntilAccepted(deps: SenderDeps, outgoing: OutgoingRequest): Promise<WireResponse> {
  const { transport, clock, metrics } = deps;
  const { retries: maxRetries = Number.POSITIVE_INFINITY } = outgoing;
  const request = { verb: outgoing.method, host: transport.host };
  for (let retries = 0; ; retries++) {
    await awaitRateLimit(deps, outgoing);
    const response = await sendMeasured(deps, outgoing);
    if (response.status < 400) return response;
    const error = errorOf(response, `${outgoing.method} ${outgoing.path}`, clock.now());
    if (retries >= maxRetries) throw error;
    const delay = retryDelay({ error, retries, repeatable: outgoing.repeatable }, clock.random());
    if (delay === undefined) throw error;
    metrics?.recordRetry(request, `${error.status}`);
    await sleep(clock, delay, outgoing.signal);
  }
}

async function awaitRateLimit(
  { bucket, clock, metrics, transport }: SenderDeps,
  outgoing: OutgoingRequest,
): Promise<void> {
  const { method, signal } = outgoing;
  if (bucket) {
    const start = clock.now();
    await bucket.take(signal);
    metrics?.recordRateLimit({ verb: method, host: transport.host }, (clock.now() - start) / 1000);
  }
  if (signal?.aborted) throw abortedError(signal);
}

/** Throws if the process is no longer the leader; checked last, because the lease may end while a request waits or connects. */
function checkMayWrite({ mayWrite }: SenderDeps, { method, path }: OutgoingRequest): void {
  if (method !== 'GET' && mayWrite?.() === false)
    throw new ApiError(0, 'NotLeading', `${method} ${path}: not sent because this process is not the leader`);
}

async function sendMeasured(deps: SenderDeps, outgoing: OutgoingRequest): Promise<WireResponse> {
  const { transport, clock, metrics } = deps;
  const request = { verb: outgoing.method, host: transport.host };
  const start = clock.now();
  let hasStarted = false;
  const onStatus = (status: number): void => {
    hasStarted = true;
    metrics?.recordResponse(request, `${status}`, (clock.now() - start) / 1000);
  };
  try {
    return await transport.send({ ...outgoing, onStatus, check: () => checkMayWrite(deps, outgoing) });
  } catch (error) {
    if (!hasStarted) metrics?.recordResponse(request, '<error>', (clock.now() - start) / 1000);
    throw error;
  }
}
