import { get } from 'node:http';
import { type Clock } from '../kube';

/** How readiness is watched. */
export interface ReadinessOptions {
  readonly address: string;
  readonly port: number;
  /** Path with its query. */
  readonly path: string;
  /** Milliseconds between the beginnings of two questions; a question that takes longer has failed. */
  readonly period: number;
  /** Answers in a row that make an unready app ready. */
  readonly readyAfter: number;
  /** Failures in a row that make a ready app unready: one slow answer is no reason to lose traffic. */
  readonly unreadyAfter: number;
  readonly clock: Clock;
}

/** Asks the app again and again whether it is ready, as the kubelet does: any status from 200 to 399 is yes. */
export class ReadinessWatch {
  #isReady: boolean | undefined;
  #inARow = 0;
  #lastAnswer: boolean | undefined;
  #cancel: () => void = () => undefined;
  #isStopped = false;
  #askedAt: number;
  /** Questions and failures: for metrics. */
  readonly counts = { asked: 0, failed: 0 };

  constructor(
    private readonly options: ReadinessOptions,
    private readonly onVerdict: (isReady: boolean, reason: string) => void,
  ) {
    this.#askedAt = options.clock.now();
  }

  /** The verdict; undefined until there was one. */
  get isReady(): boolean | undefined {
    return this.#isReady;
  }

  /** Milliseconds since the last question: it grows when this watch hangs. */
  get silence(): number {
    return this.options.clock.now() - this.#askedAt;
  }

  /** Asks at once, and then every period. */
  start(): void {
    const { clock, period } = this.options;
    this.#askedAt = clock.now();
    void this.#ask().then((failure) => {
      if (this.#isStopped) return;
      this.#judge(failure);
      this.#cancel = clock.after(Math.max(0, period - this.silence), () => this.start());
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #judge(failure: string | undefined): void {
    const answer = failure === undefined;
    this.counts.asked += 1;
    if (!answer) this.counts.failed += 1;
    this.#inARow = answer === this.#lastAnswer ? this.#inARow + 1 : 1;
    this.#lastAnswer = answer;
    const { readyAfter, unreadyAfter } = this.options;
    if (answer === this.#isReady || this.#inARow < (answer ? readyAfter : unreadyAfter)) return;
    this.#isReady = answer;
    this.onVerdict(answer, failure ?? 'the app answers');
  }

  /** Asks out of turn; the verdict stays as it is. */
  async answersNow(): Promise<boolean> {
    return (await this.#ask()) === undefined;
  }

  /** Resolves with the reason of a failure, undefined where there is none. */
  #ask(): Promise<string | undefined> {
    const { address, port, path, period } = this.options;
    return new Promise((resolve) => {
      const request = get({ host: address, port, path, agent: false, timeout: period }, (response) => {
        const status = response.statusCode ?? 0;
        resolve(status >= 200 && status < 400 ? undefined : `the app answers ${status}`);
        response.destroy();
      });
      const giveUp = this.options.clock.after(period, () => request.destroy(new Error('no answer in time')));
      request.once('close', giveUp);
      request.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
    });
  }
}
