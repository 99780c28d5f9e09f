/** Requests of a client to the API server, through a gateway or not. */
export interface ClientSum {
  readonly requests: number;
  /** Responses with a status of 400 or above. */
  readonly errors: number;
  /** Started watches. */
  readonly watches: number;
  /** Requests that a gateway answered from its cache. */
  readonly cached: number;
  /** Bytes of the responses whose size is known. */
  readonly bytes: number;
  readonly seatSeconds: number;
}

/** Account and program that send requests with one verb to one resource. */
export interface ClientUseName {
  readonly account: string;
  readonly userAgent: string;
  readonly verb: string;
  readonly resource: string;
}

/** Use of the API server by one client. */
export type ClientUse = ClientUseName & ClientSum;

/** Highest use of what an API budget limits. */
export interface BudgetUse {
  readonly requestsPerSecond: number;
  readonly concurrentRequests: number;
  readonly bytesPerSecond: number;
}

/** Practice that a client violated. */
export interface ClientViolation extends ClientUseName {
  readonly practice: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly requests: number;
  readonly seatSeconds: number;
  /** Who did what, how often, what it cost, who is on call, and what to do. */
  readonly message: string;
}

/**
 * Share of one source in a day: an API server, or a gateway. Each source counts for itself, so that several
 * monitors neither overwrite each other nor count anything twice.
 */
export interface ClientShare {
  /** `server/NAME`, `gateway/START/SERVER` of the monitor that reads it, or empty for the sum of a day that is over. */
  readonly source: string;
  readonly total: ClientSum;
  /** The most expensive ones; all others are summed as `other`. */
  readonly uses: readonly ClientUse[];
  /** By service account or user; that of the whole project has an empty name. */
  readonly budgets: Readonly<Record<string, BudgetUse>>;
  readonly violations: readonly ClientViolation[];
}

/** Use of the API server by the clients of one project on one day. */
export interface ClientDay {
  /** Day in UTC, counted from 1970. */
  readonly day: number;
  readonly shares: readonly ClientShare[];
}

/** Number of uses, accounts with budgets, and violations of a share. */
export const maxShareEntries = { uses: 20, budgets: 11, violations: 10 } as const;

/** Name of what is not recorded by its own name. */
export const otherClient = 'other';

/** Returns the sum of nothing. */
export const zeroClientSum = (): ClientSum => ({
  requests: 0,
  errors: 0,
  watches: 0,
  cached: 0,
  bytes: 0,
  seatSeconds: 0,
});

/** Adds two sums. */
export const addClientSums = (a: ClientSum, b: ClientSum): ClientSum => ({
  requests: a.requests + b.requests,
  errors: a.errors + b.errors,
  watches: a.watches + b.watches,
  cached: a.cached + b.cached,
  bytes: a.bytes + b.bytes,
  seatSeconds: a.seatSeconds + b.seatSeconds,
});

const other = { account: otherClient, userAgent: otherClient, verb: otherClient, resource: otherClient };

/** Returns the key of a use, to group by. */
export const clientUseKey = ({ account, userAgent, verb, resource }: ClientUseName): string =>
  [account, userAgent, verb, resource].join('\u0000');

/** Sums uses by name and returns the most expensive ones; the rest is summed as `other`. */
export function largestUses(uses: readonly ClientUse[], max: number = maxShareEntries.uses): readonly ClientUse[] {
  const sums = new Map<string, ClientUse>();
  for (const use of uses) {
    const known = sums.get(clientUseKey(use));
    sums.set(clientUseKey(use), known ? { ...known, ...addClientSums(known, use) } : use);
  }
  const named = [...sums.values()].filter(({ account, verb }) => account !== otherClient || verb !== otherClient);
  const sorted = named.sort((a, b) => b.seatSeconds - a.seatSeconds || b.requests - a.requests);
  const rest = [...sorted.slice(max), ...[...sums.values()].filter((use) => !named.includes(use))];
  const remainder = rest.reduce(addClientSums, zeroClientSum());
  return [...sorted.slice(0, max), ...(remainder.requests > 0 ? [{ ...other, ...remainder }] : [])];
}

const addBudgetUse = (a: BudgetUse, b: BudgetUse): BudgetUse => ({
  requestsPerSecond: a.requestsPerSecond + b.requestsPerSecond,
  concurrentRequests: a.concurrentRequests + b.concurrentRequests,
  bytesPerSecond: a.bytesPerSecond + b.bytesPerSecond,
});

/** Returns the larger of each amount. */
export const largerBudgetUse = (a: BudgetUse, b: BudgetUse): BudgetUse => ({
  requestsPerSecond: Math.max(a.requestsPerSecond, b.requestsPerSecond),
  concurrentRequests: Math.max(a.concurrentRequests, b.concurrentRequests),
  bytesPerSecond: Math.max(a.bytesPerSecond, b.bytesPerSecond),
});

function mergeBudgets(
  shares: readonly ClientShare[],
  merge: (a: BudgetUse, b: BudgetUse) => BudgetUse,
): Readonly<Record<string, BudgetUse>> {
  const merged = new Map<string, BudgetUse>();
  for (const { budgets } of shares)
    for (const [account, use] of Object.entries(budgets)) {
      const known = merged.get(account);
      merged.set(account, known ? merge(known, use) : use);
    }
  return Object.fromEntries(largestBudgets([...merged]));
}

/** Returns the project's budget use, and that of the accounts that send the most. */
export const largestBudgets = (
  entries: readonly (readonly [string, BudgetUse])[],
): readonly (readonly [string, BudgetUse])[] =>
  [...entries]
    .sort(([a, one], [b, two]) => Number(b === '') - Number(a === '') || two.requestsPerSecond - one.requestsPerSecond)
    .slice(0, maxShareEntries.budgets);

const gatewayPrefix = 'gateway/';

/** Several monitors may read one gateway, of which each sees the same. */
function largestPerGateway(shares: readonly ClientShare[]): readonly ClientShare[] {
  const largest = new Map<string, ClientShare>();
  for (const share of shares) {
    const [, gateway = ''] = share.source.split('/');
    const known = largest.get(gateway);
    if (!known || share.total.requests > known.total.requests) largest.set(gateway, share);
  }
  return [...largest.values()];
}

/**
 * Sums the shares of a day. Each gateway has the whole budget, so that the most that one of them needs counts; requests to
 * the API servers would come through any gateway, so that their sum is added.
 */
export function sumOfShares(stored: readonly ClientShare[]): ClientShare {
  const [only] = stored;
  if (only && stored.length === 1) return { ...only, source: '' };
  const servers = stored.filter(({ source }) => !source.startsWith(gatewayPrefix));
  const gateways = largestPerGateway(stored.filter(({ source }) => source.startsWith(gatewayPrefix)));
  const shares = [...servers, ...gateways];
  const most = { ...emptyShare(''), budgets: mergeBudgets(gateways, largerBudgetUse) };
  return {
    source: '',
    total: shares.map(({ total }) => total).reduce(addClientSums, zeroClientSum()),
    uses: largestUses(shares.flatMap(({ uses }) => uses)),
    budgets: mergeBudgets([...servers, most], addBudgetUse),
    violations: shares
      .flatMap(({ violations }) => violations)
      .sort((a, b) => b.seatSeconds - a.seatSeconds)
      .slice(0, maxShareEntries.violations),
  };
}

/** Maximum shares of a day. */
export const maxDayShares = 200;

/**
 * Sums the first shares of a day if there are too many. They come in the order in which they were stored last, so that
 * the sums have those of sources that are gone, such as gateways that have restarted.
 */
export function boundedShares(shares: readonly ClientShare[]): readonly ClientShare[] {
  if (shares.length <= maxDayShares) return shares;
  const first = shares.length - maxDayShares + 2;
  const rest = shares.slice(0, first);
  const isGateway = ({ source }: ClientShare): boolean => source.startsWith(gatewayPrefix);
  const sums = (['server/', gatewayPrefix] as const).flatMap((prefix) => {
    const found = rest.filter((one) => isGateway(one) === (prefix === gatewayPrefix));
    return found.length === 0 ? [] : [{ ...sumOfShares(found), source: `${prefix}(${otherClient})` }];
  });
  return [...sums, ...shares.slice(first)];
}

/** Returns the share of a source that counted nothing. */
export const emptyShare = (source: string): ClientShare => ({
  source,
  total: zeroClientSum(),
  uses: [],
  budgets: {},
  violations: [],
});
