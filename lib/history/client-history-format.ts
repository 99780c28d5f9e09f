import * as z from 'zod';
import { dateOf, dayOf } from '../capacity';
import {
  boundedShares,
  type ClientDay,
  type ClientShare,
  type ClientSum,
  maxDayShares,
  maxShareEntries,
  sumOfShares,
} from './client-day';
import { type HistoryFormat } from './history-format';

/** Retention in days: a year, and five weeks to compare a season with the one before. */
const maxDays = 400;
/** Days with single clients and violations: two weeks to compare, and the current one. */
const detailedDays = 15;
/** Days whose sources are apart, because they may still count. */
const openDays = 2;

const amount = () => z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const sum = {
  requests: amount(),
  errors: amount().default(0),
  watches: amount().default(0),
  cached: amount().default(0),
  bytes: amount().default(0),
  seatSeconds: amount().default(0),
};
const name = () => z.string().max(400);
const useName = { account: name(), userAgent: name(), verb: name(), resource: name() };
const violation = z.strictObject({
  practice: z.string().max(64),
  ...useName,
  namespace: name(),
  requests: amount(),
  seatSeconds: amount(),
  message: z.string().max(4000),
});
const budget = z.strictObject({
  requestsPerSecond: amount(),
  concurrentRequests: amount(),
  bytesPerSecond: amount(),
});
const share = z.strictObject({
  source: z.string().max(300),
  total: z.strictObject(sum),
  uses: z
    .array(z.strictObject({ ...useName, ...sum }))
    .max(maxShareEntries.uses + 1)
    .default([]),
  budgets: z.record(name(), budget).default({}),
  violations: z.array(violation).max(maxShareEntries.violations).default([]),
});
const schema = z.strictObject({
  clients: z
    .array(z.strictObject({ day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/), shares: z.array(share).max(maxDayShares) }))
    .max(maxDays + 1),
});

/** History of the clients of the API server: their use by day, a ConfigMap for each project. */
export const clientHistory: HistoryFormat<ClientDay> = {
  component: 'client-history',
  key: 'clients.json',
  maxBytes: 200_000,
  read: (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data.clients.map(({ day, shares }) => ({ day: dayOf(day), shares })) : undefined;
  },
  write: (days) => ({
    clients: days.map(({ day, shares }) => ({ day: dateOf(day) ?? '', shares: shares.map(writtenShare) })),
  }),
  merge: mergeClientDays,
  shorten: shortenedDays,
};

/** Returns days of which the oldest tenth of those with clients, violations or budgets of accounts has sums only. */
function shortenedDays(days: readonly ClientDay[]): readonly ClientDay[] | undefined {
  const detailed = days.filter(({ shares }) => shares.some(hasDetails));
  if (detailed.length === 0) return undefined;
  const oldest = new Set(detailed.slice(0, Math.ceil(detailed.length / 10)));
  return days.map((day) => (oldest.has(day) ? { ...day, shares: day.shares.map(withoutDetails) } : day));
}

const hasDetails = ({ uses, violations, budgets }: ClientShare): boolean =>
  uses.length > 0 || violations.length > 0 || Object.keys(budgets).some((account) => account !== '');

const withoutDetails = ({ budgets: { '': project }, ...share }: ClientShare): ClientShare => ({
  ...share,
  uses: [],
  violations: [],
  budgets: project ? { '': project } : {},
});

function writtenShare({ source, total, uses, budgets, violations }: ClientShare): object {
  return {
    source,
    total: writtenSum(total),
    ...(uses.length > 0 && {
      uses: uses.map((use) => {
        const { account, userAgent, verb, resource } = use;
        return { account, userAgent, verb, resource, ...writtenSum(use) };
      }),
    }),
    ...(Object.keys(budgets).length > 0 && {
      budgets: Object.fromEntries(Object.entries(budgets).map(([account, use]) => [account, rounded({ ...use })])),
    }),
    ...(violations.length > 0 && { violations }),
  };
}

/** Amounts of zero are the default. */
const writtenSum = ({ requests, errors, watches, cached, bytes, seatSeconds }: ClientSum): object => ({
  requests: Math.round(requests),
  ...Object.fromEntries(
    Object.entries(rounded({ errors, watches, cached, bytes, seatSeconds })).filter(([, value]) => value > 0),
  ),
});

const rounded = (amounts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([key, value]) => [key, Math.round(value * 1000) / 1000]));

/** Merges days: of two shares of one source, the one that has counted more is kept. Sources of days that are over are summed. */
function mergeClientDays(days: readonly ClientDay[]): readonly ClientDay[] {
  const byDay = new Map<number, Map<string, ClientShare>>();
  for (const { day, shares } of days) {
    const known = byDay.get(day) ?? new Map<string, ClientShare>();
    byDay.set(day, known);
    for (const one of shares) {
      const before = known.get(one.source);
      // What is stored last comes last.
      known.delete(one.source);
      known.set(one.source, before && before.total.requests > one.total.requests ? before : one);
    }
  }
  const newest = Math.max(...byDay.keys());
  return [...byDay]
    .sort(([a], [b]) => a - b)
    .slice(-maxDays)
    .map(([day, shares]) => ({ day, shares: closedShares(day, newest, [...shares.values()]) }));
}

function closedShares(day: number, newest: number, shares: readonly ClientShare[]): readonly ClientShare[] {
  if (day > newest - openDays) return boundedShares(shares);
  // The sum of a day that is over includes all sources; one that comes later may be in it.
  const closed = shares.find(({ source }) => source === '') ?? sumOfShares(shares);
  return [day > newest - detailedDays ? closed : { ...closed, uses: [], violations: [] }];
}
