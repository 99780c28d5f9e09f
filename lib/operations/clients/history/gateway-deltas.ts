import { type GatewayFigures, readGatewayFigures } from '../gateway-figures';
import { metricSamples } from '../metric-samples';

/** What clients sent to one gateway since its metrics were last read. */
export interface GatewayDelta {
  /** Start of the process, which identifies it: an address may be that of several gateways. */
  readonly gateway: string;
  /** Seconds since its metrics were last read. */
  readonly seconds: number;
  readonly figures: readonly GatewayFigures[];
}

interface Seen {
  readonly at: number;
  readonly figures: ReadonlyMap<string, GatewayFigures>;
}

/** Maximum gateways that are remembered; a replaced one is never seen again. */
const maxGateways = 100;
const startName = 'process_start_time_seconds';

/** Compares the metrics of gateways with those that were read before. */
export class GatewayDeltas {
  private readonly seen = new Map<string, Seen>();

  /** Returns what changed; undefined for the first metrics of a gateway, and for those that name no start. */
  read(text: string, at: number): GatewayDelta | undefined {
    const [start] = metricSamples(text, new Set([startName]));
    if (!start) return undefined;
    const gateway = start.value.toFixed(3);
    const figures = new Map(readGatewayFigures(text).map((figure) => [keyOf(figure), figure]));
    const before = this.seen.get(gateway);
    this.seen.delete(gateway);
    this.seen.set(gateway, { at, figures });
    const [oldest] = this.seen.keys();
    if (this.seen.size > maxGateways && oldest !== undefined) this.seen.delete(oldest);
    if (!before) return undefined;
    const changes = [...figures].map(([key, figure]) => difference(figure, before.figures.get(key)));
    return { gateway, seconds: (at - before.at) / 1000, figures: changes };
  }
}

const keyOf = ({ account, userAgent, verb, resource, servedFrom }: GatewayFigures): string =>
  [account, userAgent, verb, resource, servedFrom].join('\u0000');

/** Watches that end are counted as requests instead of as open ones in between, so that a difference is never negative. */
function difference(now: GatewayFigures, before: GatewayFigures | undefined): GatewayFigures {
  if (!before) return now;
  const less = (a: number, b: number): number => Math.max(0, a - b);
  return {
    ...now,
    requests: less(now.requests, before.requests),
    sums: {
      ...now.sums,
      errors: less(now.sums.errors, before.sums.errors),
      watches: less(now.sums.watches, before.sums.watches),
      seconds: less(now.sums.seconds, before.sums.seconds),
      cached: less(now.sums.cached, before.sums.cached),
      bytes: less(now.sums.bytes, before.sums.bytes),
    },
  };
}
