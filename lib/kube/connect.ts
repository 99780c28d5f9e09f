import { type ClientMetrics } from './client-metrics';
import { type Clock } from './clock';
import { type ConnectionSettings } from './connection-settings';
import { HttpKubeClient } from './http-kube-client';
import { type KubeClient } from './kube-client';
import { type SenderParts } from './sender';
import { type Rate, TokenBucket } from './token-bucket';
import { Transport } from './transport';

/** How a client talks, besides where. */
export interface ConnectOptions {
  readonly clock: Clock;
  /** What the server's audit log shows as the client, such as `pinion/1.0.0`. */
  readonly userAgent: string;
  /** The client's own rate. @default 50 requests a second, 100 at once */
  readonly rate?: Rate;
  /** @default - none */
  readonly metrics?: ClientMetrics;
  /**
   * Asked right before each attempt of a request that changes something, after it has waited for its turn; where it
   * says no, the request fails with reason `NotLeading`. The `unlimited` client does not ask. @default - always true
   */
  readonly mayWrite?: () => boolean;
}

/** How many connections a client has at once: for requests, for requests of the unlimited client, and for watches. */
const pools = { ordinary: 64, unlimited: 4, watches: Number.POSITIVE_INFINITY };

/** Makes a client for one API server. It opens no connection before its first request. */
export function connect(settings: ConnectionSettings, options: ConnectOptions): KubeClient {
  const { clock, userAgent, metrics, mayWrite, rate = { qps: 50, burst: 100 } } = options;
  const client = (maxSockets: number, own: Partial<SenderParts>, unlimited?: KubeClient): KubeClient => {
    const closing = new AbortController();
    const parts = (sockets: number): SenderParts => ({
      transport: new Transport(settings, { clock, userAgent, maxSockets: sockets }),
      clock,
      closing: closing.signal,
      ...(metrics && { metrics }),
      ...own,
    });
    return new HttpKubeClient({ requests: parts(maxSockets), watches: parts(pools.watches), closing, unlimited });
  };
  const bucket = new TokenBucket(rate, clock);
  return client(pools.ordinary, { bucket, ...(mayWrite && { mayWrite }) }, client(pools.unlimited, {}));
}
