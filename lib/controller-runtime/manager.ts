import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { collectDefaultMetrics, Registry } from 'prom-client';
import {
  clientMetrics,
  type ClientMetrics,
  type Clock,
  completesWithin,
  connect,
  type ConnectionSettings,
  electLeader,
  errorText,
  EventRecorder,
  type KubeClient,
  type LeaseOptions,
  type Log,
  type LogFields,
  monotonicClock,
  type Rate,
  type ReflectorTuning,
  type Resource,
  serveHealth,
  whenAborted,
} from '../kube';
import { Cache } from './cache';
import { CachedClient } from './cached-client';
import { ControllerMetrics } from './controller-metrics';
import { type Runnable } from './runnable';

/** Lease of the leader of the replicas of a manager. */
export type LeaderElectionOptions = Pick<
  LeaseOptions,
  'namespace' | 'name' | 'leaseDuration' | 'renewDeadline' | 'retryPeriod'
>;

/** Options of a manager. */
export interface ManagerOptions {
  /** Name of the program: its user agent, which can have a version, as in `topics/1.0.0`. */
  readonly userAgent: string;
  /** Field manager of its writes. @default - the user agent up to its first slash */
  readonly fieldManager?: string;
  /** Resources of the kinds that it writes, other than built-in ones and those of pinion. @default - none */
  readonly resources?: readonly Resource[];
  readonly log: Log;
  /** More fields of the log entry with which it begins to serve, such as a mode of the program. @default - none */
  readonly servingFields?: LogFields;
  /** Registry of its metrics. @default - a new one, with the metrics of the process */
  readonly registry?: Registry;
  /** Name of the process, unique for each start. @default - the host name with a random suffix */
  readonly identity?: string;
  /** Monotonic clock. @default - the system time, which never goes backwards */
  readonly clock?: Clock;
  /** Client-side rate limit. @default 50 requests per second, burst 100 */
  readonly rate?: Rate;
  /** List and watch settings. @default - as client-go's */
  readonly reflector?: ReflectorTuning;
  /** Lease for which replicas compete; only its holder reconciles and writes. @default - none, for a single process */
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /**
   * Milliseconds that reconciles in progress have on shutdown. After a lost lease they have none, because another process
   * leads. @default 30000
   */
  readonly gracefulShutdownTimeout?: number;
  /** Address of /livez, /readyz and /metrics; port 0 selects a free one. @default - not served */
  readonly health?: { readonly host: string; readonly port: number };
}

/** Returns why a process is unhealthy or not ready; undefined if it is healthy or ready. */
export type HealthCheck = () => string | undefined;

/** Rejection of a manager that lost its lease: the process must end, because another one leads. */
export class LeaderElectionLostError extends Error {
  override readonly name = 'LeaderElectionLostError' as const;
}

/** Maximum time for sending events on shutdown, in milliseconds; the next leader waits for it. */
const eventFlushTimeout = 2_000;

/** What the controllers of a process share: client, cache, leader election, health, metrics and shutdown. */
export class Manager {
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: Registry;
  readonly metrics: ControllerMetrics;
  readonly cache: Cache;
  /** Client that reads from the cache and writes through it. It writes only while this process leads. */
  readonly client: KubeClient;
  /** Client without the cache. It writes only while this process leads. */
  readonly apiClient: KubeClient;
  /** Name of the process. */
  readonly identity: string;
  readonly #options: ManagerOptions;
  readonly #clientMetrics: ClientMetrics;
  readonly #runnables: Runnable[] = [];
  readonly #recorders: EventRecorder[] = [];
  readonly #healthChecks: HealthCheck[] = [];
  readonly #readyChecks: HealthCheck[] = [];
  // Replaced once an election or a run without a lease starts.
  #isLeading = (): boolean => false;
  #health: Server | undefined;

  /** `settings` are those of `loadDefaultConfig`, for example. Sends no request before it is started. */
  constructor(settings: ConnectionSettings, options: ManagerOptions) {
    const { clock = monotonicClock, log, registry = processRegistry(), userAgent, fieldManager, resources } = options;
    this.#options = options;
    this.clock = clock;
    this.log = log;
    this.registry = registry;
    this.identity = options.identity ?? `${hostname()}_${Math.floor(clock.random() * 2 ** 48).toString(36)}`;
    this.#clientMetrics = clientMetrics(registry);
    this.metrics = new ControllerMetrics(registry, clock);
    this.apiClient = connect(settings, {
      clock,
      userAgent,
      metrics: this.#clientMetrics,
      mayWrite: () => this.#isLeading(),
      ...(fieldManager !== undefined && { fieldManager }),
      ...(resources && { resources }),
      ...(options.rate && { rate: options.rate }),
    });
    const { reflector } = options;
    this.cache = new Cache({ client: this.apiClient, clock, log, registry, ...(reflector && { reflector }) });
    this.client = new CachedClient(this.apiClient, this.cache, resources);
  }

  /** Returns whether this process leads; always true after the start without a lease. */
  isLeading(): boolean {
    return this.#isLeading();
  }

  /** Port of the health server; undefined while it is not served. */
  get healthPort(): number | undefined {
    return (this.#health?.address() as AddressInfo | null | undefined)?.port;
  }

  /** Adds a part that works while this process leads, before the manager is started. */
  add(runnable: Runnable): void {
    this.#runnables.push(runnable);
  }

  /** Adds a check of whether the process must be restarted. */
  addHealthzCheck(check: HealthCheck): void {
    this.#healthChecks.push(check);
  }

  /** Adds a check of whether the process could take over leadership. */
  addReadyzCheck(check: HealthCheck): void {
    this.#readyChecks.push(check);
  }

  /** Returns a recorder of events with the name of a component as their source. */
  eventRecorderFor(component: string): EventRecorder {
    const { apiClient: client, clock, log, identity: instance } = this;
    const onError = (error: unknown): void => log.warn('event not recorded', { error: errorText(error) });
    const recorder = new EventRecorder({ client, clock, component, instance, onError });
    this.#recorders.push(recorder);
    return recorder;
  }

  /**
   * Runs until the signal is aborted. Caches are synced before the lease is acquired, so that a successor starts at once.
   * On shutdown it finishes reconciles in progress, sends their events and releases the lease. Rejects with a
   * `LeaderElectionLostError` if the lease is lost, and with another error if reconciles do not end in time: the process must
   * end then, even if they still run. A manager cannot be started again.
   */
  async start(stop: AbortSignal): Promise<void> {
    let stoppedAt: number | undefined;
    void whenAborted(stop).then(() => (stoppedAt = this.clock.now()));
    await this.#serve();
    let isLost = false;
    let hasEnded = true;
    try {
      await this.cache.start(stop);
      this.log.info('caches synced', { identity: this.identity });
      await (this.#options.leaderElection ? this.#lead(this.#options.leaderElection, stop) : this.#run(stop));
    } catch (error) {
      isLost = error instanceof LeaderElectionLostError;
      if (!stop.aborted || isLost) throw error;
    } finally {
      const { gracefulShutdownTimeout: timeout = 30_000 } = this.#options;
      const remaining = isLost ? 0 : timeout - (this.clock.now() - (stoppedAt ?? this.clock.now()));
      hasEnded = await this.#shutDown(Math.max(0, remaining));
    }
    if (!hasEnded) throw new Error(`${this.identity}: ${unfinishedWork(this.#options)}`);
  }

  /** Stops everything; resolves with false if work is still in progress after some milliseconds. */
  async #shutDown(timeout: number): Promise<boolean> {
    const hasEnded = await completesWithin(this.clock, timeout, this.#stopRunnables());
    await this.cache.stop();
    this.#health?.close();
    this.#health?.closeAllConnections();
    this.client.close();
    this.log.info('stopped', { identity: this.identity, ...(!hasEnded && { unfinished: true }) });
    return hasEnded;
  }

  async #serve(): Promise<void> {
    const { health } = this.#options;
    if (!health) return;
    const first = (checks: readonly HealthCheck[]): string | undefined =>
      checks.map((check) => check()).find((reason) => reason !== undefined);
    this.#health = await serveHealth(health.port, health.host, {
      unhealthyReason: () =>
        first([...this.#runnables.map((each) => () => each.unhealthyReason?.()), ...this.#healthChecks]),
      notReadyReason: () => first([() => this.cache.unsyncedReason(), ...this.#readyChecks]),
      metrics: () => this.registry.metrics(),
    });
    const { servingFields } = this.#options;
    this.log.info('serving', { port: this.healthPort, identity: this.identity, ...servingFields });
  }

  async #run(stop: AbortSignal): Promise<void> {
    this.#isLeading = () => true;
    this.#startRunnables();
    await whenAborted(stop);
  }

  async #lead(lease: LeaderElectionOptions, stop: AbortSignal): Promise<void> {
    const { apiClient: client, clock, log, identity } = this;
    const election = electLeader({
      ...lease,
      client,
      clock,
      identity,
      stop,
      metrics: this.#clientMetrics,
      // Resolves when no reconcile is in progress: the lease is released after the last write.
      leader: { lead: () => this.#startRunnables(), drain: () => this.#stopRunnables() },
      onStartedLeading: () => log.info('leading', { identity }),
      onLost: () => log.error('lost the lease', { identity }),
      onNewLeader: (holder) => holder !== identity && log.info('another replica leads', { holder }),
      onError: (error) => log.warn('lease not renewed', { error: errorText(error) }),
    });
    this.#isLeading = () => election.isLeading();
    if ((await election.done) === 'lost') throw new LeaderElectionLostError(`${identity} lost the lease ${lease.name}`);
  }

  #startRunnables(): void {
    for (const runnable of this.#runnables) runnable.start();
  }

  async #stopRunnables(): Promise<void> {
    await Promise.all(this.#runnables.map((runnable) => runnable.stop()));
    await Promise.all(this.#recorders.map((recorder) => recorder.stop(eventFlushTimeout)));
  }
}

const unfinishedWork = ({ gracefulShutdownTimeout: timeout = 30_000 }: ManagerOptions): string =>
  `reconciles did not end within ${timeout / 1_000} seconds of the shutdown; end the process, or set gracefulShutdownTimeout`;

function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
