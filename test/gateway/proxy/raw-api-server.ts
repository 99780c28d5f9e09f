import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Upstream } from '../../../lib/gateway/upstream/upstream';
import { type Clock } from '../../../lib/kube';
import { realClock } from '../../kube/real-clock';

/** TCP server in the place of an API server, which records the bytes that it receives and answers with a fixed text. */
export class RawApiServer {
  received = '';
  readonly sockets: Socket[] = [];
  /** Returns the credential of the gateway. */
  credential = (): Promise<{ token: string }> => Promise.resolve({ token: 'of-the-gateway' });

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** Starts a server that sends `answer` once the bytes of a connection contain an empty line. */
  static async start(answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'): Promise<RawApiServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const started = new RawApiServer(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => {
      started.sockets.push(socket);
      let isAnswered = false;
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        started.received += bytes.toString('latin1');
        if (isAnswered || !started.received.includes('\r\n\r\n')) return;
        isAnswered = true;
        // Later than the rest of the request.
        setTimeout(() => socket.write(answer), 50);
      });
    });
    return started;
  }

  /** Returns the gateway's way to this server, with a token. */
  upstream(clock: Clock = realClock): Upstream {
    const settings = {
      server: `http://127.0.0.1:${this.port}`,
      namespace: 'default',
      credential: () => this.credential(),
    };
    return new Upstream(settings, clock);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
