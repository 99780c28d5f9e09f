import { connect, type Socket } from 'node:net';

/** Operation codes of the observer's requests. */
export const requests = { getData: 4, getChildren: 8 } as const;

/** Response of ZooKeeper: code 0 with a body, or an error code. */
export interface PlainResponse {
  readonly code: number;
  readonly body: Buffer;
}

/**
 * A connection to ZooKeeper for observation, with one request at a time and a timeout.
 * It shares no code with the registrar's; node-zookeeper-client fails when a server hangs or is killed.
 */
export class PlainConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #resolve: ((frame: Buffer) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;
  #xid = 0;

  private constructor(port: number, timeoutMs: number) {
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket.setTimeout(timeoutMs, () => this.#socket.destroy());
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#reject?.(new Error('the connection is closed')));
    this.#socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      const length = this.#received.length < 4 ? Infinity : this.#received.readInt32BE();
      if (this.#received.length < 4 + length) return;
      const frame = this.#received.subarray(4, 4 + length);
      this.#received = this.#received.subarray(4 + length);
      this.#resolve?.(frame);
    });
  }

  /** Connects with a new session; rejects after a timeout in milliseconds. */
  static async open(port: number, timeoutMs: number): Promise<PlainConnection> {
    const connection = new PlainConnection(port, timeoutMs);
    const connectRequest = Buffer.alloc(45);
    connectRequest.writeInt32BE(10_000, 12); // the session timeout; before it the version and the last zxid seen
    connectRequest.writeInt32BE(16, 24); // the length of the password; before it the session, 0 for a new one
    await connection.#exchange(connectRequest);
    return connection;
  }

  /** Sends a request about a node. */
  async request(request: number, path: string): Promise<PlainResponse> {
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
      if (this.#socket.destroyed) return reject(new Error('the connection is closed'));
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(Buffer.concat([length, message]));
    });
  }
}
