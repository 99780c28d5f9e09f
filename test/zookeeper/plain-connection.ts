import { connect, type Socket } from 'node:net';

/** Numbers of the requests that the observer sends. */
export const requests = { getData: 4, getChildren: 8 } as const;

/** What ZooKeeper answered: 0 with a body, or the number of a refusal. */
export interface PlainAnswer {
  readonly code: number;
  readonly body: Buffer;
}

/**
 * A connection to ZooKeeper that asks one thing at a time and gives up where no answer comes: for looking on.
 * It shares nothing with the registrar's own; node-zookeeper-client loses its way when a server hangs or is killed.
 */
export class PlainConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #take: ((frame: Buffer) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;
  #xid = 0;

  private constructor(port: number, patience: number) {
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket.setTimeout(patience, () => this.#socket.destroy());
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#fail?.(new Error('the connection is over')));
    this.#socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      const length = this.#received.length < 4 ? Infinity : this.#received.readInt32BE();
      if (this.#received.length < 4 + length) return;
      const frame = this.#received.subarray(4, 4 + length);
      this.#received = this.#received.subarray(4 + length);
      this.#take?.(frame);
    });
  }

  /** Connects with a session of its own; rejects where that takes longer than so many milliseconds. */
  static async open(port: number, patience: number): Promise<PlainConnection> {
    const connection = new PlainConnection(port, patience);
    const wish = Buffer.alloc(45);
    wish.writeInt32BE(10_000, 12); // the session's timeout; before it the version and the last change seen
    wish.writeInt32BE(16, 24); // the length of the password; before it the session, 0 for a new one
    await connection.#exchange(wish);
    return connection;
  }

  /** Asks for something about a node. */
  async ask(request: number, path: string): Promise<PlainAnswer> {
    const name = Buffer.from(path);
    const message = Buffer.alloc(13 + name.length);
    message.writeInt32BE((this.#xid += 1), 0);
    message.writeInt32BE(request, 4);
    message.writeInt32BE(name.length, 8);
    name.copy(message, 12);
    const frame = await this.#exchange(message);
    return { code: frame.readInt32BE(12), body: frame.subarray(16) };
  }

  close(): void {
    this.#socket.destroy();
  }

  #exchange(message: Buffer): Promise<Buffer> {
    const length = Buffer.alloc(4);
    length.writeInt32BE(message.length);
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the connection is over'));
      this.#take = resolve;
      this.#fail = reject;
      this.#socket.write(Buffer.concat([length, message]));
    });
  }
}
