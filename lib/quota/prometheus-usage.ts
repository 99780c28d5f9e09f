import * as z from 'zod';
import { parseQuantity, type Quantity } from '../api';
import { fetchText, ExternalRequestError } from './fetch-text';
import { usageQueries, type UsageQuery } from './prometheus-queries';
import { measureOf } from './sensible-quantity';
import { joinedDays, type DayUsage, type Usage } from './usage';

/** Connection and range of a Prometheus import. */
export interface PrometheusOptions {
  /** Its URL, without `/api/v1`; may hold secrets and is never shown. */
  readonly url: URL;
  /** Bearer token. @default - none */
  readonly token?: string;
  /** Days before the last one to query. */
  readonly days: number;
  /** The last day, counted from 1970. */
  readonly last: number;
  /** Extended resources, such as `nvidia.com/gpu`. @default - none */
  readonly extended?: readonly string[];
  /** Timeout of one query in milliseconds. @default 60000 */
  readonly timeout?: number;
}

const secondsPerDay = 86_400;
/** Days per query: few, so that a server with a large cluster stays below its sample limit. */
const daysAtOnce = 7;
/** Resolution of the values whose maximum is the peak. */
const step = '5m';
const maxBytes = 64 * 1024 * 1024;

const responseSchema = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.literal('matrix'),
    result: z.array(
      z.object({
        metric: z.object({ namespace: z.string().optional() }),
        values: z.array(z.tuple([z.number(), z.string()])),
      }),
    ),
  }),
});

/**
 * Reads daily peaks by namespace from range queries: for each UTC day, the highest of its five-minute values.
 *
 * Queries run one at a time, a week each. Throws an `ExternalRequestError` if the server does not respond, rejects the query, or
 * does not respond with a matrix; a resource that it does not know is skipped.
 */
export async function prometheusUsage(options: PrometheusOptions): Promise<Usage> {
  const found = new Map<string, DayUsage[]>();
  for (const query of usageQueries(options.extended)) {
    for (let end = options.last; end > options.last - options.days; end -= daysAtOnce) {
      const first = Math.max(end - daysAtOnce + 1, options.last - options.days + 1);
      for (const { namespace, day, amount } of await queryPoints(query, first, end, options)) {
        const peak = { [query.resource]: amount };
        const isRequested = query.type === 'requested';
        const days = found.get(namespace) ?? [];
        days.push({ day, peaks: isRequested ? peak : {}, consumed: isRequested ? {} : peak });
        found.set(namespace, days);
      }
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, days]) => [name, joinedDays(days)]));
}

interface Point {
  readonly namespace: string;
  readonly day: number;
  readonly amount: Quantity;
}

async function queryPoints(
  query: UsageQuery,
  first: number,
  last: number,
  options: PrometheusOptions,
): Promise<Point[]> {
  const { token, timeout = 60_000 } = options;
  const url = new URL(options.url);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v1/query_range`;
  // Evaluated in the last second of a day, a subquery of one day covers that day from midnight on.
  const at = (day: number): string => String((day + 1) * secondsPerDay - 1);
  const body = new URLSearchParams({
    query: `max_over_time((${query.expression})[1d:${step}])`,
    start: at(first),
    end: at(last),
    step: String(secondsPerDay),
    timeout: `${Math.ceil(timeout / 1000)}s`,
  });
  const text = await fetchText({
    method: 'POST',
    url,
    server: 'Prometheus',
    body: body.toString(),
    contentType: 'application/x-www-form-urlencoded',
    timeout,
    maxBytes,
    ...(token !== undefined && { token }),
  });
  return pointsIn(text, query.resource);
}

function pointsIn(text: string, resource: string): Point[] {
  const parsed = responseSchema.safeParse(json(text));
  if (!parsed.success) throw new ExternalRequestError('Prometheus did not respond with a matrix of values');
  return parsed.data.data.result.flatMap(({ metric: { namespace }, values }) =>
    values.flatMap(([time, value]): Point[] => {
      const amount = quantityOf(value, resource);
      return namespace === undefined || !amount ? [] : [{ namespace, day: Math.floor(time / secondsPerDay), amount }];
    }),
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a sample as a quantity, rounded up to a thousandth; undefined if it is not an amount. */
function quantityOf(value: string, resource: string): Quantity | undefined {
  const number = Number(value);
  if (!Number.isFinite(number) || number < 0) return undefined;
  const amount = parseQuantity(`${Math.ceil(number * 1000 - 1e-6)}m`);
  const isBytes = resource === 'memory' || measureOf(resource) === 'bytes';
  return amount && (isBytes ? { ...amount, format: 'BinarySI' } : amount);
}
