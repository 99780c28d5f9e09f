import { type Clock } from '../../kube';
import { type RbacMirror } from '../authorization/rbac-mirror';
import { type ObjectCache } from '../cache/object-cache';
import { type FlowRejection } from '../flow-control/flow-control';
import { readCostOf } from '../flow-control/read-cost';
import { type DeletedIdentities } from '../identity/deleted-identities';
import { maxAge } from '../max-age';
import { type GatewayMetrics } from '../metrics/gateway-metrics';
import { sendStatus, tooLargeVersion } from '../reads/api-status';
import { type FreshnessProof } from '../reads/freshness-proof';
import { type OwnWrites } from '../reads/own-writes';
import { serveGet } from '../reads/serve-get';
import { serveList } from '../reads/serve-list';
import { ServedWatch } from '../reads/serve-watch';
import { whenDue } from '../reads/when-due';
import { whenFresh } from '../reads/when-reached';
import { queryOf } from '../requests/parse-query';
import { type CachedReadPlan, planRead, type ProxyPlan } from '../requests/read-plan';
import { attributesOf, type RequestInfo } from '../requests/request-info';
import { type Exchange } from './exchange';
import { type OpenRequests, type Requested } from './open-requests';
import { unauthorized } from './request-authenticator';

/** What cached reads work with. */
export interface CachedReadsOptions {
  readonly clock: Clock;
  readonly deleted: DeletedIdentities;
  readonly rbac: RbacMirror;
  readonly metrics: GatewayMetrics;
  /** Returns the cache of a resource; undefined for one that is not cached. */
  readonly cacheOf: (group: string, version: string, plural: string) => ObjectCache | undefined;
  /** Returns the bound of a cache that may answer reads without a version. */
  readonly boundOf: (cache: ObjectCache) => ReadBound | undefined;
}

/** Read that a cache answers. */
export interface CachedRead {
  readonly plan: CachedReadPlan;
  readonly cache: ObjectCache;
  /** Bound of its age, which must be proved. @default - none: the client asked for a version */
  readonly bound?: ReadBound | undefined;
}

/** Bound of the reads of a resource without a version. */
export interface ReadBound {
  readonly proof: FreshnessProof;
  /** Milliseconds. */
  readonly maxAge: number;
}

/** Why the API server answers a read, if all clients that may read get the same answer. */
const shared: readonly ProxyPlan['reason'][] = ['unversioned', 'exact', 'format'];

/** Answers reads from the caches. */
export class CachedReads {
  constructor(
    private readonly options: CachedReadsOptions,
    private readonly open: OpenRequests,
    private readonly writes: OwnWrites,
  ) {}

  /** Returns the cache of what a request asks for. */
  cacheOf({ group, version, resource }: RequestInfo): ObjectCache | undefined {
    return this.options.cacheOf(group, version, resource);
  }

  /**
   * Returns how a request is read from a cache, or that clients who ask the same share the answer of the API server;
   * undefined if it is passed on, as all are that no role allows.
   */
  planned({ request, requested, record }: Exchange): CachedRead | 'shared' | undefined {
    const { info } = requested;
    const { metrics } = this.options;
    const cache = info && this.cacheOf(info);
    if (!cache || request.method !== 'GET') return undefined;
    const plan = planRead(cache.resource, info, queryOf(request), request.headers.accept);
    if (plan.how === 'proxy') {
      const bound = plan.bounded && this.#provedBound(cache, requested);
      if (plan.bounded && bound) return { plan: plan.bounded, cache, bound };
      metrics.countUncached(record, plan.reason);
      const isShared = shared.includes(plan.reason) && info.verb !== 'watch' && this.mayShare(requested);
      return isShared ? 'shared' : undefined;
    }
    if (!this.#isRecent(cache)) metrics.countUncached(record, 'stale');
    else if (!this.options.rbac.isRecent()) metrics.countUncached(record, 'stale-roles');
    else if (!this.mayShare(requested)) metrics.countUnauthorized(record);
    else return { plan, cache };
    return undefined;
  }

  /** Returns the bound of a cache that is proved to be within it now; renews proofs as long as there are reads. */
  #provedBound(cache: ObjectCache, requested: Requested): ReadBound | undefined {
    const bound = this.options.boundOf(cache);
    if (!bound || !this.#isRecent(cache) || !this.mayShare(requested)) return undefined;
    const age = bound.proof.ageAt(this.options.clock.now());
    if (age > bound.maxAge / 2) void bound.proof.renew();
    return age <= bound.maxAge ? bound : undefined;
  }

  /**
   * Returns whether a role allows a request, so that its client may have an answer that another one asked for. Roles that
   * are not known to be recent allow none: the API server decides.
   */
  mayShare({ caller, info }: Requested): boolean {
    const { rbac, deleted } = this.options;
    return (
      info !== undefined &&
      !deleted.includes(caller) &&
      rbac.isRecent() &&
      rbac.current.allows(caller.user, caller.groups, attributesOf(info))
    );
  }

  /** Answers a read when its cache is ready for it; resolves with false if the API server must answer it after all. */
  async serve(exchange: Exchange, read: CachedRead): Promise<boolean> {
    const { response, requested, record, admitted } = exchange;
    const { plan, cache } = read;
    const { clock, metrics } = this.options;
    if (!(await this.writes.whenSeen(requested.caller.user, cache))) {
      metrics.countUncached(record, 'own-write');
      return false;
    }
    await whenFresh(cache, notBeforeOf(plan), clock);
    const cost = readCostOf(plan, cache);
    admitted.expect(cost.bytes, cost.least);
    const seat = await admitted.seat(cost.seats);
    if (typeof seat !== 'function') {
      // While its answer is delayed, it needs no place among those in progress.
      admitted.free();
      await this.reject(exchange, seat);
      return true;
    }
    try {
      return response.destroyed || (await this.#serveNow(exchange, read));
    } finally {
      seat();
    }
  }

  /** Answers a request beyond a limit, when it is due; resolves earlier if its client is gone. */
  async reject({ response, record }: Omit<Exchange, 'admitted'>, rejection: FlowRejection): Promise<void> {
    const { metrics, clock } = this.options;
    metrics.countRejected(record, rejection);
    if (rejection.delay > 0) await whenDue(response, rejection.delay, clock);
    if (!response.destroyed) sendStatus(response, rejection.status);
  }

  /** Answers a read, unless roles, accounts or the cache have changed while it waited. */
  async #serveNow(exchange: Exchange, { plan, cache, bound }: CachedRead): Promise<boolean> {
    const { response, requested, record } = exchange;
    const { clock, deleted } = this.options;
    if (deleted.includes(requested.caller)) {
      sendStatus(response, unauthorized);
      return true;
    }
    if (!this.#isRecent(cache) || !this.mayShare(requested)) return false;
    const notBefore = notBeforeOf(plan);
    if (cache.version === undefined || cache.version < notBefore) {
      sendStatus(response, tooLargeVersion(notBefore, cache.version ?? 0));
      return true;
    }
    const age = bound?.proof.ageAt(clock.now());
    if (bound && age !== undefined && age > bound.maxAge) return false;
    record.begin('cache');
    if (plan.how === 'get') serveGet(response, cache, plan.key, clock, age);
    else if (plan.how === 'list') await serveList(response, cache, plan.selection, clock, age);
    else await this.#watch(exchange, new ServedWatch(response, cache, plan, clock));
    return true;
  }

  /** Adds a watch to the open requests; resolves when its initial events are sent, from when on it is no longer counted. */
  async #watch({ requested, record, admitted }: Exchange, watch: ServedWatch): Promise<void> {
    if (!watch.isOver)
      watch.onEnd = this.open.add({ ...requested, isAllowed: true, isResumable: true }, () => watch.end());
    await watch.whenStarted;
    admitted.end(record.bytes);
  }

  #isRecent(cache: ObjectCache): boolean {
    return cache.ageAt(this.options.clock.now()) <= maxAge;
  }
}

/** Returns the earliest version of which the answer may be. */
const notBeforeOf = (plan: CachedReadPlan): number =>
  plan.how === 'watch' ? (plan.initial?.notBefore ?? 0) : plan.notBefore;
