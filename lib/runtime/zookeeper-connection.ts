import { connect, type Socket } from 'node:net';
import { type Clock } from '../kube';
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
  operations,
  readFacts,
  reserved,
  type Change,
  type NodeFacts,
  type SessionTicket,
} from './zookeeper-wire';

/** One server of an ensemble. */
export interface Server {
  readonly host: string;
  readonly port: number;
}

/** An identity that is presented to ZooKeeper, read anew for each connection. */
export interface Identity {
  /** `digest`, or the name of a scheme that the ensemble was taught. */
  readonly scheme: string;
  /** Reads the secret; throws where it cannot. */
  secret(): Buffer;
}

/** How one connection is made. */
export interface ConnectionOptions {
  readonly server: Server;
  readonly ticket: SessionTicket;
  readonly identity: Identity | undefined;
  readonly clock: Clock;
  /** Milliseconds until the server must have let us in. */
  readonly patience: number;
  /** A node that was asked about has changed. */
  readonly onChange: (path: string) => void;
}

interface Waiting {
  readonly xid: number;
  readonly answer: (reader: RecordReader) => void;
  readonly fail: (error: Error) => void;
}

/**
 * One connection to one server of ZooKeeper, with one session on it.
 * It ends by itself when the server is silent for two thirds of the session timeout: a server that hangs keeps its sockets open.
 */
export class ZookeeperConnection {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  readonly #frames = new FrameReader();
  #xid = 0;
  #isOpen = false;
  #cancelTimers: (() => void)[] = [];
  #ticket: SessionTicket;
  #heard: number;
  #settle: ((error?: Error) => void) | undefined;
  /** Resolves, with the reason in words, when the connection is over. */
  readonly closed: Promise<string>;

  private constructor(private readonly options: ConnectionOptions) {
    this.#ticket = options.ticket;
    this.#heard = options.clock.now();
    this.#socket = connect({ host: options.server.host, port: options.server.port, noDelay: true });
    let reason = 'the server closed it';
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

  /** Connects and opens or resumes the session. Rejects with `sessionExpired` where the server knows it no longer. */
  static open(options: ConnectionOptions): Promise<ZookeeperConnection> {
    const connection = new ZookeeperConnection(options);
    return new Promise((resolve, reject) => {
      const giveUp = options.clock.after(options.patience, () => connection.destroy('no answer in time'));
      connection.#settle = (error) => {
        giveUp();
        connection.#settle = undefined;
        if (error) reject(error);
        else resolve(connection);
      };
      void connection.closed.then((reason) => connection.#settle?.(new Error(reason)));
    });
  }

  /** The session as the server granted it. */
  get ticket(): SessionTicket {
    return this.#ticket;
  }

  /** Facts about a node, undefined where there is none; its next change is told through `onChange`. */
  exists(path: string): Promise<NodeFacts | undefined> {
    return this.#send((xid) => existsFrame(xid, path), readFacts).catch((error: unknown) => {
      if (error instanceof ZookeeperError && error.code === zookeeperCodes.noNode) return undefined;
      throw error;
    });
  }

  /** Carries out all changes or none. */
  change(changes: readonly Change[]): Promise<void> {
    return this.#send((xid) => changeFrame(xid, changes), expectChanges);
  }

  /** Ends the session, and with it all its nodes; resolves when the server says so. */
  endSession(): Promise<void> {
    return this.#send(
      (xid) => bareFrame(xid, operations.close),
      () => undefined,
    );
  }

  /** Ends the connection at once; the session lives on until its timeout. */
  destroy(reason: string): void {
    this.#socket.destroy(new Error(reason));
  }

  #send<T>(frame: (xid: number) => Buffer, read: (reader: RecordReader) => T): Promise<T> {
    if (!this.#isOpen) return Promise.reject(new ZookeeperError(zookeeperCodes.connectionLoss));
    return new Promise((resolve, reject) => {
      const xid = (this.#xid = (this.#xid + 1) & 0x7fffffff);
      const answer = (reader: RecordReader): void => {
        try {
          resolve(read(reader));
        } catch (error) {
          reject(error as Error);
        }
      };
      this.#waiting.push({ xid, answer, fail: reject });
      this.#socket.write(frame(xid));
    });
  }

  #receive(bytes: Buffer): void {
    this.#heard = this.options.clock.now();
    try {
      for (const frame of this.#frames.take(bytes)) {
        if (this.#isOpen) this.#take(new RecordReader(frame));
        else this.#welcome(new RecordReader(frame));
      }
    } catch (error) {
      this.destroy(`the server's answer cannot be read: ${(error as Error).message}`);
    }
  }

  #welcome(reader: RecordReader): void {
    reader.int();
    const timeout = reader.int();
    const id = reader.long();
    if (timeout <= 0) {
      this.#settle?.(new ZookeeperError(zookeeperCodes.sessionExpired));
      this.#socket.destroy();
      return;
    }
    this.#ticket = { id, password: Buffer.from(reader.bytes()), timeout };
    const { identity } = this.options;
    if (identity) this.#socket.write(authFrame(identity.scheme, identity.secret()));
    this.#isOpen = true;
    this.#beat(timeout / 3);
    this.#settle?.();
  }

  #beat(interval: number): void {
    if (this.options.clock.now() - this.#heard > 2 * interval) return this.destroy('the server is silent');
    this.#socket.write(bareFrame(reserved.ping, operations.ping));
    this.#cancelTimers = [this.options.clock.after(interval, () => this.#beat(interval))];
  }

  #take(reader: RecordReader): void {
    const xid = reader.int();
    reader.long();
    const code = reader.int();
    if (xid === reserved.watch) {
      reader.int();
      reader.int();
      return this.options.onChange(reader.bytes().toString());
    }
    if (xid === reserved.auth && code !== 0) return this.destroy('the server refused our identity');
    if (xid < 0) return;
    const waiting = this.#waiting.shift();
    if (waiting?.xid !== xid) return this.destroy('the server answered out of order');
    if (code !== 0) waiting.fail(new ZookeeperError(code));
    else waiting.answer(reader);
  }

  #end(): void {
    this.#isOpen = false;
    for (const cancel of this.#cancelTimers) cancel();
    for (const { fail } of this.#waiting.splice(0)) fail(new ZookeeperError(zookeeperCodes.connectionLoss));
  }
}
