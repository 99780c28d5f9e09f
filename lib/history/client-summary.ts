import {
  addClientSums,
  type ClientDay,
  type ClientSum,
  type ClientUse,
  type ClientViolation,
  largestUses,
  maxShareEntries,
  sumOfShares,
  zeroClientSum,
} from './client-day';

/** Daily average of a week, and how it differs from that of the week before. */
export interface ClientTrend extends ClientSum {
  /** Growth of the requests and the cost: 0.5 is half as much again; undefined without a week before, or if it had none. */
  readonly requestGrowth: number | undefined;
  readonly costGrowth: number | undefined;
}

/** Program of an account in the last week. */
export interface ClientSummary extends ClientTrend {
  readonly account: string;
  readonly userAgent: string;
  /** Verb and resource that cost the most. */
  readonly mostly: string;
}

/** Clients of a project in the last week. */
export interface ProjectClients {
  /** Empty for accounts without a project. */
  readonly project: string;
  readonly total: ClientTrend;
  /** By falling cost. */
  readonly clients: readonly ClientSummary[];
  /** Violations of the last two days, by falling cost. */
  readonly violations: readonly ClientViolation[];
}

const week = 7;
/** Days of which violations are current: yesterday may have ended a moment ago. */
const currentDays = 2;

/** Summarizes the week that ends with a day, counted from 1970. */
export function summarizeClients(project: string, days: readonly ClientDay[], today: number): ProjectClients {
  const past = days.filter(({ day }) => day <= today);
  const first = Math.min(...past.map(({ day }) => day));
  const within = (from: number, to: number) =>
    past.filter(({ day }) => day > from && day <= to).map(({ shares }) => sumOfShares(shares));
  const current = within(today - week, today);
  const before = first <= today - 2 * week + 1 ? within(today - 2 * week, today - week) : undefined;
  const length = Math.min(week, Math.max(1, today - first + 1));
  const total = (shares: typeof current) => shares.map((share) => share.total).reduce(addClientSums, zeroClientSum());
  const earlier = before && byClient(before.flatMap(({ uses }) => uses));
  const clients = [...byClient(current.flatMap(({ uses }) => uses))].map(([key, uses]): ClientSummary => {
    const [{ account, userAgent, verb, resource }] = largestUses(uses, uses.length) as [ClientUse];
    const sum = uses.reduce(addClientSums, zeroClientSum());
    const previous = earlier && (earlier.get(key) ?? []).reduce(addClientSums, zeroClientSum());
    return { account, userAgent, mostly: `${verb} ${resource}`, ...trendBetween(sum, previous, length) };
  });
  return {
    project,
    total: trendBetween(total(current), before && total(before), length),
    clients: clients.sort((a, b) => b.seatSeconds - a.seatSeconds || b.requests - a.requests),
    violations: currentViolations(within(today - currentDays, today).flatMap(({ violations }) => violations)),
  };
}

/** Groups uses by account and program. */
function byClient(uses: readonly ClientUse[]): ReadonlyMap<string, readonly ClientUse[]> {
  const groups = new Map<string, ClientUse[]>();
  for (const use of uses) {
    const key = `${use.account}\u0000${use.userAgent}`;
    const group = groups.get(key);
    if (group) group.push(use);
    else groups.set(key, [use]);
  }
  return groups;
}

function trendBetween(sum: ClientSum, before: ClientSum | undefined, days: number): ClientTrend {
  const growth = (now: number, then: number | undefined): number | undefined =>
    then === undefined || then === 0 ? undefined : now / then - 1;
  return {
    requests: sum.requests / days,
    errors: sum.errors / days,
    watches: sum.watches / days,
    cached: sum.cached / days,
    bytes: sum.bytes / days,
    seatSeconds: sum.seatSeconds / days,
    requestGrowth: growth(sum.requests, before?.requests),
    costGrowth: growth(sum.seatSeconds, before?.seatSeconds),
  };
}

/** Of several days, a violation is listed once, as it is last. */
function currentViolations(violations: readonly ClientViolation[]): readonly ClientViolation[] {
  const last = new Map(
    violations.map((one) => [
      [one.practice, one.account, one.userAgent, one.verb, one.resource, one.namespace].join('\u0000'),
      one,
    ]),
  );
  return [...last.values()].sort((a, b) => b.seatSeconds - a.seatSeconds).slice(0, maxShareEntries.violations);
}
