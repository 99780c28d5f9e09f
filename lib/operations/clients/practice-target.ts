import { type ClientOwner } from './client-owners';
import { type ApiClientName, type ClientRequest } from './client-request';

/** Milliseconds in which the busiest count of requests is taken. */
export const practiceWindow = 600_000;
/** Longer intervals separate two series of requests. */
const maxInterval = 300_000;
/** Maximum origins that are distinguished. */
export const maxOrigins = 16;

/** Requests of one client that a practice counts together. */
export class PracticeTarget {
  requests = 0;
  seatSeconds = 0;
  /** Total seconds of the requests. */
  seconds = 0;
  /** Time of the first and the last request, in milliseconds since 1970. */
  from = Number.POSITIVE_INFINITY;
  to = 0;
  /** Most requests in one window of ten minutes. */
  busiest = 0;
  /** The first node or address of the client, and all of them, up to 16, once there is a second. */
  private origin = '';
  private origins: Set<string> | undefined;
  private window = 0;
  private windowCount = 0;
  private last = 0;
  /** Number, mean and sum of squared deviations of the intervals. */
  private intervals = { count: 0, mean: 0, squares: 0 };

  constructor(
    readonly client: ApiClientName,
    readonly owner: ClientOwner | undefined,
    readonly verb: string,
    readonly resource: string,
    readonly namespace: string,
  ) {}

  add({ seatSeconds, seconds, receivedAt, origin }: ClientRequest): void {
    this.requests += 1;
    this.seatSeconds += seatSeconds;
    this.seconds += seconds;
    this.from = Math.min(this.from, receivedAt);
    this.to = Math.max(this.to, receivedAt);
    this.addOrigin(origin);
    const window = Math.floor(receivedAt / practiceWindow);
    this.windowCount = window === this.window ? this.windowCount + 1 : 1;
    this.window = window;
    this.busiest = Math.max(this.busiest, this.windowCount);
    this.addInterval(receivedAt - this.last);
    this.last = receivedAt;
  }

  private addInterval(interval: number): void {
    // Logs of several servers, read one after the other, go back in time.
    if (interval <= 0 || interval > maxInterval) return;
    const { intervals } = this;
    intervals.count += 1;
    const deviation = interval - intervals.mean;
    intervals.mean += deviation / intervals.count;
    intervals.squares += deviation * (interval - intervals.mean);
  }

  private addOrigin(origin: string): void {
    if (this.origin === '') this.origin = origin;
    if (!this.origins && origin !== this.origin) this.origins = new Set([this.origin]);
    if (this.origins && this.origins.size < maxOrigins) this.origins.add(origin);
  }

  /** Number of nodes or addresses of the client, up to 16. */
  get originCount(): number {
    return this.origins?.size ?? 1;
  }

  /** Mean seconds between two requests. */
  get interval(): number {
    return this.intervals.mean / 1000;
  }

  /** Standard deviation of the intervals divided by their mean: 0 for a clock, 1 for independent requests. */
  get irregularity(): number {
    const { count, mean, squares } = this.intervals;
    return count === 0 ? Number.POSITIVE_INFINITY : Math.sqrt(squares / count) / mean;
  }

  /** Adds the cost of a request that does not count itself, such as the start of a watch. */
  addCost({ seatSeconds }: ClientRequest): void {
    this.seatSeconds += seatSeconds;
  }

  /** Returns the sum of targets of one client, with the intervals of the one with the most requests. */
  static sum(targets: readonly PracticeTarget[]): PracticeTarget | undefined {
    const [largest] = [...targets].sort((a, b) => b.requests - a.requests);
    if (!largest) return undefined;
    const { client, owner, verb, resource, namespace, intervals } = largest;
    const sum = new PracticeTarget(client, owner, verb, resource, namespace);
    sum.intervals = intervals;
    for (const target of targets) {
      sum.requests += target.requests;
      sum.seatSeconds += target.seatSeconds;
      sum.seconds += target.seconds;
      sum.from = Math.min(sum.from, target.from);
      sum.to = Math.max(sum.to, target.to);
      sum.busiest += target.busiest;
      for (const origin of target.origins ?? [target.origin]) sum.addOrigin(origin);
    }
    return sum;
  }
}
