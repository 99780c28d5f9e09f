import { type Clock } from '../../kube';
import { type ApiCaller } from '../identity/api-caller';
import { accountOf } from '../identity/client-account';
import { type ApiStatus } from '../reads/api-status';
import { BudgetMeter } from './budget-meter';
import { exceededBudget, noSeats, tooManyWatches } from './flow-rejection';
import { FairSeats } from './fair-seats';
import { OpenWatches } from './open-watches';
import { RejectionPace } from './rejection-pace';
import {
  apiBudgetsOf,
  type BudgetScope,
  type FlowLevel,
  type FlowPolicyFacts,
  flowLevelOf,
  type ScopedBudget,
} from './flow-policy';
import { type ApiBudget } from './api-budget';

/** Milliseconds between removals of meters that nothing uses. */
const sweepInterval = 60_000;
/** Milliseconds after which a read that is still being sent frees its seats: its client is slow, not the gateway. */
const maxSeatTime = 5_000;

/** Limits of the waiting requests of each level; the wait is that of the API server. */
const waiting = { maxWaiting: 1_000, maxWait: 15_000 };

/** Seats of each level. */
export type LevelSeats = Readonly<Record<FlowLevel, number>>;

const defaultSeats: LevelSeats = { platform: 100, 'on-call': 50, users: 50, workloads: 100 };

/** What flow control works with. */
export interface FlowControlOptions {
  readonly clock: Clock;
  /** Returns the facts as they are known now. */
  readonly facts: () => FlowPolicyFacts;
  /** @default - 100 for workloads and for the platform, 50 for users and for the platform team */
  readonly seats?: LevelSeats;
}

/** Limit that rejected a request. */
export interface FlowRejection {
  readonly scope: BudgetScope | 'level';
  readonly limit: keyof ApiBudget | 'seats' | 'openWatches';
  readonly level: FlowLevel;
  readonly status: ApiStatus;
  /** Milliseconds after which it is answered: the more, the more often its client was rejected. */
  readonly delay: number;
}

/** Read that is in its budgets. */
export interface AdmittedRead {
  /**
   * Charges the bytes that its response will probably have, so that the next read already knows.
   * @param least - bytes that it costs even if its response has fewer; 0 by default
   */
  expect(bytes: number, least?: number): void;
  /**
   * Waits for seats of its level, which the returned function releases; a rejection if there are none in time. They are
   * free again after five seconds.
   */
  seat(seats: number): Promise<(() => void) | FlowRejection>;
  /** Notes that it no longer counts as in progress, though its response may last. */
  free(): void;
  /** Charges the bytes that its response has so far. */
  charge(bytes: number): void;
  /** Notes that it is no longer in progress, and how many bytes its response had; only the first call counts. */
  end(bytes: number): void;
}

/** Holds clients to their budgets, and shares the gateway fairly among those of a level. */
export class FlowControl {
  readonly #meters = new Map<string, BudgetMeter>();
  readonly #watches = new OpenWatches();
  readonly #pace = new RejectionPace();
  readonly #seats: Readonly<Record<FlowLevel, FairSeats>>;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: FlowControlOptions) {
    const { clock, seats = defaultSeats } = options;
    const seatsOf = (level: FlowLevel): FairSeats => new FairSeats({ clock, seats: seats[level], ...waiting });
    this.#seats = {
      platform: seatsOf('platform'),
      'on-call': seatsOf('on-call'),
      users: seatsOf('users'),
      workloads: seatsOf('workloads'),
    };
  }

  /** Seats of each level. */
  get levels(): Readonly<Record<FlowLevel, Pick<FairSeats, 'inUse' | 'waiting'>>> {
    return this.#seats;
  }

  /** Returns an admission that counts against no budget: a budget that reads have used up must not stop a write. */
  admitUncounted(caller: ApiCaller): AdmittedRead {
    return this.#admitted(caller, flowLevelOf(caller, this.options.facts()), []);
  }

  /** Number of projects, accounts and users whose use is known. */
  get meters(): number {
    return this.#meters.size;
  }

  /** Counts a read of a caller against its budgets, or rejects it. */
  admit(caller: ApiCaller): AdmittedRead | FlowRejection {
    const { clock, facts: factsOf } = this.options;
    const facts = factsOf();
    const now = clock.now();
    this.#sweep(now);
    const level = flowLevelOf(caller, facts);
    const budgets = apiBudgetsOf(caller, level, facts);
    const meters = budgets.map(({ key, budget }) => this.#meterOf(key, budget, now));
    const excesses = meters.flatMap((meter, index) => {
      const excess = meter.excessAt(now);
      return excess ? [{ ...excess, ...(budgets[index] as ScopedBudget) }] : [];
    });
    const longest = excesses.sort((a, b) => b.after - a.after)[0];
    if (longest) {
      const { scope, limit, budget } = longest;
      const status = exceededBudget(accountOf(caller), scope, budget, longest);
      return { scope, level, limit, status, delay: this.#pace.delayAt(now, caller.user) };
    }
    for (const meter of meters) meter.begin();
    return this.#admitted(caller, level, budgets);
  }

  /**
   * Counts an open watch of a caller, which the returned function ends, or rejects it. As budgets, it does not bound the
   * platform and its team.
   */
  admitWatch(caller: ApiCaller): (() => void) | FlowRejection {
    const level = flowLevelOf(caller, this.options.facts());
    if (level === 'platform' || level === 'on-call') return () => undefined;
    const account = accountOf(caller);
    const opened = this.#watches.open(account);
    if (typeof opened === 'function') return opened;
    const delay = this.#pace.delayAt(this.options.clock.now(), caller.user);
    return { scope: opened.scope, limit: 'openWatches', level, status: tooManyWatches(account, opened), delay };
  }

  #admitted(caller: ApiCaller, level: FlowLevel, budgets: readonly ScopedBudget[]): AdmittedRead {
    let [isFree, isOver, charged, least] = [false, false, 0, 0];
    const metersAt = (now: number): BudgetMeter[] =>
      // A meter may have been removed, because nothing was in progress any more.
      budgets.map(({ key, budget }) => this.#meters.get(key) ?? this.#meterOf(key, budget, now));
    const charge = (bytes: number): void => {
      const now = this.options.clock.now();
      for (const meter of metersAt(now)) meter.charge(bytes - charged, now);
      charged = bytes;
    };
    const free = (): void => {
      if (isFree) return;
      isFree = true;
      for (const meter of metersAt(this.options.clock.now())) meter.end();
    };
    return {
      expect: (bytes, atLeast = 0) => {
        least = atLeast;
        charge(bytes);
      },
      seat: (seats) => this.#seat(caller, level, seats),
      free,
      charge: (bytes) => {
        if (!isOver) charge(Math.max(least, bytes));
      },
      end: (bytes) => {
        if (isOver) return;
        isOver = true;
        charge(Math.max(least, bytes));
        free();
      },
    };
  }

  async #seat(caller: ApiCaller, level: FlowLevel, seats: number): Promise<(() => void) | FlowRejection> {
    const { project, name } = accountOf(caller);
    const release = await this.#seats[level].acquire([project, name], seats);
    const { clock } = this.options;
    if (!release) {
      const delay = this.#pace.delayAt(clock.now(), caller.user);
      return { scope: 'level', limit: 'seats', level, status: noSeats(level), delay };
    }
    const cancel = clock.after(maxSeatTime, release);
    return () => {
      cancel();
      release();
    };
  }

  #meterOf(key: string, budget: ApiBudget, now: number): BudgetMeter {
    const known = this.#meters.get(key);
    known?.setBudget(budget, now);
    const meter = known ?? new BudgetMeter(budget, now);
    if (!known) this.#meters.set(key, meter);
    return meter;
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < sweepInterval) return;
    this.#sweptAt = now;
    this.#pace.sweep(now);
    for (const [key, meter] of this.#meters) if (meter.isUnusedAt(now)) this.#meters.delete(key);
  }
}
