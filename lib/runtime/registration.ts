import { exponentialDelay, type Clock, type Log } from '../process';
import { type ZookeeperSession } from './zookeeper/zookeeper-session';
import { ZookeeperError, zookeeperCodes } from './zookeeper/zookeeper-error';
import { type NodeAccess, type NodeChange, type NodeStat } from './zookeeper/zookeeper-wire';

/** Options of a registration. */
export interface RegistrationOptions {
  /** Absolute path of the node. */
  readonly path: string;
  readonly data: Buffer;
  readonly access: NodeAccess;
  readonly session: ZookeeperSession;
  readonly clock: Clock;
  readonly log: Log;
}

/** State of the node: unknown without a connection, `superseded` if a newer registrar of the pod owns it. */
export type RegistrationState = 'unknown' | 'present' | 'absent' | 'superseded';

/** Codes that mean that the node changed between the read and the write: reconcile again at once. */
const conflictCodes: readonly number[] = [zookeeperCodes.nodeExists, zookeeperCodes.badVersion, zookeeperCodes.noNode];
/** Maximum consecutive reconciles without a delay. */
const maxReconciles = 10;

/**
 * Keeps the pod's node in its desired state: level-triggered, it reads the node and changes only what differs.
 * An entry of another session is replaced in one transaction with a version check, so that readers see exactly one.
 * Only the first entry of a process may replace a foreign one: a later foreign entry belongs to a newer registrar of the pod.
 */
export class Registration {
  #desired: boolean | undefined;
  #state: RegistrationState = 'unknown';
  #hasOwned = false;
  #running: Promise<void> | undefined;
  #pending = false;
  #failures = 0;
  #cancelRetry: () => void = () => undefined;
  /** Created, replaced and removed entries, and failed requests, for metrics. */
  readonly counts = { created: 0, replaced: 0, removed: 0, failed: 0 };

  constructor(private readonly options: RegistrationOptions) {}

  get state(): RegistrationState {
    return this.options.session.isConnected ? this.#state : 'unknown';
  }

  /** Whether the node is in its desired state; true while none is set. */
  get isSettled(): boolean {
    if (this.#desired === undefined) return true;
    return this.state === 'superseded' || this.state === (this.#desired ? 'present' : 'absent');
  }

  /** Sets whether the entry should exist. Before the first call nothing is changed. */
  setDesired(isDesired: boolean): void {
    this.#desired = isDesired;
    this.reconcile();
  }

  /** Reconciles after a reconnect: the session, and with it the entry, may have expired. */
  handleReconnect(): void {
    this.#state = 'unknown';
    this.reconcile();
  }

  /** Reconciles the node; calls during a reconcile run it once more. */
  reconcile(): void {
    this.#pending = true;
    this.#cancelRetry();
    this.#running ??= this.#run();
  }

  /** Resolves when no reconcile is running. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let count = 0; this.#pending && count < maxReconciles; count += 1) {
      this.#pending = false;
      try {
        await this.#reconcileOnce();
        this.#failures = 0;
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#running = undefined;
    if (this.#pending) this.#retry();
  }

  async #reconcileOnce(): Promise<void> {
    const { session, path } = this.options;
    if (this.#desired === undefined || !session.isConnected) return;
    const found = await session.exists(path);
    const isOwn = found !== undefined && session.isOwn(found.owner);
    if (found && !isOwn && this.#hasOwned) return this.#setState('superseded');
    if (!this.#desired) {
      if (found) await this.#change([{ type: 'delete', path, version: found.version }], 'removed');
      return this.#setState('absent');
    }
    if (!found) await this.#create();
    else if (found.owner !== session.id) await this.#replace(found);
    else if (found.version !== 0) await this.#replace(found);
    this.#hasOwned = true;
    this.#setState('present');
  }

  async #create(): Promise<void> {
    try {
      await this.#change([this.#entry()], 'created');
    } catch (error) {
      if (!(error instanceof ZookeeperError && error.code === zookeeperCodes.noNode)) throw error;
      await this.#createParents();
      await this.#change([this.#entry()], 'created');
    }
    // Only a read sets a watch, which reports when another client removes the entry.
    this.#pending = true;
  }

  async #replace(found: NodeStat): Promise<void> {
    const { path } = this.options;
    await this.#change([{ type: 'delete', path, version: found.version }, this.#entry()], 'replaced');
    this.#pending = true;
  }

  #entry(): NodeChange {
    const { path, data, access } = this.options;
    return { type: 'create', path, data, ephemeral: true, access };
  }

  async #change(changes: readonly NodeChange[], count: 'created' | 'replaced' | 'removed'): Promise<void> {
    await this.options.session.change(changes);
    this.counts[count] += 1;
    this.options.log.info(`entry ${count}`, { path: this.options.path });
  }

  async #createParents(): Promise<void> {
    const { path, session, access } = this.options;
    const segments = path.split('/').slice(1, -1);
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const folder = `/${segments.slice(0, depth).join('/')}`;
      if (await session.exists(folder)) continue;
      await session
        .change([{ type: 'create', path: folder, data: Buffer.alloc(0), ephemeral: false, access }])
        .catch((error: unknown) => {
          if (!(error instanceof ZookeeperError && error.code === zookeeperCodes.nodeExists)) throw error;
        });
    }
  }

  #setState(state: RegistrationState): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === 'superseded')
      this.options.log.warn('a newer registrar of this pod owns the entry', {
        path: this.options.path,
      });
  }

  #fail(error: unknown): void {
    this.#state = 'unknown';
    // The reconnect reconciles again.
    if (error instanceof ZookeeperError && error.code === zookeeperCodes.connectionLoss) return;
    if (error instanceof ZookeeperError && conflictCodes.includes(error.code)) {
      this.#pending = true;
      return;
    }
    this.counts.failed += 1;
    this.options.log.error('ZooKeeper rejected a change', { path: this.options.path, reason: String(error) });
    this.#retry();
  }

  #retry(): void {
    const { clock } = this.options;
    this.#failures += 1;
    const maxDelay = exponentialDelay(this.#failures, { start: 250, cap: 10_000 });
    this.#cancelRetry = clock.after(maxDelay / 2 + (clock.random() * maxDelay) / 2, () => this.reconcile());
  }
}
