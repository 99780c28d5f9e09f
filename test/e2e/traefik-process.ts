import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries } from '../control-plane/binaries';
import { freePorts } from '../control-plane/ports';
import { waitFor } from '../control-plane/wait-for';

/** Address from which Traefik accepts PROXY protocol headers in tests. */
export const balancerAddress = '127.0.0.2';

/** Where a request comes from, and what precedes and accompanies it. */
export interface Sender {
  readonly address: string;
  /** PROXY protocol header. @default - none */
  readonly header?: Buffer;
  /** Header lines of the request. @default - none */
  readonly headers?: readonly string[];
}

/** Why Traefik cannot be started here; undefined where it can. */
export function whyNoTraefik(): string | undefined {
  const found = findBinaries(['traefik']);
  return 'skipped' in found ? found.skipped : undefined;
}

/** Traefik with planned flags on loopback, in front of one backend. */
export class TraefikProcess {
  private constructor(
    /** Port by entry point. */
    readonly ports: Readonly<Record<'web' | 'traefik', number>>,
    readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Starts it with the flags of the platform stack, except addresses and the Kubernetes provider. */
  static async start(flags: readonly string[], backend: string): Promise<TraefikProcess> {
    const found = findBinaries(['traefik']);
    if ('skipped' in found) throw new Error(found.skipped);
    const folder = mkdtempSync(join(tmpdir(), 'pinion-traefik-'));
    const routes = {
      http: {
        routers: { all: { rule: 'PathPrefix(`/`)', entryPoints: ['web'], service: 'backend' } },
        services: { backend: { loadBalancer: { servers: [{ url: backend }] } } },
      },
    };
    writeFileSync(join(folder, 'routes.yaml'), JSON.stringify(routes));
    const names = ['web', 'secure', 'traefik', 'metrics'] as const;
    const free = await freePorts(names.length);
    const ports = Object.fromEntries(names.map((name, index) => [name, free[index] ?? 0]));
    const args = flags
      .filter((flag) => !flag.startsWith('--providers.'))
      .map((flag) =>
        flag.replace(/^(--entrypoints\.(\w+)\.address=).*/, (_, start, name) => `${start}:${ports[name]}/tcp`),
      )
      .map((flag) => flag.replace(/(trustedips=).*/, `$1${balancerAddress}/32`));
    const child = spawn(found.paths.traefik, [...args, `--providers.file.directory=${folder}`], { stdio: 'ignore' });
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    const traefik = new TraefikProcess(ports as Record<'web' | 'traefik', number>, child, folder);
    await waitFor('Traefik', async () => {
      const { status } = await traefik.get('traefik', '/ping', { address: '127.0.0.1' });
      return status === 200 && (await traefik.get('web', '/openapi.json', { address: '127.0.0.1' })).status === 200;
    });
    return traefik;
  }

  /** Sends one request on a connection of its own, after the bytes of a PROXY protocol header. */
  get(
    entryPoint: 'web' | 'traefik',
    path: string,
    { address, header = Buffer.alloc(0), headers = [] }: Sender,
  ): Promise<{ readonly status: number }> {
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: this.ports[entryPoint], localAddress: address });
      let text = '';
      socket.setTimeout(10_000, () => socket.destroy());
      socket.on('connect', () => {
        const lines = [`GET ${path} HTTP/1.1`, 'Host: deploy.example.com', 'Connection: close', ...headers];
        socket.write(Buffer.concat([header, Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)]));
      });
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0) }));
    });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((done) => this.child.once('exit', done));
      this.child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true });
  }
}
