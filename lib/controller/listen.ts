import { type Server } from 'node:http';

/** Makes a server listen; port 0 selects a free port. Rejects if the port is in use. */
export async function listen(server: Server, port: number, host: string): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
