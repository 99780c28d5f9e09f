import { completesWithin, exponentialDelay, type Clock, type Log } from '../../process';
import { ZookeeperConnection, type ZookeeperIdentity, type ZookeeperServer } from './zookeeper-connection';
import { ZookeeperError, zookeeperCodes } from './zookeeper-error';
import { type NodeChange, type NodeStat, type SessionTicket } from './zookeeper-wire';

/** Options of a session. */
export interface SessionOptions {
  /** Servers of the ensemble, tried in random order. */
  readonly servers: readonly ZookeeperServer[];
  /** Session timeout in milliseconds; the ensemble may grant another one. */
  readonly timeout: number;
  /** @default - none */
  readonly identity?: ZookeeperIdentity | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Receiver of session events. */
export interface SessionListener {
  /** Called when a connection is established; watches of the previous one are lost. */
  connected(): void;
  /** Called when a watched node changes. */
  changed(path: string): void;
}

/** Milliseconds after which a connection counts as stable and resets the back-off. */
const stableAfter = 1_000;
/** Maximum number of earlier session IDs that count as this process's own. */
const maxPreviousSessions = 16;

/**
 * ZooKeeper session that survives lost connections, and is replaced at once when it expires.
 * Between attempts it waits a random time whose maximum doubles, up to five seconds or a third of the timeout.
 */
export class ZookeeperSession {
  #ticket: SessionTicket;
  #connection: ZookeeperConnection | undefined;
  #previousIds: bigint[] = [];
  #isClosing = false;
  #hasEnded = false;
  #resolveFinished: () => void = () => undefined;
  readonly #finished = new Promise<void>((resolve) => (this.#resolveFinished = resolve));
  #wake: (() => void) | undefined;
  #failures = 0;
  #next = 0;
  readonly #servers: readonly ZookeeperServer[];
  /** Expired sessions and lost connections, for metrics. */
  readonly counts = { expired: 0, lost: 0 };

  constructor(
    private readonly options: SessionOptions,
    private readonly listener: SessionListener,
  ) {
    this.#ticket = newTicket(options.timeout);
    this.#servers = shuffled(options.servers, options.clock);
  }

  /** Connects, and reconnects until the session is closed. */
  start(): void {
    void this.#run();
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** ID of the current session; 0 before the first. */
  get id(): bigint {
    return this.#ticket.id;
  }

  /** Returns whether a session is the current or an earlier one of this process. */
  isOwn(owner: bigint): boolean {
    return owner !== 0n && (owner === this.id || this.#previousIds.includes(owner));
  }

  /** Reads a node's Stat, undefined if it does not exist, and watches it: its next change notifies the listener. */
  exists(path: string): Promise<NodeStat | undefined> {
    return this.#connection?.exists(path) ?? rejectLost();
  }

  /** Applies all changes or none. */
  change(changes: readonly NodeChange[]): Promise<void> {
    return this.#connection?.change(changes) ?? rejectLost();
  }

  /**
   * Ends the session; reconnects to do so if necessary.
   * Returns true if the end is confirmed, and its nodes are deleted, within `timeout` milliseconds.
   */
  close(timeout: number): Promise<boolean> {
    this.#isClosing = true;
    if (this.id === 0n) this.#finish();
    this.#wake?.();
    if (this.#connection) void this.#endOn(this.#connection);
    return completesWithin(this.options.clock, timeout, this.#finished);
  }

  async #run(): Promise<void> {
    while (!this.#hasEnded) {
      const server = this.#servers[this.#next++ % this.#servers.length];
      if (!server || (await this.#attempt(server))) continue;
      await this.#pause();
    }
  }

  /** Keeps a connection to one server until it closes; returns true if the next attempt need not wait. */
  async #attempt(server: ZookeeperServer): Promise<boolean> {
    const { clock, identity, log, timeout } = this.options;
    const connectTimeout = Math.min(5_000, Math.max(500, timeout / (this.#servers.length + 1)));
    const onChange = (path: string): void => this.listener.changed(path);
    try {
      const connection = await ZookeeperConnection.open({
        server,
        ticket: this.#ticket,
        identity,
        clock,
        connectTimeout,
        onChange,
      });
      const start = clock.now();
      log.info('connected to ZooKeeper', {
        server: `${server.host}:${server.port}`,
        session: hex(connection.ticket.id),
      });
      this.#use(connection);
      const reason = await connection.closed;
      this.#connection = undefined;
      if (this.#hasEnded) return true;
      this.counts.lost += 1;
      if (clock.now() - start > stableAfter) this.#failures = 0;
      log.warn('connection to ZooKeeper lost', { server: `${server.host}:${server.port}`, reason });
      return false;
    } catch (error) {
      if (error instanceof ZookeeperError && error.code === zookeeperCodes.sessionExpired) return this.#renew();
      this.#failures += 1;
      log.warn('cannot connect to ZooKeeper', { server: `${server.host}:${server.port}`, reason: String(error) });
      return false;
    }
  }

  #use(connection: ZookeeperConnection): void {
    this.#connection = connection;
    this.#ticket = connection.ticket;
    if (this.#isClosing) void this.#endOn(connection);
    else this.listener.connected();
  }

  /** Ends the session on a connection; if the response is lost, the next connection tries again. */
  async #endOn(connection: ZookeeperConnection): Promise<void> {
    await connection.endSession().then(
      () => this.#finish(),
      () => undefined,
    );
    connection.destroy('the session was closed');
  }

  #finish(): void {
    this.#hasEnded = true;
    this.#resolveFinished();
  }

  #renew(): boolean {
    if (this.#isClosing) {
      this.#finish();
      return true;
    }
    this.options.log.warn('ZooKeeper session expired; opening a new one', { session: hex(this.id) });
    this.counts.expired += 1;
    this.#previousIds = [this.id, ...this.#previousIds].slice(0, maxPreviousSessions);
    this.#ticket = newTicket(this.options.timeout);
    this.#next -= 1;
    return true;
  }

  /** Waits a random time, so that the clients of a failed server do not connect to the next one at the same moment. */
  async #pause(): Promise<void> {
    const { clock, timeout } = this.options;
    const cap = Math.min(5_000, timeout / 3);
    const rounds = Math.max(0, this.#failures - this.#servers.length + 1);
    await new Promise<void>((resolve) => {
      const cancel = clock.after(clock.random() * exponentialDelay(rounds, { start: 100, cap }), resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

const newTicket = (timeout: number): SessionTicket => ({ id: 0n, password: Buffer.alloc(16), timeout });
const rejectLost = (): Promise<never> => Promise.reject(new ZookeeperError(zookeeperCodes.connectionLoss));
const hex = (id: bigint): string => `0x${BigInt.asUintN(64, id).toString(16)}`;

function shuffled<T>(items: readonly T[], clock: Clock): T[] {
  return items
    .map((item) => ({ item, rank: clock.random() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item);
}
