import { createServer, request, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Stands before an emulated AWS, and can be away. */
export class CloudRelay {
  isAway = false;
  private readonly server: Server;

  constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.server = createServer((asked, response) => {
      if (this.isAway) {
        asked.socket.destroy();
        return;
      }
      const { method, url, headers } = asked;
      const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      asked.pipe(onward);
    });
  }

  /** Begins to listen on a free port of the loopback address; gives its URL. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
      });
    });
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
