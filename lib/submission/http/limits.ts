import { type Rate } from './rate-limit';

/** How much the entrance takes on; a number of milliseconds where it is a time. */
export interface Limits {
  /** Requests of one caller that change nothing. @default 50 a second, 100 at once */
  readonly reads: Rate;
  /** Requests of one caller by any method but GET and HEAD. @default 10 a second, 20 at once */
  readonly writes: Rate;
  /** Requests from one address whose sender is not known, or not yet. @default 50 a second, 200 at once */
  readonly strangers: Rate;
  /** Callers, and addresses, whose rate is remembered; who has not asked for the longest is forgotten. @default 10000 */
  readonly remembered: number;
  /** Requests under way, streams apart. @default 256 */
  readonly underWay: number;
  /** Requests of one caller under way, streams apart. @default 64 */
  readonly underWayOfCaller: number;
  /** Streams. @default 2000 */
  readonly streams: number;
  /** Streams of one caller. @default 20 */
  readonly streamsOfCaller: number;
  /** Connections; more are closed at once. @default 4096 */
  readonly connections: number;
  /** Bytes of a body. @default 65536 */
  readonly bodyBytes: number;
  /** Until the headers of a request are there. @default 5000 */
  readonly headersWithin: number;
  /** Until the whole request is there. @default 10000 */
  readonly requestWithin: number;
  /** Until a request is answered. @default 30000 */
  readonly answerWithin: number;
  /** How long a connection without a request is kept. @default 65000, more than load balancers keep theirs */
  readonly idleFor: number;
  /** Requests on one connection. @default 10000 */
  readonly requestsOfConnection: number;
  /** Between two signs of life on a stream. @default 15000 */
  readonly heartbeat: number;
  /** How long a reader of a stream may take nothing. @default 30000 */
  readonly readWithin: number;
  /** After which a stream is closed, so that who reads on shows anew who they are. @default 900000 */
  readonly streamFor: number;
  /** How long a stop waits for what is under way. @default 10000 */
  readonly stopWithin: number;
}

/** Limits where nothing else is said. */
export const defaultLimits: Limits = {
  reads: { qps: 50, burst: 100 },
  writes: { qps: 10, burst: 20 },
  strangers: { qps: 50, burst: 200 },
  remembered: 10_000,
  underWay: 256,
  underWayOfCaller: 64,
  streams: 2_000,
  streamsOfCaller: 20,
  connections: 4_096,
  bodyBytes: 65_536,
  headersWithin: 5_000,
  requestWithin: 10_000,
  answerWithin: 30_000,
  idleFor: 65_000,
  requestsOfConnection: 10_000,
  heartbeat: 15_000,
  readWithin: 30_000,
  streamFor: 900_000,
  stopWithin: 10_000,
};
