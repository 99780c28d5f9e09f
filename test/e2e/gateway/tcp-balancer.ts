import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { type GatewayProcess } from '../../local/gateway-process';

/** Balancer of TCP connections, as a Service: new ones go to replicas that are ready, one after the other; open ones stay. */
export class TcpBalancer {
  readonly #sockets = new Set<Socket>();
  #replicas: readonly GatewayProcess[] = [];
  #next = 0;

  private constructor(private readonly server: Server) {}

  static async start(replicas: readonly GatewayProcess[]): Promise<TcpBalancer> {
    const server = createServer({ allowHalfOpen: true });
    const balancer = new TcpBalancer(server);
    balancer.use(replicas);
    server.on('connection', (socket) => void balancer.#join(socket).catch(() => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Replaces the replicas. */
  use(replicas: readonly GatewayProcess[]): void {
    this.#replicas = replicas;
  }

  /** Ends all connections. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #join(socket: Socket): Promise<void> {
    this.#add(socket);
    const replica = await this.#readyReplica();
    const target = connect({ port: await replica.port(), host: '127.0.0.1', allowHalfOpen: true });
    this.#add(target);
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const) {
      from.pipe(to);
      from.once('close', () => to.destroy());
    }
  }

  #add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }

  async #readyReplica(): Promise<GatewayProcess> {
    const states = await Promise.all(
      this.#replicas.map(async (replica) => ({
        replica,
        isReady: await replica.status('/readyz').then(
          ({ status }) => status === 200,
          () => false,
        ),
      })),
    );
    const ready = states.filter(({ isReady }) => isReady);
    const chosen = ready[this.#next++ % ready.length];
    if (!chosen) throw new Error('no replica is ready');
    return chosen.replica;
  }
}
