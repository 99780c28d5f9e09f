import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { listen } from '../../process';
import { type GatewayHandler } from './gateway-handler';

/** Bytes of the headers of a request: tokens of users in hundreds of groups exceed the 16 KiB of Node.js. */
const maxHeaderSize = 65_536;

/** Certificate chain and key, both in PEM. */
export interface ServingCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Where a gateway listens, and for what. */
export interface GatewayListenerOptions {
  /** Certificate and key; plain HTTP without them, for a proxy in front. */
  readonly tls?: ServingCertificate | undefined;
  /** @default 127.0.0.1 */
  readonly host?: string | undefined;
  /** 0 selects a free port. */
  readonly port: number;
  readonly handler: Pick<GatewayHandler, 'onRequest' | 'onUpgrade'>;
  /** Called for failures that are not a client's. */
  readonly onError: (error: unknown) => void;
}

/** Port of a gateway, with its connections. */
export class GatewayListener {
  readonly #closed: Promise<void>;
  /** Responses that are not sent, by connection: those that wait for earlier ones do not close with it. */
  readonly #responses = new Map<Socket, Set<ServerResponse>>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {
    this.#closed = new Promise((resolve) => server.once('close', resolve));
  }

  /** Starts to listen. Rejects if the port is in use, or the key is not that of the certificate. */
  static async start(options: GatewayListenerOptions): Promise<GatewayListener> {
    const { tls, port, host = '127.0.0.1' } = options;
    const server = tls ? createHttpsServer({ ...contextOf(tls), maxHeaderSize }) : createHttpServer({ maxHeaderSize });
    server.keepAliveTimeout = 90_000;
    await listen(server, port, host);
    const listener = new GatewayListener(server, (server.address() as AddressInfo).port);
    listener.#handle(options);
    return listener;
  }

  /** Presents another certificate to connections from now on. Throws for a key that is not its own, and without TLS. */
  setCertificate(tls: ServingCertificate): void {
    if (!(this.server instanceof HttpsServer))
      throw new Error('gateway: tls: is not set, so no certificate can replace another one');
    this.server.setSecureContext(contextOf(tls));
  }

  /**
   * Accepts no more connections, and ends each one after its response, which says so if it has yet to begin; those that
   * are idle end at once.
   */
  closePort(): void {
    this.server.close();
    for (const responses of this.#responses.values())
      for (const response of responses) response.shouldKeepAlive = false;
  }

  /** Ends all connections; resolves when the port is closed. */
  async stop(): Promise<void> {
    if (this.server.listening) this.server.close();
    this.server.closeAllConnections();
    await this.#closed;
  }

  #handle({ handler, onError }: GatewayListenerOptions): void {
    const { server } = this;
    server.on('request', (request, response) => {
      this.#endLast(request, response);
      handler.onRequest(request, response).catch((error: unknown) => {
        onError(error);
        response.destroy();
      });
    });
    server.on('upgrade', (request, socket, head) => {
      handler.onUpgrade(request, socket, head).catch((error: unknown) => {
        onError(error);
        socket.destroy();
      });
    });
  }

  /** Ends the connection after the response once the port is closed: the next request of the client goes elsewhere. */
  #endLast({ socket }: IncomingMessage, response: ServerResponse): void {
    // Four listeners of the gateway to its close, and seven of `stream.pipeline`, are more than Node.js takes for a leak.
    response.setMaxListeners(20);
    const responses = this.#responsesOf(socket);
    responses.add(response);
    response.once('close', () => {
      responses.delete(response);
      if (!this.server.listening) socket.end();
    });
  }

  #responsesOf(socket: Socket): Set<ServerResponse> {
    const known = this.#responses.get(socket);
    if (known) return known;
    const responses = new Set<ServerResponse>();
    this.#responses.set(socket, responses);
    socket.once('close', () => this.#responses.delete(socket));
    return responses;
  }
}

const contextOf = ({ certificate, key }: ServingCertificate) => ({ cert: certificate, key });
