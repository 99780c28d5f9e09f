import * as z from 'zod';

const rate = (qps: number, burst: number) =>
  z
    .strictObject({
      qps: z.number().min(0.001).max(1e9).describe('Sustained requests per second.'),
      burst: z.int().min(1).max(1e9).describe('Burst size.'),
    })
    .default({ qps, burst });
const count = (defaultValue: number) => z.int().min(1).max(1_000_000).default(defaultValue);
/** Duration in milliseconds of up to a day. */
const durationMs = (defaultValue: number) => z.int().min(1).max(86_400_000).default(defaultValue);

/** Schema of the HTTP server's limits; times are in milliseconds. */
export const limitsSchema = z.strictObject({
  readRate: rate(50, 100).describe('GET and HEAD requests per caller.'),
  writeRate: rate(10, 20).describe('Other requests per caller.'),
  unauthenticatedRate: rate(50, 200).describe(
    'Requests per address whose authentication failed, or that need none, such as logins.',
  ),
  trackedClients: count(10_000).describe(
    'Callers and addresses with a tracked rate; the least recently seen is dropped first.',
  ),
  maxInFlight: count(256).describe('Concurrent authenticated requests, without streams.'),
  maxInFlightPerCaller: count(64).describe('Concurrent requests per caller, without streams.'),
  maxInFlightUnauthenticated: count(128).describe(
    'Concurrent verifications of credentials, and as many requests without a caller; half of them per address.',
  ),
  maxStreams: count(2_000).describe('Open streams.'),
  maxStreamsPerCaller: count(20).describe('Open streams per caller.'),
  maxStreamsPerProject: count(400).describe('Open streams of the members of a project.'),
  maxConnections: count(4_096).describe('Open connections; additional ones are closed at once.'),
  maxBodyBytes: z.int().min(1).max(16_777_216).default(65_536).describe('Size of a request body in bytes.'),
  headersTimeoutMs: durationMs(5_000).describe('Timeout for receiving the headers of a request.'),
  requestTimeoutMs: durationMs(10_000).describe('Timeout for receiving a request.'),
  responseTimeoutMs: durationMs(30_000).describe('Timeout for responding to a request.'),
  // Must exceed the idle timeout of load balancers, which otherwise reuse closed connections.
  keepAliveTimeoutMs: durationMs(65_000).describe('Idle timeout of a connection.'),
  maxRequestsPerConnection: count(10_000).describe('Requests per connection.'),
  heartbeatIntervalMs: durationMs(15_000).describe('Interval of heartbeats on a stream.'),
  streamReadTimeoutMs: durationMs(30_000).describe('Timeout for a client that reads nothing from its stream.'),
  maxStreamDurationMs: durationMs(900_000).describe(
    'Maximum duration of a stream; clients reconnect and authenticate again.',
  ),
  shutdownTimeoutMs: durationMs(10_000).describe('Time that a shutdown waits for requests in flight.'),
});

/** Limits of the submission service's HTTP server. */
export type Limits = Readonly<z.output<typeof limitsSchema>>;

/** Default limits. */
export const defaultLimits: Limits = limitsSchema.parse({});
