import { connect, type Socket } from 'node:net';
import { type Clock } from '../../process';
import { FrameReader } from './frame-reader';
import { RecordReader } from './jute';
import { ZookeeperError, zookeeperCodes } from './zookeeper-error';
import {
  authFrame,
  bareFrame,
  changeFrame,
  connectFrame,
  existsFrame,
  expectChanges,
  opCodes,
  readStat,
  reserved,
  type NodeChange,
  type NodeStat,
  type SessionTicket,
} from './zookeeper-wire';

/** Server of an ensemble. */
export interface ZookeeperServer {
  readonly host: string;
  readonly port: number;
}

/** Identity to authenticate with, read again for each connection. */
export interface ZookeeperIdentity {
  /** Authentication scheme: `digest` or one that the ensemble supports. */
  readonly scheme: string;
  /** Reads the secret; throws if it cannot be read. */
  secret(): Buffer;
}

/** Options of a connection. */
export interface ZookeeperConnectionOptions {
  readonly server: ZookeeperServer;
  readonly ticket: SessionTicket;
  readonly identity: ZookeeperIdentity | undefined;
  readonly clock: Clock;
  /** Milliseconds until the session must be established. */
  readonly connectTimeout: number;
  /** Called when a watched node changes. */
  readonly onChange: (path: string) => void;
}

interface PendingResponse {
  readonly xid: number;
  readonly resolve: (reader: RecordReader) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Connection to one ZooKeeper server with one session.
 * It closes when nothing arrives for two thirds of the session timeout, because a hung server keeps its sockets open.
 */
export class ZookeeperConnection {
  readonly #socket: Socket;
  readonly #pending: PendingResponse[] = [];
  readonly #frames = new FrameReader();
  #xid = 0;
  #isOpen = false;
  #cancelTimers: (() => void)[] = [];
  #ticket: SessionTicket;
  #lastReceived: number;
  #settleOpen: ((error?: Error) => void) | undefined;
  /** Resolves with the reason when the connection closes. */
  readonly closed: Promise<string>;

  private constructor(private readonly options: ZookeeperConnectionOptions) {
    this.#ticket = options.ticket;
    this.#lastReceived = options.clock.now();
    this.#socket = connect({ host: options.server.host, port: options.server.port, noDelay: true });
    let reason = 'closed by the server';
    this.closed = new Promise((resolve) => {
      this.#socket.on('error', (error) => (reason = (error as NodeJS.ErrnoException).code ?? error.message));
      this.#socket.once('close', () => {
        this.#end();
        resolve(reason);
      });
    });
    this.#socket.once('connect', () => this.#socket.write(connectFrame(options.ticket)));
    this.#socket.on('data', (bytes) => this.#receive(bytes));
  }

  /** Connects and opens or resumes the session. Rejects with `sessionExpired` if the session has expired. */
  static open(options: ZookeeperConnectionOptions): Promise<ZookeeperConnection> {
    const connection = new ZookeeperConnection(options);
    return new Promise((resolve, reject) => {
      const cancelTimeout = options.clock.after(options.connectTimeout, () =>
        connection.destroy('no response in time'),
      );
      connection.#settleOpen = (error) => {
        cancelTimeout();
        connection.#settleOpen = undefined;
        if (error) reject(error);
        else resolve(connection);
      };
      void connection.closed.then((reason) => connection.#settleOpen?.(new Error(reason)));
    });
  }

  /** Session that the server granted. */
  get ticket(): SessionTicket {
    return this.#ticket;
  }

  /** Reads a node's Stat, undefined if it does not exist, and watches it: its next change calls `onChange`. */
  exists(path: string): Promise<NodeStat | undefined> {
    return this.#send((xid) => existsFrame(xid, path), readStat).catch((error: unknown) => {
      if (error instanceof ZookeeperError && error.code === zookeeperCodes.noNode) return undefined;
      throw error;
    });
  }

  /** Applies all changes or none. */
  change(changes: readonly NodeChange[]): Promise<void> {
    return this.#send((xid) => changeFrame(xid, changes), expectChanges);
  }

  /** Ends the session, which deletes its ephemeral nodes; resolves when the server confirms. */
  endSession(): Promise<void> {
    return this.#send(
      (xid) => bareFrame(xid, opCodes.close),
      () => undefined,
    );
  }

  /** Closes the connection at once; the session remains until its timeout. */
  destroy(reason: string): void {
    this.#socket.destroy(new Error(reason));
  }

  #send<T>(frame: (xid: number) => Buffer, decode: (reader: RecordReader) => T): Promise<T> {
    if (!this.#isOpen) return Promise.reject(new ZookeeperError(zookeeperCodes.connectionLoss));
    return new Promise((resolve, reject) => {
      const xid = (this.#xid = (this.#xid + 1) & 0x7fffffff);
      const read = (reader: RecordReader): void => {
        try {
          resolve(decode(reader));
        } catch (error) {
          reject(error);
        }
      };
      this.#pending.push({ xid, resolve: read, fail: reject });
      this.#socket.write(frame(xid));
    });
  }

  #receive(bytes: Buffer): void {
    this.#lastReceived = this.options.clock.now();
    try {
      for (const frame of this.#frames.take(bytes)) {
        if (this.#isOpen) this.#process(new RecordReader(frame));
        else this.#establish(new RecordReader(frame));
      }
    } catch (error) {
      this.destroy(`invalid response: ${(error as Error).message}`);
    }
  }

  #establish(reader: RecordReader): void {
    reader.int();
    const timeout = reader.int();
    const id = reader.long();
    if (timeout <= 0) {
      this.#settleOpen?.(new ZookeeperError(zookeeperCodes.sessionExpired));
      this.#socket.destroy();
      return;
    }
    this.#ticket = { id, password: Buffer.from(reader.bytes()), timeout };
    const { identity } = this.options;
    if (identity) this.#socket.write(authFrame(identity.scheme, identity.secret()));
    this.#isOpen = true;
    this.#heartbeat(timeout / 3);
    this.#settleOpen?.();
  }

  #heartbeat(interval: number): void {
    if (this.options.clock.now() - this.#lastReceived > 2 * interval)
      return this.destroy('no heartbeat from the server');
    this.#socket.write(bareFrame(reserved.ping, opCodes.ping));
    this.#cancelTimers = [this.options.clock.after(interval, () => this.#heartbeat(interval))];
  }

  #process(reader: RecordReader): void {
    const xid = reader.int();
    reader.long();
    const code = reader.int();
    if (xid === reserved.watch) {
      reader.int();
      reader.int();
      return this.options.onChange(reader.bytes().toString());
    }
    if (xid === reserved.auth && code !== 0) return this.destroy('authentication failed');
    if (xid < 0) return;
    const pending = this.#pending.shift();
    if (pending?.xid !== xid) return this.destroy('response out of order');
    if (code !== 0) pending.fail(new ZookeeperError(code));
    else pending.resolve(reader);
  }

  #end(): void {
    this.#isOpen = false;
    for (const cancel of this.#cancelTimers) cancel();
    for (const { fail } of this.#pending.splice(0)) fail(new ZookeeperError(zookeeperCodes.connectionLoss));
  }
}
