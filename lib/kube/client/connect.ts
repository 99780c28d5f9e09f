import { type ClientMetrics } from './client-metrics';
import { type Clock, monotonicClock } from '../../process';
import { type ConnectionSettings } from '../config/connection-settings';
import { HttpKubeClient } from './http-kube-client';
import { type KubeClient } from './kube-client';
import { type Resource } from '../objects/resource';
import { RestMapper } from '../objects/rest-mapper';
import { type SenderDeps } from './send-with-retries';
import { type Rate, TokenBucket } from './token-bucket';
import { Transport } from '../transport/transport';

/** Options of a client. */
export interface ConnectOptions {
  /** @default - the system time, which never goes backwards */
  readonly clock?: Clock;
  /** User agent, which the server's audit log shows, such as `pinion/1.0.0`. */
  readonly userAgent: string;
  /** Field manager of writes, which owns the fields that it applies. @default - the user agent up to its first slash */
  readonly fieldManager?: string;
  /** Resources of the kinds that the client writes, other than built-in ones and those of pinion. @default - none */
  readonly resources?: readonly Resource[];
  /** Client-side rate limit. @default 50 requests per second, burst 100 */
  readonly rate?: Rate;
  /** @default - none */
  readonly metrics?: ClientMetrics;
  /**
   * Whether the client may write; called right before each attempt of a request other than GET, after the rate limiter. If
   * it returns false, the request fails with reason `NotLeading`. The `unlimited` client does not call it. @default - always true
   */
  readonly mayWrite?: () => boolean;
}

/** Maximum connections: for requests, for requests of the unlimited client, and for watches. */
const pools = { ordinary: 64, unlimited: 4, watches: Number.POSITIVE_INFINITY };

/** Creates a client of one API server. It opens no connection before its first request. */
export function connect(settings: ConnectionSettings, options: ConnectOptions): KubeClient {
  const { clock = monotonicClock, userAgent, metrics, mayWrite, rate = { qps: 50, burst: 100 } } = options;
  const { fieldManager = userAgent.split('/', 1)[0] ?? userAgent } = options;
  const writes = { fieldManager, restMapper: new RestMapper(options.resources) };
  const client = (maxSockets: number, own: Partial<SenderDeps>, unlimited?: KubeClient): KubeClient => {
    const closing = new AbortController();
    const deps = (sockets: number): SenderDeps => ({
      transport: new Transport(settings, { clock, userAgent, maxSockets: sockets }),
      clock,
      closing: closing.signal,
      ...(metrics && { metrics }),
      ...own,
    });
    return new HttpKubeClient({
      requests: deps(maxSockets),
      watches: deps(pools.watches),
      closing,
      unlimited,
      ...writes,
    });
  };
  const bucket = new TokenBucket(rate, clock);
  return client(pools.ordinary, { bucket, ...(mayWrite && { mayWrite }) }, client(pools.unlimited, {}));
}
