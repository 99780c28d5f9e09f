import { Agent, request } from 'node:https';
import { readLogin } from './login';

/** Reads over a number of connections that stay open, as a script or a program without a client library does. */
export class HttpsReader {
  readonly #agent: Agent;
  readonly #login: ReturnType<typeof readLogin>;

  constructor(kubeconfig: string, connections = 1) {
    this.#login = readLogin(kubeconfig);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, ca: this.#login.authority });
  }

  /** Reads and discards one answer; resolves with its status and its size in bytes. */
  read(path: string): Promise<{ readonly status: number; readonly bytes: number }> {
    const { url, token } = this.#login;
    const headers = { authorization: `Bearer ${token}` };
    return new Promise((resolve, reject) => {
      request(`${url}${path}`, { agent: this.#agent, headers }, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length)).once('error', reject);
        response.once('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
      })
        .once('error', reject)
        .end();
    });
  }

  /** The same; rejects for another status than 200. */
  async get(path: string): Promise<void> {
    const { status } = await this.read(path);
    if (status !== 200) throw new Error(`${path}: status ${status}`);
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }
}
