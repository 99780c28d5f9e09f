import { type Clock } from '../kube';
import { ZookeeperConnection, type Identity, type Server } from './zookeeper-connection';
import { type Log } from './log';
import { within } from './within';
import { ZookeeperError, zookeeperCodes } from './zookeeper-error';
import { type Change, type NodeFacts, type SessionTicket } from './zookeeper-wire';

/** How a session is kept. */
export interface SessionOptions {
  /** The ensemble; tried in an order of chance. */
  readonly servers: readonly Server[];
  /** Milliseconds without a sign of us after which the ensemble ends the session; it may grant more or less. */
  readonly timeout: number;
  /** @default - nobody in particular */
  readonly identity?: Identity | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** What happens to a session. */
export interface SessionListener {
  /** There is a connection again; watches of the last one are gone. */
  connected(): void;
  /** A node that was asked about has changed. */
  changed(path: string): void;
}

/** A connection that lived so long, in milliseconds, is no sign of a server that turns us away. */
const steady = 1_000;
/** Sessions of before that are remembered as our own. */
const maxPast = 16;

/**
 * A session with ZooKeeper that is kept over lost connections and opened anew, at once, when the ensemble has ended it.
 * Between attempts it waits for a time of chance that doubles, up to five seconds or a third of the timeout.
 */
export class ZookeeperSession {
  #ticket: SessionTicket;
  #connection: ZookeeperConnection | undefined;
  #past: bigint[] = [];
  #isClosing = false;
  #isOver = false;
  #resolveFinished: () => void = () => undefined;
  readonly #finished = new Promise<void>((resolve) => (this.#resolveFinished = resolve));
  #wake: (() => void) | undefined;
  #failures = 0;
  #next = 0;
  readonly #servers: readonly Server[];
  /** Sessions that were opened after the first, and connections that were lost: for metrics. */
  readonly counts = { expired: 0, lost: 0 };

  constructor(
    private readonly options: SessionOptions,
    private readonly listener: SessionListener,
  ) {
    this.#ticket = newTicket(options.timeout);
    this.#servers = shuffled(options.servers, options.clock);
  }

  /** Connects, and goes on doing so until the session is closed. */
  start(): void {
    void this.#run();
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** Id of the present session; 0 before the first. */
  get id(): bigint {
    return this.#ticket.id;
  }

  /** Whether a session is this one or was an earlier one of this process. */
  isOurs(owner: bigint): boolean {
    return owner !== 0n && (owner === this.id || this.#past.includes(owner));
  }

  /** Facts about a node, undefined where there is none; its next change is told to the listener. */
  exists(path: string): Promise<NodeFacts | undefined> {
    return this.#connection?.exists(path) ?? lost();
  }

  /** Carries out all changes or none. */
  change(changes: readonly Change[]): Promise<void> {
    return this.#connection?.change(changes) ?? lost();
  }

  /**
   * Ends the session for good, and goes on trying where there is no connection.
   * True where within so many milliseconds it is known to be over: its nodes are gone then.
   */
  close(patience: number): Promise<boolean> {
    this.#isClosing = true;
    if (this.id === 0n) this.#finish();
    this.#wake?.();
    if (this.#connection) void this.#endOn(this.#connection);
    return within(this.options.clock, patience, this.#finished);
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const server = this.#servers[this.#next++ % this.#servers.length];
      if (!server || (await this.#attempt(server))) continue;
      await this.#pause();
    }
  }

  /** Talks to one server until that ends; true where the next attempt need not wait. */
  async #attempt(server: Server): Promise<boolean> {
    const { clock, identity, log, timeout } = this.options;
    const patience = Math.min(5_000, Math.max(500, timeout / (this.#servers.length + 1)));
    const onChange = (path: string): void => this.listener.changed(path);
    try {
      const connection = await ZookeeperConnection.open({
        server,
        ticket: this.#ticket,
        identity,
        clock,
        patience,
        onChange,
      });
      const begun = clock.now();
      log('info', 'connected to ZooKeeper', {
        server: `${server.host}:${server.port}`,
        session: hex(connection.ticket.id),
      });
      this.#keep(connection);
      const reason = await connection.closed;
      this.#connection = undefined;
      if (this.#isOver) return true;
      this.counts.lost += 1;
      if (clock.now() - begun > steady) this.#failures = 0;
      log('warn', 'lost the connection to ZooKeeper', { server: `${server.host}:${server.port}`, reason });
      return false;
    } catch (error) {
      if (error instanceof ZookeeperError && error.code === zookeeperCodes.sessionExpired) return this.#renew();
      this.#failures += 1;
      log('warn', 'ZooKeeper cannot be reached', { server: `${server.host}:${server.port}`, reason: String(error) });
      return false;
    }
  }

  #keep(connection: ZookeeperConnection): void {
    this.#connection = connection;
    this.#ticket = connection.ticket;
    if (this.#isClosing) void this.#endOn(connection);
    else this.listener.connected();
  }

  /** Where the answer does not come, the next connection tries again. */
  async #endOn(connection: ZookeeperConnection): Promise<void> {
    await connection.endSession().then(
      () => this.#finish(),
      () => undefined,
    );
    connection.destroy('the session was closed');
  }

  #finish(): void {
    this.#isOver = true;
    this.#resolveFinished();
  }

  #renew(): boolean {
    if (this.#isClosing) {
      this.#finish();
      return true;
    }
    this.options.log('warn', 'ZooKeeper has ended the session; a new one is opened', { session: hex(this.id) });
    this.counts.expired += 1;
    this.#past = [this.id, ...this.#past].slice(0, maxPast);
    this.#ticket = newTicket(this.options.timeout);
    this.#next -= 1;
    return true;
  }

  /** All who lose one server must not fall upon the next at the same moment. */
  async #pause(): Promise<void> {
    const { clock, timeout } = this.options;
    const longest = Math.min(5_000, timeout / 3, 100 * 2 ** Math.max(0, this.#failures - this.#servers.length + 1));
    await new Promise<void>((resolve) => {
      const cancel = clock.after(clock.random() * longest, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

const newTicket = (timeout: number): SessionTicket => ({ id: 0n, password: Buffer.alloc(16), timeout });
const lost = (): Promise<never> => Promise.reject(new ZookeeperError(zookeeperCodes.connectionLoss));
const hex = (id: bigint): string => `0x${BigInt.asUintN(64, id).toString(16)}`;

function shuffled<T>(items: readonly T[], clock: Clock): T[] {
  return items
    .map((item) => ({ item, rank: clock.random() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item);
}
