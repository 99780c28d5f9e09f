import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import { type AddressInfo } from 'node:net';
import { type SeededRandom } from './seeded-random';

/** Temporary network faults. */
export const networkFaults = ['throttle', 'disconnect', 'slow', 'expire', 'truncate'] as const;
/** Network condition. `silent`: watches deliver nothing until their client gives up. `clear`: no fault. */
export type NetworkState = (typeof networkFaults)[number] | 'silent' | 'clear';

/** Options of a proxy. */
export interface FaultProxyOptions {
  /** URL of the API server. */
  readonly url: string;
  /** File of the certificates to trust, PEM. */
  readonly authorityFile: string;
  /** Suffix of the user agent, which identifies the process in the audit log. */
  readonly name: string;
  readonly random: SeededRandom;
}

/** Proxy on loopback between one controller and the API server, which injects network faults. */
export class FaultProxy {
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #watches = new Set<ProxiedWatch>();
  #network: NetworkState = 'clear';

  private constructor(private readonly options: FaultProxyOptions) {
    this.#agent = new Agent({ keepAlive: true, ca: readFileSync(options.authorityFile) });
    this.#server = createServer((incoming, outgoingResponse) => void this.#pass(incoming, outgoingResponse));
  }

  /** Starts a proxy on a free port. */
  static async open(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sets the network condition for new requests and running watches. */
  set network(network: NetworkState) {
    this.#network = network;
    const { random } = this.options;
    if (network === 'disconnect') this.#server.closeAllConnections();
    // A silent watch has missed events permanently, so it stays silent.
    if (network === 'silent') for (const watch of this.#watches) watch.silent = true;
    if (network === 'truncate') for (const watch of this.#watches) watch.truncated = random.is(0.5) ? 'ended' : 'cut';
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, outgoingResponse: ServerResponse): Promise<void> {
    const { random } = this.options;
    const isWatch = /[?&]watch=true(&|$)/.test(incoming.url ?? '');
    incoming.once('error', () => undefined);
    outgoingResponse.once('error', () => undefined);
    const network = this.#network;
    if (network === 'throttle' && random.is(0.7)) return sendTooManyRequests(outgoingResponse);
    if (network === 'expire' && isWatch) return sendExpired(outgoingResponse, random.is(0.5));
    if (network === 'disconnect' && random.is(0.25)) return void incoming.destroy();
    if (network === 'slow' && random.is(0.5)) await new Promise((done) => setTimeout(done, random.integer(50, 1500)));
    this.#forward(incoming, outgoingResponse, isWatch, network === 'disconnect' && random.is(0.25));
  }

  #forward(incoming: IncomingMessage, outgoingResponse: ServerResponse, isWatch: boolean, dropResponse: boolean): void {
    const { url, name } = this.options;
    const { hostname, port } = new URL(url);
    const headers = { ...incoming.headers, host: `${hostname}:${port}` };
    headers['user-agent'] = `${incoming.headers['user-agent'] ?? ''} ${name}`;
    const { method, url: path } = incoming;
    const outgoing = request({ hostname, port, method, path, headers, agent: this.#agent });
    const abort = (): void => void outgoingResponse.destroy();
    outgoing.once('error', abort);
    outgoingResponse.once('close', () => outgoing.destroy());
    outgoing.once('response', (response) => {
      response.once('error', abort);
      if (dropResponse) {
        // The server has executed the request, but the client gets no response.
        response.resume();
        return abort();
      }
      outgoingResponse.writeHead(response.statusCode ?? 502, response.headers);
      outgoingResponse.flushHeaders();
      if (isWatch && response.statusCode === 200) this.#watch(response, outgoingResponse);
      else response.pipe(outgoingResponse);
    });
    incoming.pipe(outgoing);
  }

  #watch(response: IncomingMessage, outgoingResponse: ServerResponse): void {
    const watch: ProxiedWatch = { silent: this.#network === 'silent', truncated: undefined };
    this.#watches.add(watch);
    response.on('data', (chunk: Buffer) => {
      if (watch.silent) return;
      if (watch.truncated === undefined) return void outgoingResponse.write(chunk);
      const half = chunk.subarray(0, Math.floor(chunk.length / 2));
      watch.silent = true;
      if (watch.truncated === 'ended') outgoingResponse.end(half);
      else outgoingResponse.write(half, () => outgoingResponse.destroy());
    });
    response.once('end', () => watch.silent || outgoingResponse.end());
    response.once('close', () => watch.silent || outgoingResponse.destroy());
    outgoingResponse.once('close', () => this.#watches.delete(watch));
  }
}

interface ProxiedWatch {
  /** Whether it is connected but delivers nothing. */
  silent: boolean;
  /** How it is truncated within its next message. */
  truncated: 'ended' | 'cut' | undefined;
}

const statusOf = (code: number, reason: string, message: string): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });

function sendTooManyRequests(outgoingResponse: ServerResponse): void {
  outgoingResponse.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
  outgoingResponse.end(statusOf(429, 'TooManyRequests', 'too many requests, please try again later'));
}

/** Reports an expired resource version by the status of the response, or by the first event of the watch. */
function sendExpired(outgoingResponse: ServerResponse, asEvent: boolean): void {
  const status = statusOf(410, 'Expired', 'too old resource version: 1 (2)');
  outgoingResponse.writeHead(asEvent ? 200 : 410, { 'content-type': 'application/json' });
  outgoingResponse.end(asEvent ? `{"type":"ERROR","object":${status}}\n` : status);
}
