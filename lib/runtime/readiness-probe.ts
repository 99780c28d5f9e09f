import { get } from 'node:http';
import { type Clock } from '../process';

/** Options of a readiness probe. */
export interface ReadinessOptions {
  readonly address: string;
  readonly port: number;
  /** Path with query. */
  readonly path: string;
  /** Milliseconds between the starts of two checks, and timeout of a check. */
  readonly period: number;
  /** Consecutive successes after which an unready app counts as ready. */
  readonly readyAfter: number;
  /** Consecutive failures after which a ready app counts as unready, so that one slow response does not cost traffic. */
  readonly unreadyAfter: number;
  readonly clock: Clock;
}

/** Periodic HTTP check of an app's readiness; as for the kubelet, any status from 200 to 399 is a success. */
export class ReadinessProbe {
  #isReady: boolean | undefined;
  #consecutive = 0;
  #lastResult: boolean | undefined;
  #cancel: () => void = () => undefined;
  #isStopped = false;
  #checkedAt: number;
  /** Checks and failures, for metrics. */
  readonly counts = { checks: 0, failed: 0 };

  constructor(
    private readonly options: ReadinessOptions,
    private readonly onChange: (isReady: boolean, reason: string) => void,
  ) {
    this.#checkedAt = options.clock.now();
  }

  /** Whether the app is ready; undefined before the first decision. */
  get isReady(): boolean | undefined {
    return this.#isReady;
  }

  /** Milliseconds since the last check started; it grows when the probe hangs. */
  get sinceLastCheck(): number {
    return this.options.clock.now() - this.#checkedAt;
  }

  /** Checks at once, and then every period. */
  start(): void {
    const { clock, period } = this.options;
    this.#checkedAt = clock.now();
    void this.#request().then((failure) => {
      if (this.#isStopped) return;
      this.#record(failure);
      this.#cancel = clock.after(Math.max(0, period - this.sinceLastCheck), () => this.start());
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #record(failure: string | undefined): void {
    const isSuccess = failure === undefined;
    this.counts.checks += 1;
    if (!isSuccess) this.counts.failed += 1;
    this.#consecutive = isSuccess === this.#lastResult ? this.#consecutive + 1 : 1;
    this.#lastResult = isSuccess;
    const { readyAfter, unreadyAfter } = this.options;
    if (isSuccess === this.#isReady || this.#consecutive < (isSuccess ? readyAfter : unreadyAfter)) return;
    this.#isReady = isSuccess;
    this.onChange(isSuccess, failure ?? 'check succeeded');
  }

  /** Consecutive failures after which the app counts as unready. */
  get unreadyAfter(): number {
    return this.options.unreadyAfter;
  }

  /** Checks once and returns the reason of a failure, without changing the state of the probe. */
  check(): Promise<string | undefined> {
    return this.#request();
  }

  /** Resolves with the reason of a failure, or with undefined. */
  #request(): Promise<string | undefined> {
    const { address, port, path, period } = this.options;
    return new Promise((resolve) => {
      const request = get({ host: address, port, path, agent: false, timeout: period }, (response) => {
        const status = response.statusCode ?? 0;
        resolve(status >= 200 && status < 400 ? undefined : `status ${status}`);
        response.destroy();
      });
      const cancelTimeout = this.options.clock.after(period, () => request.destroy(new Error('no response in time')));
      request.once('close', cancelTimeout);
      request.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
    });
  }
}
