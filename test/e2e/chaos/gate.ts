import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import { type AddressInfo } from 'node:net';
import { type Chance } from './chance';

/** What happens to requests on their way, and passes. */
export const weathers = ['storm', 'cuts', 'slow', 'gone', 'torn'] as const;
/** `silent`: watches bring nothing any more, until their client gives them up. `clear`: nothing happens. */
export type Weather = (typeof weathers)[number] | 'silent' | 'clear';

/** Where a gate leads. */
export interface GateOptions {
  /** URL of the API server. */
  readonly url: string;
  /** Certificates to trust, PEM. */
  readonly authorityFile: string;
  /** Put behind the user agent, so that the audit log tells who came through. */
  readonly name: string;
  readonly chance: Chance;
}

/** A proxy on loopback between one controller and the API server, in which the weather changes. */
export class Gate {
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #watches = new Set<PassedWatch>();
  #weather: Weather = 'clear';

  private constructor(private readonly options: GateOptions) {
    this.#agent = new Agent({ keepAlive: true, ca: readFileSync(options.authorityFile) });
    this.#server = createServer((incoming, answer) => void this.#pass(incoming, answer));
  }

  /** Opens a gate on a free port. */
  static async open(options: GateOptions): Promise<Gate> {
    const gate = new Gate(options);
    await new Promise<void>((resolve) => gate.#server.listen(0, '127.0.0.1', resolve));
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Changes the weather, for requests to come and for watches that go on. */
  set weather(weather: Weather) {
    this.#weather = weather;
    const { chance } = this.options;
    if (weather === 'cuts') this.#server.closeAllConnections();
    // What a silent watch has missed it will never hear: it stays silent.
    if (weather === 'silent') for (const watch of this.#watches) watch.silent = true;
    if (weather === 'torn') for (const watch of this.#watches) watch.torn = chance.is(0.5) ? 'ended' : 'cut';
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { chance } = this.options;
    const isWatch = /[?&]watch=true(&|$)/.test(incoming.url ?? '');
    incoming.once('error', () => undefined);
    answer.once('error', () => undefined);
    const weather = this.#weather;
    if (weather === 'storm' && chance.is(0.7)) return tooMany(answer);
    if (weather === 'gone' && isWatch) return gone(answer, chance.is(0.5));
    if (weather === 'cuts' && chance.is(0.25)) return void incoming.destroy();
    if (weather === 'slow' && chance.is(0.5)) await new Promise((done) => setTimeout(done, chance.whole(50, 1500)));
    this.#forward(incoming, answer, isWatch, weather === 'cuts' && chance.is(0.25));
  }

  #forward(incoming: IncomingMessage, answer: ServerResponse, isWatch: boolean, loseAnswer: boolean): void {
    const { url, name } = this.options;
    const { hostname, port } = new URL(url);
    const headers = { ...incoming.headers, host: `${hostname}:${port}` };
    headers['user-agent'] = `${incoming.headers['user-agent'] ?? ''} ${name}`;
    const { method, url: path } = incoming;
    const outgoing = request({ hostname, port, method, path, headers, agent: this.#agent });
    const cut = (): void => void answer.destroy();
    outgoing.once('error', cut);
    answer.once('close', () => outgoing.destroy());
    outgoing.once('response', (response) => {
      response.once('error', cut);
      if (loseAnswer) {
        // The server has done it, and whoever asked does not know.
        response.resume();
        return cut();
      }
      answer.writeHead(response.statusCode ?? 502, response.headers);
      answer.flushHeaders();
      if (isWatch && response.statusCode === 200) this.#watch(response, answer);
      else response.pipe(answer);
    });
    incoming.pipe(outgoing);
  }

  #watch(response: IncomingMessage, answer: ServerResponse): void {
    const watch: PassedWatch = { silent: this.#weather === 'silent', torn: undefined };
    this.#watches.add(watch);
    response.on('data', (chunk: Buffer) => {
      if (watch.silent) return;
      if (watch.torn === undefined) return void answer.write(chunk);
      const half = chunk.subarray(0, Math.floor(chunk.length / 2));
      watch.silent = true;
      if (watch.torn === 'ended') answer.end(half);
      else answer.write(half, () => answer.destroy());
    });
    response.once('end', () => watch.silent || answer.end());
    response.once('close', () => watch.silent || answer.destroy());
    answer.once('close', () => this.#watches.delete(watch));
  }
}

interface PassedWatch {
  /** Connected, and nothing comes any more. */
  silent: boolean;
  /** It ends in the middle of its next message, in an orderly way or not. */
  torn: 'ended' | 'cut' | undefined;
}

const statusOf = (code: number, reason: string, message: string): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });

function tooMany(answer: ServerResponse): void {
  answer.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
  answer.end(statusOf(429, 'TooManyRequests', 'too many requests, please try again later'));
}

/** A version that is too old is told by the status of the answer, or by the first message of the watch. */
function gone(answer: ServerResponse, asEvent: boolean): void {
  const status = statusOf(410, 'Expired', 'too old resource version: 1 (2)');
  answer.writeHead(asEvent ? 200 : 410, { 'content-type': 'application/json' });
  answer.end(asEvent ? `{"type":"ERROR","object":${status}}\n` : status);
}
