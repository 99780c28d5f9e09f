import { isWorkloadKind } from '../api';
import { controllerName, scopeOf, type ControllerScope } from '../expand';
import { type IssuerKeys } from '../artifact';
import { type Manager, type ReconcileResult, type Runnable, TypedController } from '../controller-runtime';
import { PlatformCache } from './platform-cache';
import { ApiServerWriter, NotLeadingError } from './api-server-writer';
import { GatewayEnforcement } from './gateway-enforcement';
import { GangReservations } from './run/gang-reservations';
import { InformerStores } from './observed/informer-stores';
import { withWriteCallback } from './with-write-callback';
import { Expansions } from './workload-expansion';
import { InstalledPolicies } from './verification/installed-policies';
import { IssuerKeyCache } from './verification/issuer-key-cache';
import { WorkloadVerifier } from './verification/workload-verifier';
import { ReconcileCache } from './reconcile-cache';
import { reconcileRollout } from './rollout/reconcile-rollout';
import { MetricGate } from './rollout/metric-gate';
import { RejectionTimes } from './rollout/rejection-times';
import { ExclusiveTurn } from './rollout/exclusive-turn';
import { RolloutDecisions } from './rollout/rollout-decisions';
import { RevisionEffects } from './rollout/revision-effects';
import { reconcilePlatform } from './reconcile-platform';
import { ReconcileMetrics } from './reconcile-metrics';
import { reconcileWorkload } from './reconcile-workload';
import { type ReconcileContext } from './reconcile-context';
import { parseWorkKey, type ResourceKey, type WorkKey } from './work-key';
import { registerEventHandlers, type EventHandlerDeps } from './register-event-handlers';

/** What the controller needs of its manager. */
export type ControllerManager = Pick<
  Manager,
  'apiClient' | 'cache' | 'clock' | 'eventRecorderFor' | 'isLeading' | 'log' | 'metrics' | 'registry'
>;

/** Options of the controller. */
export interface PinionControllerOptions {
  readonly manager: ControllerManager;
  /** What the controller reconciles. @default - workloads, and Projects and the Platform */
  readonly scopes?: readonly ControllerScope[];
  /** Maximum concurrent reconciles. @default 16 */
  readonly workers?: number;
  /** Whether to log changes instead of making them. @default false */
  readonly dryRun?: boolean;
  /** Namespace of the controller. @default pinion-controller */
  readonly namespace?: string;
  /** Keys of the issuers of publishers. @default - fetched by OpenID Connect discovery */
  readonly issuerKeys?: IssuerKeys;
}

/** Initial and maximum retry delay of a failed reconcile, in milliseconds. */
const rateLimiter = { baseDelay: 50, maxDelay: 60_000 };
/**
 * Milliseconds between resyncs, plus up to 10% jitter: they detect changes of resources that are not watched, such as
 * storage classes.
 */
const syncPeriod = 10 * 60_000;

/** The controller of pinion's kinds: event handlers that queue changed resources, and workers that reconcile them. */
export class PinionController implements Runnable {
  readonly #options: PinionControllerOptions;
  readonly #workers: TypedController;
  readonly #context: ReconcileContext;
  readonly #metrics: ReconcileMetrics;

  constructor(options: PinionControllerOptions) {
    const { manager, dryRun = false, namespace = controllerName, issuerKeys, workers = 16, scopes } = options;
    const { apiClient: client, clock, log, metrics, registry } = manager;
    this.#options = options;
    const stores = new InformerStores(manager.cache.informers, scopes);
    const platformCache = new PlatformCache({
      platform: () => stores.resource('Platform', '', 'cluster'),
      profile: (name) => stores.resource('RuntimeProfile', '', name),
      revision: (name) => stores.resource('PlatformRevision', '', name),
      project: (name) => stores.resource('Project', '', name),
      projects: () => stores.resources('Project'),
    });
    const recorder = manager.eventRecorderFor('pinion');
    const isLeading = () => manager.isLeading();
    const writer = new ApiServerWriter({ client, stores, recorder, log, isLeading, dryRun });
    const cache = new ReconcileCache();
    const gangs = new GangReservations();
    const expansions = new Expansions();
    const effects = new RevisionEffects();
    const now = () => clock.now();
    const metricGate = new MetricGate(now);
    const rejections = new RejectionTimes(now);
    const policies = new InstalledPolicies(namespace, scopes?.length !== 1, (kind, name) =>
      stores.child(kind, '', name),
    );
    const verifier = new WorkloadVerifier({ issuerKeys: new IssuerKeyCache(clock, issuerKeys).of, policies, now });
    const projects = () => stores.resources('Project');
    const gatewayEnforcement = new GatewayEnforcement({ client, projects, now });
    this.#context = {
      ...{ stores, platformCache, writer, cache, gangs, expansions, effects, rejections, metricGate, verifier },
      ...{ gatewayEnforcement, rolloutTurn: new ExclusiveTurn(), rolloutDecisions: new RolloutDecisions(), now },
    };
    this.#metrics = new ReconcileMetrics(registry, stores, policies, now);
    this.#workers = new TypedController({
      ...{ name: 'pinion', clock, log, metrics, maxConcurrentReconciles: workers, rateLimiter, syncPeriod },
      reconcile: (key, recordProgress) => this.#process(key, recordProgress),
      keys: () => stores.allKeys().filter((key) => this.#isOwn(key)),
      onResync: () => cache.reset(),
      isExpected: (error) => error instanceof NotLeadingError,
    });
    const queue: EventHandlerDeps['queue'] = {
      add: (key) => this.#isOwn(key) && this.#workers.add(key),
      addAfter: (key, milliseconds) => this.#isOwn(key) && this.#workers.addAfter(key, milliseconds),
    };
    registerEventHandlers({
      ...{ stores, queue, cache, platformCache, writer, expansions, effects, rejections, verifier, policies, gangs },
    });
  }

  /** Starts to reconcile; later calls have no effect. */
  start(): void {
    this.#workers.start();
  }

  /** Queues every resource at a lower priority than changed ones; `keepCache` keeps the results of earlier reconciles. */
  resync({ keepCache = false }: { readonly keepCache?: boolean } = {}): void {
    if (keepCache) this.#workers.queueAll();
    else this.#workers.resync();
  }

  /** Resolves when the queue is empty and no reconcile is in progress. */
  idle(): Promise<void> {
    return this.#workers.idle();
  }

  /** Finishes reconciles in progress and starts no more; the manager then sends their events. */
  stop(): Promise<void> {
    return this.#workers.stop();
  }

  /** Returns why the process should be restarted; undefined while it is healthy. */
  unhealthyReason(): string | undefined {
    return this.#workers.unhealthyReason();
  }

  /** Returns whether this controller reconciles a resource. */
  #isOwn(key: WorkKey): boolean {
    const { scopes } = this.#options;
    return !scopes || scopes.includes(scopeOf(parseWorkKey(key).kind));
  }

  async #process(key: WorkKey, recordProgress: () => void): Promise<ReconcileResult> {
    const { clock } = this.#options.manager;
    const startedAt = clock.now();
    const resource = parseWorkKey(key);
    const writer = withWriteCallback(this.#context.writer, recordProgress);
    let label: 'done' | 'refused' | 'failed' = 'failed';
    try {
      const result = await this.#reconcile(resource, { ...this.#context, writer });
      label = result.requeue ? 'refused' : 'done';
      return result;
    } finally {
      this.#metrics.observe(resource.kind, label, (clock.now() - startedAt) / 1000);
    }
  }

  #reconcile(resource: ResourceKey, context: ReconcileContext): Promise<ReconcileResult> {
    const { kind } = resource;
    if (isWorkloadKind(kind)) return reconcileWorkload(resource, context);
    return kind === 'PlatformRollout'
      ? reconcileRollout(resource, context)
      : reconcilePlatform({ ...resource, kind }, context);
  }
}
