import { type ClientMetrics } from './client-metrics';
import { type Clock } from './clock';
import { type KubeClient } from './kube-client';
import { LeadTerm } from './lead-term';
import { LeaseClaim } from './lease-claim';
import { pause } from './pause';

/** How a process runs for the lead; durations in milliseconds, names and defaults those of client-go. */
export interface LeaseOptions {
  /** Its `unlimited` connection is used. */
  readonly client: KubeClient;
  readonly namespace: string;
  /** Name of the Lease. */
  readonly name: string;
  /** Who runs: unique for each start of a process, such as its host name with something random. */
  readonly identity: string;
  /** Must not jump: a clock that is set back would lengthen the lead. */
  readonly clock: Clock;
  /** How long others wait after the holder's last sign of life. @default 15000 */
  readonly leaseDuration?: number;
  /** How long a leader leads after the start of its last successful renewal. @default 10000 */
  readonly renewDeadline?: number;
  /** How often is tried. @default 2000 */
  readonly retryPeriod?: number;
  /**
   * Does the leader's work. The signal is raised when the lead ends. The lease is released only after what this
   * returns has settled; a rejection ends the lead and comes out of `done`.
   */
  readonly onLead: (signal: AbortSignal) => void | Promise<void>;
  /** The lead was lost without having been given up. @default - nothing happens */
  readonly onLost?: () => void;
  /** Another holder was seen. @default - nothing happens */
  readonly onHolder?: (identity: string) => void;
  /** An attempt failed; there will be others. @default - nothing happens */
  readonly onError?: (error: unknown) => void;
  /** @default - none */
  readonly metrics?: ClientMetrics;
}

/** One process's run for the lead. */
export interface Election {
  /** Whether this process leads now, by the clock: false from the renew deadline on, whatever timers do. */
  isLeading(): boolean;
  /** Who held the lease when it was last seen; empty where nobody did. */
  holder(): string;
  /** Ends the run; a leader releases the lease once its work has settled, and a successor takes over at once. */
  stop(): Promise<void>;
  /** How the run ended. To run again after a loss, start another. */
  readonly done: Promise<'stopped' | 'lost'>;
}

/** The random part of the wait between attempts to get the lease, as in client-go. */
const jitter = 1.2;

/**
 * Runs for the lead by a Lease, after client-go: others' clocks are not trusted, a lease is over when it has not changed
 * for its duration by one's own clock. Throws a RangeError for durations that could give two leaders.
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
  readonly #term: LeadTerm;
  #isLost = false;

  constructor(private readonly options: LeaseOptions) {
    const { client, namespace, name, identity, clock, metrics, onHolder } = options;
    const { leaseDuration = 15_000, renewDeadline = 10_000, retryPeriod = 2_000 } = options;
    if (!(leaseDuration > renewDeadline && renewDeadline > retryPeriod * jitter && retryPeriod > 0)) {
      throw new RangeError('leaseDuration must exceed renewDeadline, and that 1.2 times retryPeriod');
    }
    this.#clock = clock;
    this.#deadline = renewDeadline;
    this.#period = retryPeriod;
    const claim = { client: client.unlimited, namespace, name, identity, clock, duration: leaseDuration, onHolder };
    this.#claim = new LeaseClaim(claim);
    metrics?.leads(name, false);
    this.#term = new LeadTerm(clock, { change: (leads) => metrics?.leads(name, leads), expiry: () => this.#lose() });
    this.done = this.#run();
  }

  isLeading(): boolean {
    return this.#term.isOn();
  }

  holder(): string {
    return this.#claim.holder;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.done.catch(() => undefined); // whoever awaits `done` hears of it
  }

  async #run(): Promise<'stopped' | 'lost'> {
    const { signal } = this.#stopping;
    while (!signal.aborted && !(await this.#attempt())) {
      await pause(this.#clock, this.#wait(), signal);
    }
    if (signal.aborted) {
      await this.#giveUp(Promise.resolve());
      return 'stopped';
    }
    let failure: { readonly error: unknown } | undefined;
    const work = this.#work((error) => (failure = { error }));
    await this.#renew();
    if (!signal.aborted && this.#isLost) return 'lost';
    await this.#giveUp(work);
    if (failure) throw failure.error;
    return 'stopped';
  }

  /**
   * Milliseconds to the next attempt. Of a lease that another one holds the end is known: it is awaited to the moment,
   * and until then looked at without jitter, for what is seen late ends late.
   */
  #wait(): number {
    const random = this.#clock.random();
    const usual = this.#period * (1 + jitter * random);
    const left = this.#claim.left();
    return left === 0 ? usual : Math.min(this.#period, left + (this.#period / 10) * random);
  }

  /** Does the leader's work; where that fails, the lead ends. */
  async #work(onFailure: (error: unknown) => void): Promise<void> {
    const { signal } = this.#term;
    try {
      await this.options.onLead(signal);
    } catch (error) {
      // Work that was told to end may well end by an error.
      (signal.aborted ? this.options.onError : onFailure)?.(error);
      this.#term.end();
    }
  }

  /** Keeps the lease until the lead ends, whichever way. */
  async #renew(): Promise<void> {
    const over = AbortSignal.any([this.#stopping.signal, this.#term.signal]);
    while (!over.aborted) {
      await pause(this.#clock, this.#period, over);
      if (!over.aborted) await this.#attempt();
      if (!over.aborted && !this.isLeading()) this.#lose();
    }
  }

  /** Tries once to get or keep the lease; a slow answer leaves time for another attempt. */
  async #attempt(): Promise<boolean> {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const takeBack = this.#clock.after(this.#deadline / 2, end);
    this.#term.signal.addEventListener('abort', end);
    try {
      if (this.isLeading() && this.#extend(await this.#claim.renew(ending.signal))) return true;
      return this.#extend(await this.#lookAndTake(ending.signal));
    } catch (error) {
      this.options.onError?.(error);
      return false;
    } finally {
      takeBack();
      this.#term.signal.removeEventListener('abort', end);
    }
  }

  /** Takes the lease where it is free; undefined where it is not. */
  async #lookAndTake(signal: AbortSignal): Promise<number | undefined> {
    const lease = await this.#claim.look(signal);
    if (lease && this.#claim.isAnothers) {
      // Nothing of ours may start any more, even though the deadline is not reached.
      if (this.isLeading()) this.#lose();
      if (this.#claim.left() > 0) return undefined;
    }
    return this.#term.signal.aborted ? undefined : this.#claim.take(lease, signal);
  }

  /** The lease is ours by a request that was sent at a moment; false where it is not, or that was too long ago. */
  #extend(sentAt: number | undefined): boolean {
    return sentAt !== undefined && this.#term.extend(sentAt + this.#deadline);
  }

  #lose(): void {
    if (this.#term.signal.aborted) return;
    this.#isLost = true;
    this.#term.end();
    if (!this.#stopping.signal.aborted) this.options.onLost?.();
  }

  /** Releases the lease when the work has settled; where that takes longer than the lead would have, it is left to expire. */
  async #giveUp(work: Promise<void>): Promise<void> {
    const until = this.#term.until ?? this.#clock.now() + this.#deadline;
    this.#term.end();
    const settled = await this.#within(until - this.#clock.now(), work);
    if (!settled) return;
    const ending = new AbortController();
    const release = this.#claim.release(ending.signal).catch((error: unknown) => this.options.onError?.(error));
    if (!(await this.#within(this.#deadline / 2, release))) ending.abort();
  }

  /** Whether something settles within some milliseconds. */
  #within(milliseconds: number, settling: Promise<void>): Promise<boolean> {
    return new Promise((resolve) => {
      const takeBack = this.#clock.after(Math.max(0, milliseconds), () => resolve(false));
      void settling.then(() => {
        takeBack();
        resolve(true);
      });
    });
  }
}
