import { type Server } from 'node:http';

/** Lets a server listen; port 0 takes a free one. Rejected where the port is taken. */
export async function listen(server: Server, port: number, host: string): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
