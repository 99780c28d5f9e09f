import { type Server } from 'node:net';

/**
 * Makes a server listen; resolves with it. Port 0 selects a free port. Rejects if the port is in use.
 * @param host - all addresses by default
 */
export async function listen<S extends Server>(server: S, port: number, host?: string): Promise<S> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}
