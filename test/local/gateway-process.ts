import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { type ManifestInput, type PlatformKind } from '../../lib/api';
import { gatewayName, installManifests, type KubernetesObject } from '../../lib/expand';
import { waitFor } from '../control-plane/wait-for';
import { type Certified } from '../kube/certificates';
import { gatewayImageOf } from './install-pinion';

/** Service account of the installed gateway. */
export const gatewayAccount = { namespace: gatewayName, name: gatewayName } as const;

/** Options of a gateway process. */
export interface GatewayProcessOptions {
  /** Kubeconfig of the gateway. */
  readonly kubeconfig: string;
  /** Folder of its certificate and its log. */
  readonly folder: string;
  /** Documents of the installation, whose Platform has a gateway. */
  readonly documents: readonly ManifestInput<PlatformKind>[];
  /** Its serving certificate. */
  readonly certified: Certified;
  /** @default gateway */
  readonly name?: string;
  /** More flags, which override those of the installation. @default - none */
  readonly flags?: readonly string[];
}

type LogLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly message: string };

/** Runs the shipped gateway, build/bin/gateway.js, in a process of its own, with the flags of its installed Deployment. */
export class GatewayProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | string>;

  private constructor(
    child: ChildProcess,
    readonly logFile: string,
    private readonly files: { readonly certificate: string; readonly key: string },
  ) {
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code ?? 1)));
    // The gateway ends with the tests, however they end.
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
  }

  /** Starts a gateway on free ports of the loopback address, without waiting for readiness. */
  static start(options: GatewayProcessOptions): GatewayProcess {
    const { kubeconfig, folder, documents, certified, name = 'gateway', flags = [] } = options;
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const files = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
    writeCertificate(files, certified);
    const logFile = join(folder, 'logs', `${name}.log`);
    const log = openSync(logFile, 'a');
    const own = ['--host=127.0.0.1', '--port=0', '--status-port=0', `--kubeconfig=${kubeconfig}`];
    const tls = [`--tls-certificate=${files.certificate}`, `--tls-key=${files.key}`];
    const program = join(__dirname, '..', '..', 'build', 'bin', 'gateway.js');
    const all = ['--enable-source-maps', program, ...installedFlags(documents), ...own, ...tls, ...flags];
    const child = spawn(process.execPath, all, {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    return new GatewayProcess(child, logFile, files);
  }

  /** Id of its process. */
  get pid(): number {
    return this.#child.pid as number;
  }

  /** Replaces the files of its certificate, as the kubelet does for a mounted Secret. */
  replaceCertificate(certified: Certified): void {
    writeCertificate(this.files, certified);
  }

  /** Parses all lines of its log so far; text that is not JSON, such as a crash, becomes a message. */
  lines(): LogLine[] {
    return readFileSync(this.logFile, 'utf8')
      .split('\n')
      .flatMap((line) => {
        if (line === '') return [];
        try {
          return [JSON.parse(line) as LogLine];
        } catch {
          return [{ level: 'raw', message: line }];
        }
      });
  }

  /** Waits for a line of its log. */
  async waitUntilLogged(message: string, timeout = 60_000): Promise<LogLine> {
    return waitFor(
      `the gateway to log "${message}"`,
      () => {
        const found = this.lines().find((line) => line.message === message);
        const end = this.#child.exitCode ?? this.#child.signalCode;
        if (!found && end !== null)
          throw new Error(`the gateway exited with ${end}:\n${readFileSync(this.logFile, 'utf8').slice(-2000)}`);
        return Promise.resolve(found);
      },
      { timeout, interval: 50 },
    );
  }

  /** Port of the Kubernetes API; resolves when its caches are filled. */
  async port(): Promise<number> {
    return Number((await this.waitUntilLogged('serving'))['port']);
  }

  /** Returns the response of a path of its status port. */
  async status(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const port = Number((await this.waitUntilLogged('serving status'))['statusPort']);
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      }).once('error', reject);
    });
  }

  /** Asks it to stop, without waiting. */
  terminate(): void {
    this.#child.kill('SIGTERM');
  }

  /** Kills it without warning, and does not wait. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** How it exited; pending while it runs. */
  get ended(): Promise<number | string> {
    return this.#ended;
  }

  /** Terminates it and returns its exit code, or the signal that ended it. */
  async stop(): Promise<number | string> {
    this.terminate();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 40_000);
    const end = await this.#ended;
    clearTimeout(timer);
    return end;
  }
}

function writeCertificate(files: { readonly certificate: string; readonly key: string }, certified: Certified): void {
  writeFileSync(files.certificate, certified.certificate);
  writeFileSync(files.key, certified.key, { mode: 0o600 });
}

/** Returns the flags of the container in the installed Deployment. */
function installedFlags(documents: readonly ManifestInput<PlatformKind>[]): readonly string[] {
  const objects = installManifests({
    image: 'registry.example.com/pinion/controller:0.2.0',
    documents,
    ...gatewayImageOf(documents),
  });
  const isGateway = ({ kind, metadata }: KubernetesObject): boolean =>
    kind === 'Deployment' && metadata.name === gatewayName;
  const { spec } = objects.find(isGateway) as unknown as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [{ args: string[] }] } } };
  };
  return spec.template.spec.containers[0].args;
}
