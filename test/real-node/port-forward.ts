import { connect, createServer, type Server } from 'node:net';

/** Relay inside the node: reads a line "address port" and then copies bytes in both directions. */
export const portForwardProgram = `const { connect, createServer } = require('node:net');
createServer((near) => {
  near.on('error', () => undefined);
  near.once('readable', function first() {
    const bytes = near.read();
    if (!bytes) return near.once('readable', first);
    const end = bytes.indexOf(10);
    const [host, port] = bytes.subarray(0, end).toString().split(' ');
    const far = connect({ host, port: Number(port) });
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.write(bytes.subarray(end + 1));
    near.pipe(far).pipe(near);
  });
}).listen(process.argv[2]);
`;

/** Ports of this machine's loopback address that lead to addresses inside the node, through a socket in its folder. */
export class PortForward {
  readonly #servers: Server[] = [];

  constructor(private readonly socketPath: string) {}

  /** Forwards a port of the loopback address to an address inside; returns the port. */
  forward(address: string, port: number): Promise<number> {
    const server = createServer((local) => {
      const remote = connect(this.socketPath);
      remote.write(`${address} ${port}\n`);
      local.on('error', () => undefined).on('close', () => remote.destroy());
      remote.on('error', () => local.destroy()).on('close', () => local.destroy());
      local.pipe(remote).pipe(local);
    });
    server.unref();
    this.#servers.push(server);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const bound = server.address();
        resolve(typeof bound === 'object' && bound ? bound.port : 0);
      });
    });
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }
}
