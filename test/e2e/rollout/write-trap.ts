import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import { type AddressInfo } from 'node:net';

/** When a fault happens: before the API server gets a write, or after it has carried it out and before the client knows. */
export type WriteMoment = 'before' | 'after';

/** A fault at a write of the client. */
export interface WriteFault {
  /** Number of the write since the trap was armed, from 1. */
  readonly at: number;
  readonly moment: WriteMoment;
  /** Kills a process; the response of the write is lost. */
  readonly kill: (write: string) => Promise<void>;
}

/** Proxy on loopback between a client and the API server, which counts writes and kills a process at some of them. */
export class WriteTrap {
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #url: URL;
  #faults: readonly WriteFault[] = [];
  #writes = 0;

  private constructor(url: string, authorityFile: string) {
    this.#url = new URL(url);
    this.#agent = new Agent({ keepAlive: true, ca: readFileSync(authorityFile) });
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  }

  /** Starts a proxy of an API server on a free port. */
  static async open(url: string, authorityFile: string): Promise<WriteTrap> {
    const trap = new WriteTrap(url, authorityFile);
    await new Promise<void>((resolve) => trap.#server.listen(0, '127.0.0.1', resolve));
    return trap;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Counts writes from 0, and arms faults at some of them. */
  arm(faults: readonly WriteFault[] = []): void {
    this.#writes = 0;
    this.#faults = faults;
  }

  /** Number of writes since the trap was armed, without those of leases. */
  get writes(): number {
    return this.#writes;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    incoming.once('error', () => undefined);
    outgoing.once('error', () => undefined);
    const { method = 'GET', url = '' } = incoming;
    const isWrite = method !== 'GET' && !url.includes('/leases');
    const fault = isWrite ? this.#faults.find(({ at }) => at === this.#writes + 1) : undefined;
    if (isWrite) this.#writes += 1;
    const kill = fault && (() => fault.kill(`${fault.moment} write ${fault.at}, ${method} ${url.split('?')[0]}`));
    if (kill && fault.moment === 'before') {
      await kill();
      return void outgoing.destroy();
    }
    this.#forward(incoming, outgoing, kill);
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse, kill: (() => Promise<void>) | undefined): void {
    const { hostname, port } = this.#url;
    const headers = { ...incoming.headers, host: this.#url.host };
    const { method, url: path } = incoming;
    const forwarded = request({ hostname, port, method, path, headers, agent: this.#agent });
    const abort = (): void => void outgoing.destroy();
    forwarded.once('error', abort);
    outgoing.once('close', () => forwarded.destroy());
    forwarded.once('response', (response) => {
      response.once('error', abort);
      if (kill) {
        response.resume();
        return void kill().then(abort);
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      response.pipe(outgoing);
      response.once('close', () => response.complete || abort());
    });
    incoming.pipe(forwarded);
  }
}
