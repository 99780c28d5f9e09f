import { type SketchEntry, TopSketch } from '../audit/top-sketch';
import { type ApiClientName, type ClientRequest } from './client-request';

/** Totals of a set of requests. */
export interface ClientSums {
  /** Responses with a status of 400 or above. */
  errors: number;
  /** Started watches. */
  watches: number;
  /** Seconds of watches that ended. */
  watchSeconds: number;
  /** Total and maximum seconds of requests, without those that stay open. */
  seconds: number;
  maxSeconds: number;
  seatSeconds: number;
  /** Requests that a gateway answered from its cache, which cost the API server nothing. */
  cached: number;
  /** Bytes of the responses whose size is known: lists in the log, and all through a gateway. */
  bytes: number;
}

/** Requests of one client with one verb to one resource. */
export interface ClientRow extends ApiClientName, Readonly<ClientSums> {
  readonly verb: string;
  readonly resource: string;
  /** Upper bound; too high by at most `error`. */
  readonly requests: number;
  readonly error: number;
}

/** Maximum rows; counts of rows are too high by at most `requests / maxRows`. */
const maxRows = 10_000;
/** Maximum characters of a resource, because any path may be requested. */
const maxResourceLength = 200;

/** Returns the sums of no request. */
export const zeroSums = (): ClientSums => ({
  errors: 0,
  watches: 0,
  watchSeconds: 0,
  seconds: 0,
  maxSeconds: 0,
  seatSeconds: 0,
  cached: 0,
  bytes: 0,
});

/** Counts requests by client, verb and resource in bounded memory. */
export class ClientCounts {
  private readonly sketch = new TopSketch(maxRows, zeroSums);
  /** Totals of all requests, including watches that started before the log. */
  readonly total = zeroSums();

  /** Number of requests. */
  get requests(): number {
    return this.sketch.total;
  }

  /** Maximum error of the requests of a row. */
  get bound(): number {
    return this.sketch.bound;
  }

  /** Counts a request once: a watch when it starts, its duration when it ends. Returns the requests that its row certainly has. */
  add(request: ClientRequest): number {
    const { client, verb, resource } = request;
    const key = keyOf(client, verb, resource);
    const entry = request.phase === 'ended' ? this.sketch.find(key) : this.sketch.add(key);
    for (const target of entry ? [this.total, entry.more] : [this.total]) addRequest(target, request);
    return entry ? entry.count - entry.error : 0;
  }

  /** Adds requests that were counted elsewhere. */
  addSums(row: Omit<ClientRow, keyof ClientSums | 'error'>, sums: Readonly<ClientSums>): void {
    const key = keyOf(row, row.verb, row.resource);
    for (const target of [this.total, this.sketch.add(key, row.requests).more]) addSumsTo(target, sums);
  }

  /** Returns the rows by falling cost. */
  rows(): readonly ClientRow[] {
    return this.sketch
      .top(maxRows)
      .map(rowOf)
      .sort((a, b) => b.seatSeconds - a.seatSeconds || b.requests - a.requests);
  }
}

/** Clients choose names and paths with any character, so that no separator would be safe. */
const keyOf = ({ project, account, userAgent }: ApiClientName, verb: string, resource: string): string =>
  JSON.stringify([project, account, userAgent, verb, resource.slice(0, maxResourceLength)]);

/** Adds sums to others. */
export function addSumsTo(target: ClientSums, sums: Readonly<ClientSums>): void {
  target.errors += sums.errors;
  target.watches += sums.watches;
  target.watchSeconds += sums.watchSeconds;
  target.seconds += sums.seconds;
  target.maxSeconds = Math.max(target.maxSeconds, sums.maxSeconds);
  target.seatSeconds += sums.seatSeconds;
  target.cached += sums.cached;
  target.bytes += sums.bytes;
}

/** Adds a request to sums. */
export function addRequest(sums: ClientSums, request: ClientRequest): void {
  const { phase, verb, code, seconds, listed } = request;
  if (phase === 'ended') {
    if (verb === 'watch') sums.watchSeconds += seconds;
    return;
  }
  if (code >= 400) sums.errors += 1;
  if (phase === 'started' && verb === 'watch') sums.watches += 1;
  if (phase === 'complete') {
    sums.seconds += seconds;
    sums.maxSeconds = Math.max(sums.maxSeconds, seconds);
  }
  sums.seatSeconds += request.seatSeconds;
  sums.bytes += listed?.bytes ?? 0;
}

function rowOf({ key, count, error, more }: SketchEntry<ClientSums>): ClientRow {
  const [project = '', account = '', userAgent = '', verb = '', resource = ''] = JSON.parse(key) as readonly string[];
  return { project, account, userAgent, verb, resource, requests: count, error, ...more };
}
