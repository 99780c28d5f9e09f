import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { waitFor } from '../control-plane/wait-for';
import { freePort } from './zookeeper-server';

/** The bundle in the image. */
export const registrarBundle = join(__dirname, '../../build/bin/registrar.js');

/** An app with readiness set by the test. */
export class App {
  /** Response status. */
  status = 200;
  /** Number of requests received. */
  requestCount = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(): Promise<App> {
    const port = await freePort();
    const server = createServer((_, response) => {
      app.requestCount += 1;
      response.writeHead(app.status).end();
    });
    const app = new App(server, port);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return app;
  }

  /** Waits for the given number of further requests. */
  async waitForRequests(count: number): Promise<void> {
    const goal = this.requestCount + count;
    await waitFor(`${count} requests`, async () => this.requestCount >= goal, { interval: 5 });
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** Registrar in a separate process. */
export class RegistrarProcess {
  readonly #child;
  #output = '';

  private constructor(
    private readonly environment: Readonly<Record<string, string>>,
    private readonly statusPort: number,
  ) {
    this.#child = spawn(process.execPath, [registrarBundle], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout.on('data', (bytes: Buffer) => (this.#output += bytes.toString()));
    this.#child.stderr.on('data', (bytes: Buffer) => (this.#output += bytes.toString()));
  }

  /** Starts one and waits until it reports liveness. */
  static async start(environment: Readonly<Record<string, string>>): Promise<RegistrarProcess> {
    const statusPort = await freePort();
    const registrar = new RegistrarProcess({ ...environment, STATUS_PORT: String(statusPort) }, statusPort);
    await waitFor('the registrar to be live', async () => {
      if (!registrar.isRunning) throw new Error(`the registrar exited\n${registrar.output}`);
      return (await registrar.status('/live').catch(() => 0)) === 200;
    });
    return registrar;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Log so far. */
  get output(): string {
    return this.#output;
  }

  /** URL of its status and metrics. */
  get statusUrl(): string {
    return `http://127.0.0.1:${this.statusPort}`;
  }

  async status(path: string): Promise<number> {
    return (await fetch(`${this.statusUrl}${path}`)).status;
  }

  /** Returns the value of one of its metrics. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.statusUrl}/metrics`)).text();
    return Number(new RegExp(`^pinion_registrar_${name} (\\d+)$`, 'm').exec(text)?.[1] ?? NaN);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits until it has exited; returns its exit code, null for a signal. */
  async ended(): Promise<number | null> {
    if (this.isRunning) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended();
  }

  /** Runs the container's preStop hook; returns its exit code. */
  async withdraw(): Promise<number | null> {
    const child = spawn(process.execPath, [registrarBundle, 'withdraw'], { env: this.environment, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  }
}
