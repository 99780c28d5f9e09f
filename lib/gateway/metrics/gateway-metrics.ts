import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type CachedResource } from '../cache/cached-resource';
import { type RequestInfo } from '../requests/request-info';
import { type FlowRejection } from '../flow-control/flow-control';
import { type ApiCaller } from '../identity/api-caller';
import { type ClientLabels, ClientNames, other, unauthenticatedLabels } from './client-labels';
import { type RequestCounters, RequestRecord } from './request-record';
import { ResourceNames } from './resource-names';

const clientLabels = ['project', 'account', 'user_agent'] as const;
const requestLabels = [...clientLabels, 'resource', 'verb', 'served_from'] as const;
/** Statuses of requests whose resources are not named. */
const unnamed = new Set([401, 403, 404]);
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Outcome of the review of a token. */
export type ReviewOutcome = 'accepted' | 'rejected' | 'busy' | 'failed';

/** Why an open request ended before its client or the API server ended it. */
export type EndCause = 'role' | 'stale-roles' | 'deletion' | 'token';

/** What a request is known by when it comes. */
export interface BegunRequest {
  /** @default - it has no accepted token */
  readonly caller?: ApiCaller;
  readonly userAgent: string | undefined;
  readonly method: string;
  /** @default - not a resource */
  readonly info?: RequestInfo | undefined;
  /** Connection of the client, whose written bytes are those of the response while the request lasts. */
  readonly socket: { readonly bytesWritten: number };
}

/** Metrics of a gateway: who asks for what, what it costs, and who answers. */
export class GatewayMetrics implements RequestCounters {
  readonly #clients = new ClientNames();
  readonly #resources = new ResourceNames();
  readonly #open = new Set<RequestRecord>();
  readonly #requests;
  readonly #bytes;
  readonly #seconds;
  readonly #durations;
  readonly #watches;
  readonly #passedOn;
  readonly #unauthorized;
  readonly #reviews;
  readonly #ended;
  readonly #rejected;

  constructor(registry: Registry) {
    const registers = [registry];
    const metric = (name: string, help: string) => ({ name: `pinion_gateway_${name}`, help, registers });
    const open = this.#open;
    this.#requests = new Counter({
      ...metric('requests_total', 'Finished requests by client; code 499 if it left before a response.'),
      labelNames: [...requestLabels, 'code'],
    });
    this.#bytes = new Counter({
      ...metric('response_bytes_total', 'Bytes sent to clients, headers and open watches included.'),
      labelNames: requestLabels,
      collect: () => {
        for (const record of open) record.countBytes();
      },
    });
    this.#seconds = new Counter({
      ...metric('request_seconds_total', 'Duration of finished requests by client, without watches and upgrades.'),
      labelNames: requestLabels,
    });
    this.#durations = new Histogram({
      ...metric(
        'request_duration_seconds',
        'Duration of requests until their last byte, without watches and upgrades.',
      ),
      labelNames: ['resource', 'verb', 'served_from'],
      buckets,
    });
    this.#watches = new Gauge({
      ...metric('open_watches', 'Open watches by client.'),
      labelNames: [...clientLabels, 'resource', 'served_from'],
    });
    this.#passedOn = new Counter({
      ...metric('uncached_reads_total', 'Reads of cached resources that the cache does not answer, by reason.'),
      labelNames: ['resource', 'reason'],
    });
    this.#unauthorized = new Counter({
      ...metric(
        'unauthorized_reads_total',
        'Reads of cached resources that no role allows, which the API server decides.',
      ),
      labelNames: [...clientLabels, 'resource', 'verb'],
    });
    this.#reviews = new Counter({
      ...metric('token_reviews_total', 'Authentications: by review of a token, or a review that is remembered.'),
      labelNames: ['result'],
    });
    this.#ended = new Counter({
      ...metric('ended_requests_total', 'Open requests that ended because their client may no longer make them.'),
      labelNames: ['cause'],
    });
    this.#rejected = new Counter({
      ...metric('rejected_requests_total', 'Reads beyond a budget, or without a seat in time, by what limited them.'),
      labelNames: [...clientLabels, 'level', 'scope', 'limit'],
    });
  }

  /** Names a resource that exists, so that its first request has its name. */
  addResource({ group, plural }: Pick<CachedResource, 'group' | 'plural'>): void {
    this.#resources.learn({ group, resource: plural });
  }

  /** Begins the record of a request. */
  begin({ caller, userAgent, method, info, socket }: BegunRequest): RequestRecord {
    const client = caller ? this.#clients.labelsOf(caller, userAgent) : unauthenticatedLabels;
    const record = new RequestRecord({ client, info, method, socket }, this);
    this.#open.add(record);
    return record;
  }

  /** Counts a finished request. */
  countRequest(record: RequestRecord, code: number, seconds: number): void {
    this.#open.delete(record);
    if (code < 400) this.#resources.learn(record.info);
    const labels = this.#labelsOf(record);
    this.#requests.inc({ ...labels, code });
    if (record.isLongRunning) return;
    this.#seconds.inc(labels, seconds);
    const { resource, verb, served_from } = labels;
    this.#durations.observe({ resource, verb, served_from }, seconds);
  }

  /** Counts bytes that were sent for a request. */
  countBytes(record: RequestRecord, bytes: number): void {
    if (bytes > 0) this.#bytes.inc(this.#labelsOf(record), bytes);
  }

  /** Counts an open watch; the returned function ends that. */
  addWatch(record: RequestRecord): () => void {
    const { verb: _, ...labels } = this.#labelsOf(record);
    this.#watches.inc(labels);
    return () => this.#watches.dec(labels);
  }

  /** Counts a read that a cache does not answer. */
  countUncached({ info }: RequestRecord, reason: string): void {
    this.#passedOn.inc({ resource: this.#resources.nameOf(info), reason });
  }

  /** Counts a read that no role allows. */
  countUnauthorized(record: RequestRecord): void {
    const { served_from: _, ...labels } = this.#labelsOf(record);
    this.#unauthorized.inc(labels);
  }

  /** Counts an authentication. */
  countReview(result: ReviewOutcome): void {
    this.#reviews.inc({ result });
  }

  /** Counts an open request that the gateway ended. */
  countEnded(cause: EndCause): void {
    this.#ended.inc({ cause });
  }

  /** Counts a read that flow control rejected. */
  countRejected({ client }: RequestRecord, { level, scope, limit }: FlowRejection): void {
    this.#rejected.inc({ ...client, level, scope, limit });
  }

  /** Returns the labels of a request. */
  #labelsOf({ client, info, verb, servedFrom, code }: RequestRecord): ClientLabels & RequestNames {
    // A client may ask for all that it is not allowed, or that does not exist.
    const resource = info && unnamed.has(code ?? 0) ? other : this.#resources.nameOf(info);
    return this.#clients.boundedSet({ ...client, resource, verb, served_from: servedFrom });
  }
}

interface RequestNames {
  readonly resource: string;
  readonly verb: string;
  readonly served_from: string;
}
