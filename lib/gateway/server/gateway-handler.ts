import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, type Writable } from 'node:stream';
import { type AdmittedRead, type FlowControl, type FlowRejection } from '../flow-control/flow-control';
import { type TokenReviews } from '../identity/token-reviews';
import { type RequestRecord } from '../metrics/request-record';
import { MergedReads } from '../merging/merged-reads';
import { forward } from '../proxy/forward';
import { forwardUpgrade } from '../proxy/forward-upgrade';
import { refuseUpgrade } from '../proxy/refuse-upgrade';
import { requestRefusal } from '../proxy/request-refusal';
import { type ApiStatus, sendStatus } from '../reads/api-status';
import { OwnWrites } from '../reads/own-writes';
import { whenDue } from '../reads/when-due';
import { queryOf } from '../requests/parse-query';
import { objectKeyOf } from '../requests/request-info';
import { type Upstream } from '../upstream/upstream';
import { CachedReads, type CachedReadsOptions } from './cached-reads';
import { type Exchange } from './exchange';
import { OpenRequests, type Requested } from './open-requests';
import { RequestAuthenticator } from './request-authenticator';
import { whenNext } from './when-next';

/** Milliseconds between the charges of a response that lasts as long as its client wants. */
const chargeInterval = 5_000;

/** Subresources whose upgrades count against no budget: shells and forwarded ports, of which watches are no part. */
const uncountedUpgrades = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** What the handler of requests works with. */
export interface GatewayHandlerOptions extends CachedReadsOptions {
  readonly upstream: Upstream;
  readonly tokens: TokenReviews;
  readonly flow: FlowControl;
  /** Called for failures that are not the client's. */
  readonly onError: (error: unknown) => void;
}

/** Answers requests from the caches where possible, and forwards all others. */
export class GatewayHandler {
  readonly #open: OpenRequests;
  readonly #writes: OwnWrites;
  readonly #authenticator: RequestAuthenticator;
  readonly #reads: CachedReads;
  readonly #merged: MergedReads;

  constructor(private readonly options: GatewayHandlerOptions) {
    this.#authenticator = new RequestAuthenticator(options);
    this.#open = new OpenRequests(options);
    this.#writes = new OwnWrites(options.clock);
    this.#merged = new MergedReads(options);
    this.#reads = new CachedReads(options, this.#open, this.#writes);
  }

  /** Begins to end requests whose clients may no longer make them. */
  start(): void {
    this.#open.start();
  }

  /** Ends watches of caches one after the other within some milliseconds; resolves after these, or when no request is open. */
  drain(milliseconds: number): Promise<void> {
    return this.#open.drain(milliseconds);
  }

  /** Ends all requests. */
  stop(): void {
    this.#open.stop();
  }

  /** Answers a request. */
  async onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A response behind another one of its connection would not see that its client is gone.
    if (response.socket === null && !(await whenNext(request, response))) return;
    const startedAt = this.options.clock.now();
    const requested = await this.#authenticator.authenticate(request);
    if (response.destroyed) return;
    const record = this.#begin(request, requested);
    response.once('close', () =>
      record.end(response.headersSent ? response.statusCode : 499, (this.options.clock.now() - startedAt) / 1_000),
    );
    if ('code' in requested) sendStatus(response, requested);
    else await this.#answer({ request, response, requested, record });
  }

  /** Answers a request that asks for an upgrade. */
  async onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // From the first moment: a connection that fails without a listener ends the process.
    socket.on('error', () => socket.destroy());
    const requested = await this.#authenticator.authenticate(request);
    if (socket.destroyed) return;
    const record = this.#begin(request, requested);
    if ('code' in requested) {
      record.end(requested.code, 0);
      refuseUpgrade(socket, requested);
      return;
    }
    const { upstream, onError } = this.options;
    const isCounted = isRead(request) && !uncountedUpgrades.has(requested.info?.subresource ?? '');
    const admitted = this.#admit(requested, record, isCounted);
    if ('status' in admitted) {
      await this.#rejectUpgrade(socket, requested, record, admitted);
      return;
    }
    record.begin('proxied');
    if (record.isLongRunning) this.#chargeMeanwhile(socket, record, admitted);
    const remove = this.#open.add(requested, () => socket.destroy());
    socket.once('close', () => {
      remove();
      // What the API server answered is not known here.
      record.end(101, 0);
    });
    await forwardUpgrade(upstream, requested.caller, request, socket, head, onError);
  }

  /** Answers a request for an upgrade beyond a limit, when it is due. */
  async #rejectUpgrade(
    socket: Duplex,
    requested: Requested,
    record: RequestRecord,
    rejection: FlowRejection,
  ): Promise<void> {
    const { metrics, clock } = this.options;
    metrics.countRejected(record, rejection);
    if (rejection.delay > 0) {
      // A connection that is not read does not see that its client leaves, and stays open when it does.
      socket.resume().once('end', () => socket.destroy());
      const remove = this.#open.add(requested, () => socket.destroy());
      await whenDue(socket, rejection.delay, clock);
      remove();
    }
    record.end(socket.destroyed ? 499 : rejection.status.code, 0);
    if (!socket.destroyed) refuseUpgrade(socket, rejection.status);
  }

  #begin(request: IncomingMessage, requested: Requested | ApiStatus): RequestRecord {
    const { method = '', headers, socket } = request;
    const identity = 'code' in requested ? {} : { caller: requested.caller, info: requested.info };
    return this.options.metrics.begin({ ...identity, userAgent: headers['user-agent'], method, socket });
  }

  /** Counts a request against budgets and open watches until its record ends, or rejects it. */
  #admit({ caller }: Requested, record: RequestRecord, isCounted: boolean): AdmittedRead | FlowRejection {
    const { flow } = this.options;
    const close = record.verb === 'watch' ? flow.admitWatch(caller) : () => undefined;
    if (typeof close !== 'function') return close;
    const admitted = isCounted ? flow.admit(caller) : flow.admitUncounted(caller);
    if ('status' in admitted) close();
    else
      record.onEnd = () => {
        close();
        admitted.end(record.bytes);
      };
    return admitted;
  }

  async #answer(exchange: Omit<Exchange, 'admitted'>): Promise<void> {
    const { request, response, requested, record } = exchange;
    const admitted = this.#admit(requested, record, isRead(request));
    if ('status' in admitted) {
      await this.#reads.reject(exchange, admitted);
      return;
    }
    const whole = { ...exchange, admitted };
    const read = this.#reads.planned(whole);
    if (read && read !== 'shared' && (await this.#reads.serve(whole, read))) return;
    if (!response.destroyed) await this.#pass(whole, read === 'shared');
  }

  /** Passes a request on; what it writes to a cached resource, its client reads in the cache from then on. */
  async #pass(exchange: Exchange, isShared: boolean): Promise<void> {
    const { request, response, requested, record } = exchange;
    const { caller, token, info } = requested;
    record.begin('proxied');
    if (record.isLongRunning) this.#chargeMeanwhile(response, record, exchange.admitted);
    response.once(
      'close',
      this.#open.add({ caller, token, info }, () => response.destroy()),
    );
    if (isShared && (await this.#share(exchange))) return;
    const cache = info && this.#reads.cacheOf(info);
    const isDryRun = queryOf(request).parameters.has('dryRun');
    const onWritten =
      cache && info && !isRead(request)
        ? (body: string) => this.#writes.add(caller.user, cache, objectKeyOf(info), body, isDryRun)
        : undefined;
    const { upstream, onError } = this.options;
    await forward(upstream, caller, request, response, onWritten, onError);
  }

  /** Charges a response while it lasts, instead of counting it as in progress. */
  #chargeMeanwhile(response: Writable, record: RequestRecord, admitted: AdmittedRead): void {
    const { clock } = this.options;
    admitted.free();
    const charge = (): void => {
      admitted.charge(record.bytes);
      cancel = clock.after(chargeInterval, charge);
    };
    let cancel = clock.after(chargeInterval, charge);
    response.once('close', () => cancel());
  }

  /** Answers a read together with those of other clients; resolves with false if it must be passed on by itself. */
  async #share({ request, response, requested, record }: Exchange): Promise<boolean> {
    const { caller } = requested;
    if (!MergedReads.isMergeable(request) || requestRefusal(request, caller)) return false;
    return this.#merged.read({
      request,
      response,
      caller,
      isAllowed: () => this.#reads.mayShare(requested),
      onShared: () => record.begin('merged'),
    });
  }
}

/** Returns whether a request changes nothing. */
const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';
