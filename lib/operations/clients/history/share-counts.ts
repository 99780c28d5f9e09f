import {
  addClientSums,
  type ClientShare,
  type ClientSum,
  type ClientUse,
  type ClientUseName,
  clientUseKey,
  type ClientViolation,
  emptyShare,
  largerBudgetUse,
  largestBudgets,
  largestUses,
  maxShareEntries,
  otherClient,
  zeroClientSum,
} from '../../../history';
import { PeakMeter } from './peak-meter';

/** Maximum uses and accounts that are counted by name. */
const [maxUses, maxAccounts] = [200, 50];
const other: ClientUseName = {
  account: otherClient,
  userAgent: otherClient,
  verb: otherClient,
  resource: otherClient,
};

/** What one source counts of a project on one day, in addition to what it stored before it started. */
export class ShareCounts {
  /** Share that an earlier process stored; undefined until the history was read. */
  private base: ClientShare | undefined;
  private total = zeroClientSum();
  private readonly uses = new Map<string, ClientUse>();
  private readonly meters = new Map<string, PeakMeter>();
  private readonly violations = new Map<string, ClientViolation>();
  /** Whether there is something that is not stored. */
  isChanged = false;

  constructor(
    readonly project: string,
    readonly day: number,
    readonly source: string,
  ) {}

  /** Adds requests of a client. */
  add(name: ClientUseName, sum: ClientSum): void {
    this.isChanged = true;
    this.total = addClientSums(this.total, sum);
    const isKnown = this.uses.has(clientUseKey(name)) || this.uses.size < maxUses;
    const { account, userAgent, verb, resource } = isKnown ? name : other;
    const named = { account, userAgent, verb, resource };
    const before = this.uses.get(clientUseKey(named)) ?? zeroClientSum();
    this.uses.set(clientUseKey(named), { ...named, ...addClientSums(before, sum) });
  }

  /** Returns the meter of a service account, or with an empty name that of the project; undefined for one too many. */
  meterOf(account: string): PeakMeter | undefined {
    const known = this.meters.get(account);
    if (known || (account !== '' && this.meters.size > maxAccounts)) return known;
    const meter = new PeakMeter();
    this.meters.set(account, meter);
    return meter;
  }

  /** Notes a violation; it replaces an earlier one of the same client and practice. */
  addViolation(violation: ClientViolation): void {
    const key = [violation.practice, clientUseKey(violation), violation.namespace].join('\u0000');
    const known = this.violations.get(key);
    if (known && known.requests === violation.requests) return;
    if (!known && this.violations.size >= maxShareEntries.violations) return;
    this.isChanged = true;
    this.violations.set(key, violation);
  }

  /** Continues with the share that an earlier process of this source stored; only the first call counts. */
  continueFrom(stored: ClientShare | undefined): void {
    this.base ??= stored ?? emptyShare(this.source);
  }

  /** Returns what was stored before and counted since. */
  share(): ClientShare {
    const base = this.base ?? emptyShare(this.source);
    const budgets = new Map(Object.entries(base.budgets));
    for (const [account, { peak }] of this.meters) {
      const before = budgets.get(account);
      budgets.set(account, before ? largerBudgetUse(before, peak) : peak);
    }
    const current = [...this.violations.values()];
    const isCurrent = (one: ClientViolation): boolean =>
      current.some((other) => other.practice === one.practice && clientUseKey(other) === clientUseKey(one));
    const earlier = base.violations.filter((one) => !isCurrent(one));
    return {
      source: this.source,
      total: addClientSums(base.total, this.total),
      uses: largestUses([...base.uses, ...this.uses.values()]),
      budgets: Object.fromEntries(largestBudgets([...budgets])),
      violations: [...current, ...earlier].slice(0, maxShareEntries.violations),
    };
  }
}
