import * as z from 'zod';

const rate = (qps: number, burst: number) =>
  z
    .strictObject({
      qps: z.number().min(0.001).max(1e9).describe('Requests a second, in the long run.'),
      burst: z.int().min(1).max(1e9).describe('Requests at once after a rest.'),
    })
    .default({ qps, burst });
const count = (standard: number) => z.int().min(1).max(1_000_000).default(standard);
/** Milliseconds, a day at most. */
const time = (standard: number) => z.int().min(1).max(86_400_000).default(standard);

/** How much the entrance of the submission service takes on; times are in milliseconds. */
export const limitsSchema = z.strictObject({
  reads: rate(50, 100).describe('Requests of one caller that change nothing.'),
  writes: rate(10, 20).describe('Requests of one caller by any method but GET and HEAD.'),
  strangers: rate(50, 200).describe('Requests from one address by senders who are not, or not yet, known.'),
  remembered: count(10_000).describe(
    'Callers and addresses whose rate is remembered; the one that has been silent longest is forgotten first.',
  ),
  underWay: count(256).describe('Requests under way, not counting streams.'),
  underWayOfCaller: count(64).describe('Requests of one caller under way, not counting streams.'),
  streams: count(2_000).describe('Open streams.'),
  streamsOfCaller: count(20).describe('Open streams of one caller.'),
  connections: count(4_096).describe('Open connections; further ones are closed at once.'),
  bodyBytes: z.int().min(1).max(16_777_216).default(65_536).describe('Size of a request body, in bytes.'),
  headersWithin: time(5_000).describe('Time for the headers of a request to arrive.'),
  requestWithin: time(10_000).describe('Time for the whole request to arrive.'),
  answerWithin: time(30_000).describe('Time to answer a request.'),
  // Longer than load balancers keep theirs.
  idleFor: time(65_000).describe('How long an idle connection is kept open.'),
  requestsOfConnection: count(10_000).describe('Requests on one connection.'),
  heartbeat: time(15_000).describe('Time between two heartbeats on a stream.'),
  readWithin: time(30_000).describe('How long the reader of a stream may read nothing.'),
  streamFor: time(900_000).describe('How long a stream stays open; to read on, its reader has to authenticate again.'),
  stopWithin: time(10_000).describe('How long a shutdown waits for what is under way.'),
});

/** How much the entrance of the submission service takes on. */
export type Limits = Readonly<z.output<typeof limitsSchema>>;

/** The limits that apply where the settings name none. */
export const defaultLimits: Limits = limitsSchema.parse({});
