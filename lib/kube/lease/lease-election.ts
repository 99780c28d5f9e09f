import { type ClientMetrics } from '../client/client-metrics';
import { completesWithin, delay, type Clock } from '../../process';
import { type KubeClient } from '../client/kube-client';
import { LeadershipTerm } from './leadership-term';
import { LeaseClaim } from './lease-claim';

/** Options of leader election; durations in milliseconds, names and defaults as in client-go. */
export interface LeaseOptions {
  /** Client, of which the election uses `unlimited`. */
  readonly client: KubeClient;
  readonly namespace: string;
  /** Name of the Lease. */
  readonly name: string;
  /** Identity, unique for each start of a process, such as its host name with a random suffix. */
  readonly identity: string;
  /** Monotonic clock: one that is set back would extend the term. */
  readonly clock: Clock;
  /** Time after the last renewal for which others do not take the lease. @default 15000 */
  readonly leaseDuration?: number;
  /** Time after the start of the last successful renewal for which the leader leads. @default 10000 */
  readonly renewDeadline?: number;
  /** Time between attempts. @default 2000 */
  readonly retryPeriod?: number;
  /**
   * Does the leader's work. The signal is aborted when the work must end. The lease is released only after the returned promise
   * has settled; a rejection ends the term and rejects `done`.
   */
  readonly onStartedLeading: (signal: AbortSignal) => void | Promise<void>;
  /** Called when leadership is lost without being released. @default - none */
  readonly onLost?: () => void;
  /** Called when another holder is observed. @default - none */
  readonly onNewLeader?: (identity: string) => void;
  /** Called when an attempt fails; others follow. @default - none */
  readonly onError?: (error: unknown) => void;
  /** @default - none */
  readonly metrics?: ClientMetrics;
}

/** Leader election of one process. */
export interface Election {
  /**
   * Returns whether this process leads, as it does until its work has settled after a stop. Checks the clock: false after
   * the renew deadline, even if timers are late.
   */
  isLeading(): boolean;
  /** Returns the last observed holder of the lease; empty if there is none. */
  holder(): string;
  /** Stops; a leader releases the lease once its work has settled, so that a successor takes over at once. */
  stop(): Promise<void>;
  /** Outcome. After a loss, start another election to compete again. */
  readonly done: Promise<'stopped' | 'lost'>;
}

/** Jitter between attempts to acquire the lease, as in client-go. */
const jitter = 1.2;

/**
 * Competes for leadership with a Lease, as client-go does: a lease expires when it has not changed for its duration by the local
 * clock, because the clocks of others are not trusted. Throws a RangeError for durations that could elect two leaders.
 */
export function runForLease(options: LeaseOptions): Election {
  return new LeaseElection(options);
}

class LeaseElection implements Election {
  readonly done: Promise<'stopped' | 'lost'>;
  readonly #clock: Clock;
  readonly #deadline: number;
  readonly #period: number;
  readonly #stopping = new AbortController();
  readonly #claim: LeaseClaim;
  readonly #term: LeadershipTerm;
  #isLost = false;

  constructor(private readonly options: LeaseOptions) {
    const { client, namespace, name, identity, clock, metrics, onNewLeader } = options;
    const { leaseDuration = 15_000, renewDeadline = 10_000, retryPeriod = 2_000 } = options;
    if (!(leaseDuration > renewDeadline && renewDeadline > retryPeriod * jitter && retryPeriod > 0)) {
      throw new RangeError(
        'leaseDuration must exceed renewDeadline, and renewDeadline must exceed 1.2 times retryPeriod',
      );
    }
    this.#clock = clock;
    this.#deadline = renewDeadline;
    this.#period = retryPeriod;
    const claim = { client: client.unlimited, namespace, name, identity, clock, duration: leaseDuration, onNewLeader };
    this.#claim = new LeaseClaim(claim);
    metrics?.recordLeadership(name, false);
    this.#term = new LeadershipTerm(clock, {
      change: (leads) => metrics?.recordLeadership(name, leads),
      expiry: () => this.#lose(),
    });
    this.done = this.#run();
  }

  isLeading(): boolean {
    return this.#term.isActive();
  }

  holder(): string {
    return this.#claim.holder;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.done.catch(() => undefined); // `done` reports it to its own readers
  }

  async #run(): Promise<'stopped' | 'lost'> {
    const { signal } = this.#stopping;
    while (!signal.aborted && !(await this.#attempt())) {
      await delay(this.#clock, this.#wait(), signal);
    }
    if (signal.aborted) {
      await this.#release(Promise.resolve());
      return 'stopped';
    }
    let failure: { readonly error: unknown } | undefined;
    const work = this.#work((error) => (failure = { error }));
    await this.#renew();
    if (!signal.aborted && this.#isLost) return 'lost';
    await this.#release(work);
    if (failure) throw failure.error;
    return 'stopped';
  }

  /**
   * Returns the milliseconds to the next attempt. A lease of another holder is read without jitter and again at its expiry,
   * because a renewal that is observed late expires late.
   */
  #wait(): number {
    const random = this.#clock.random();
    const interval = this.#period * (1 + jitter * random);
    const remaining = this.#claim.remaining();
    return remaining === 0 ? interval : Math.min(this.#period, remaining + (this.#period / 10) * random);
  }

  /** Does the leader's work; if it fails, the term ends. */
  async #work(onFailure: (error: unknown) => void): Promise<void> {
    const { signal } = this.#term;
    try {
      await this.options.onStartedLeading(signal);
    } catch (error) {
      // Aborted work may fail.
      (signal.aborted ? this.options.onError : onFailure)?.(error);
      this.#term.end();
    }
  }

  /** Renews the lease until the term ends. */
  async #renew(): Promise<void> {
    const ended = AbortSignal.any([this.#stopping.signal, this.#term.signal]);
    while (!ended.aborted) {
      await delay(this.#clock, this.#period, ended);
      if (!ended.aborted) await this.#attempt();
      if (!ended.aborted && !this.isLeading()) this.#lose();
    }
  }

  /** Tries once to acquire or renew the lease, within half the deadline to leave time for another attempt. */
  async #attempt(): Promise<boolean> {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const cancel = this.#clock.after(this.#deadline / 2, end);
    this.#term.signal.addEventListener('abort', end);
    try {
      if (this.isLeading() && this.#extend(await this.#claim.renew(ending.signal))) return true;
      return this.#extend(await this.#acquireIfFree(ending.signal));
    } catch (error) {
      this.options.onError?.(error);
      return false;
    } finally {
      cancel();
      this.#term.signal.removeEventListener('abort', end);
    }
  }

  /** Acquires the lease if it is free; undefined otherwise. */
  async #acquireIfFree(signal: AbortSignal): Promise<number | undefined> {
    const lease = await this.#claim.read(signal);
    if (lease && this.#claim.isHeldByOther) {
      // This process must start no more work, even before its deadline.
      if (this.isLeading()) this.#lose();
      if (this.#claim.remaining() > 0) return undefined;
    }
    return this.#term.signal.aborted ? undefined : this.#claim.acquire(lease, signal);
  }

  /** Extends the term from the time at which the request was sent; returns false if there is none or it is too old. */
  #extend(sentAt: number | undefined): boolean {
    return sentAt !== undefined && this.#term.extend(sentAt + this.#deadline);
  }

  #lose(): void {
    if (this.#term.signal.aborted) return;
    this.#isLost = true;
    this.#term.end();
    if (!this.#stopping.signal.aborted) this.options.onLost?.();
  }

  /** Releases the lease when the work has settled; if that takes longer than the term, the lease expires instead. */
  async #release(work: Promise<void>): Promise<void> {
    const until = this.#term.until ?? this.#clock.now() + this.#deadline;
    this.#term.drain();
    const settled = await completesWithin(this.#clock, Math.max(0, until - this.#clock.now()), work);
    this.#term.end();
    if (!settled) return;
    const ending = new AbortController();
    const release = this.#claim.release(ending.signal).catch((error: unknown) => this.options.onError?.(error));
    if (!(await completesWithin(this.#clock, this.#deadline / 2, release))) ending.abort();
  }
}
