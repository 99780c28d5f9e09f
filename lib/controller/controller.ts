import { type Registry } from 'prom-client';
import { isWorkloadKind, type PlatformKind } from '../api';
import {
  type Clock,
  EventRecorder,
  InformerFactory,
  type KubeClient,
  QueueMetrics,
  type ReflectorTuning,
  type Resource,
  WorkQueue,
  type WorkResult,
} from '../kube';
import { ClusterFacts } from './cluster-facts';
import { ClusterHands, NotLeadingError } from './cluster-hands';
import { GangClaims } from './conduct/gang-claims';
import { InformerStores } from './observed/informer-stores';
import { errorText, type Log } from './log';
import { noticedHands } from './noticed-hands';
import { Expansions } from './pass-expansion';
import { Passes } from './passes';
import { reconcilePlatform } from './reconcile-platform';
import { ReconcileMetrics } from './reconcile-metrics';
import { reconcileWorkload } from './reconcile-workload';
import { type Next, type Surroundings } from './surroundings';
import { documentOf, type KeyedDocument, type WorkKey } from './work-key';
import { wire, type Wires } from './wiring';

/** What a controller is made of. */
export interface ControllerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: Registry;
  /** Whether this process may write; asked before every request that changes something. */
  readonly isLeading: () => boolean;
  /** Documents that are worked on at the same time. @default 16 */
  readonly workers?: number;
  /** Says what would be done and does nothing. @default false */
  readonly dryRun?: boolean;
  /** Name of this process in its events. */
  readonly instance: string;
  /** How lists and watches behave. @default - as client-go's */
  readonly reflector?: ReflectorTuning;
}

/** First and longest delay of a document whose pass failed, in milliseconds. */
const retries = { retryBase: 50, retryCap: 60_000 };
/** A request that the server asks to send later again and again takes 20 minutes at most; a pass without any answer for longer hangs. */
const hanging = 30 * 60_000;
/** Milliseconds until everything is looked at again, up to a tenth more: what changes unseen, such as a class of storage, is seen then. */
const resyncInterval = 10 * 60_000;

/** Thrown so that the queue brings a document again with back-off; what was refused is told in its status. */
class RefusedError extends Error {
  override readonly name = 'RefusedError' as const;
}

/** The controller: informers that mirror the cluster, a queue of documents that changed, and workers that reconcile them. */
export class Controller {
  readonly #options: ControllerOptions;
  readonly #factory: InformerFactory;
  readonly #queue: WorkQueue;
  readonly #recorder: EventRecorder;
  readonly #surroundings: Surroundings;
  readonly #stores: InformerStores;
  readonly #metrics: ReconcileMetrics;
  /** When something was last heard of each pass under way. */
  readonly #underWay = new Map<WorkKey, number>();
  /** Why the list of a resource did not come, by plural. */
  readonly #unlisted = new Map<string, string>();
  #workers: Promise<void> | undefined;
  #takeBackResync: (() => void) | undefined;

  constructor(options: ControllerOptions) {
    const { client, clock, log, registry, isLeading, dryRun = false, instance } = options;
    this.#options = options;
    this.#factory = new InformerFactory({
      ...options.reflector,
      client,
      clock,
      registry,
      onError: (error: unknown, resource: Resource) => {
        const text = errorText(error);
        if (!this.hasSynced()) this.#unlisted.set(resource.plural, text);
        log.warn('watch failed', { resource: resource.plural, error: text });
      },
      onBroken: (key: string, error: unknown, resource: Resource) =>
        log.error('object set aside', { resource: resource.plural, key, error: errorText(error) }),
    });
    const stores = new InformerStores(this.#factory);
    const facts = new ClusterFacts({
      platform: () => stores.document('Platform', '', 'cluster'),
      profile: (name) => stores.document('RuntimeProfile', '', name),
      project: (name) => stores.document('Project', '', name),
    });
    this.#queue = new WorkQueue({ clock, ...retries, meter: new QueueMetrics(registry, clock).meter('pinion') });
    this.#recorder = new EventRecorder({
      client,
      clock,
      component: 'pinion',
      instance,
      onError: (error) => log.warn('event not recorded', { error: errorText(error) }),
    });
    const hands = new ClusterHands({ client, stores, recorder: this.#recorder, log, isLeading, dryRun });
    const passes = new Passes();
    const gangs = new GangClaims();
    this.#stores = stores;
    this.#surroundings = { stores, facts, hands, passes, gangs, expansions: new Expansions(), now: () => clock.now() };
    this.#metrics = new ReconcileMetrics(registry, stores);
    // Until it leads, it keeps no keys: those of documents that come and go would pile up.
    const queue: Wires['queue'] = {
      add: (key) => this.#workers && this.#queue.add(key),
      addAfter: (key, milliseconds) => this.#workers && this.#queue.addAfter(key, milliseconds),
    };
    wire({ stores, queue, passes, facts, hands, gangs });
  }

  /** Begins to mirror the cluster; fulfilled when all of it is known. */
  async start(signal?: AbortSignal): Promise<void> {
    this.#factory.start();
    await this.#factory.waitForSync(signal);
    this.#unlisted.clear();
  }

  /** Begins to reconcile. Once only. */
  lead(): void {
    const { workers = 16, log } = this.#options;
    if (this.#workers) return;
    this.#workers = this.#queue.run(
      workers,
      (key) => this.#work(key),
      (error, key) => {
        if (error instanceof NotLeadingError || error instanceof RefusedError) log.debug(error.message, { key });
        else log.warn('pass failed', { key, error: errorText(error) });
      },
    );
    for (const key of this.#stores.allKeys()) this.#queue.add(key);
    this.#planResync();
  }

  /** Puts every document into the queue again, behind those that changed; `trusting` what earlier passes found out, or not. */
  resync({ trusting = false }: { readonly trusting?: boolean } = {}): void {
    if (!trusting) this.#surroundings.passes.startOver();
    for (const key of this.#stores.allKeys()) this.#queue.add(key, 'resync');
  }

  /** Fulfilled when no document waits and none is worked on. */
  idle(): Promise<void> {
    return this.#queue.drain();
  }

  /** Finishes the passes under way and starts no more. */
  async rest(): Promise<void> {
    this.#takeBackResync?.();
    await this.#queue.shutDown({ discard: true });
    await this.#workers;
  }

  /** Finishes the passes under way, starts no more, and ends all watches. */
  async stop(): Promise<void> {
    await this.rest();
    await this.#recorder.stop();
    await this.#factory.stop();
  }

  /** Whether the first list of every kind is in. */
  hasSynced(): boolean {
    return this.#factory.hasSynced();
  }

  /** Why it could not take over now: the kinds whose first list is not in, and why; undefined where it could. */
  unready(): string | undefined {
    const missing = this.#factory.unsynced();
    if (missing.length === 0) return undefined;
    const told = missing.map((plural) => {
      const why = this.#unlisted.get(plural);
      return why === undefined ? plural : `${plural} (${why})`;
    });
    return `the cluster is not mirrored yet: ${told.join(', ')}`;
  }

  /** Why the process should be started anew; undefined while it is well. */
  sick(): string | undefined {
    const now = this.#options.clock.now();
    for (const [key, since] of this.#underWay) if (now - since > hanging) return `the pass over ${key} hangs`;
    return undefined;
  }

  #planResync(): void {
    const { clock } = this.#options;
    this.#takeBackResync = clock.after(resyncInterval * (1 + clock.random() / 10), () => {
      this.resync();
      this.#planResync();
    });
  }

  async #work(key: WorkKey): Promise<WorkResult> {
    const { clock } = this.#options;
    const begun = clock.now();
    const heard = () => void this.#underWay.set(key, clock.now());
    heard();
    const document = documentOf(key);
    const hands = noticedHands(this.#surroundings.hands, heard);
    let result: 'done' | 'refused' | 'failed' = 'failed';
    try {
      const { again, retry } = await this.#reconcile(document, { ...this.#surroundings, hands });
      result = retry ? 'refused' : 'done';
      if (again !== undefined) this.#queue.addAfter(key, Math.max(1, again));
      if (retry) throw new RefusedError('something was refused or overtaken');
      return {};
    } finally {
      this.#underWay.delete(key);
      this.#metrics.passed(document.kind, result, (clock.now() - begun) / 1000);
    }
  }

  #reconcile(document: KeyedDocument, surroundings: Surroundings): Promise<Next> {
    return isWorkloadKind(document.kind)
      ? reconcileWorkload(document, surroundings)
      : reconcilePlatform({ ...document, kind: document.kind as PlatformKind }, surroundings);
  }
}
