import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Audit } from './audit';
import { Client } from './client';
import { type CommandResult, runCommand } from './command';
import { type ImpersonatedIdentity } from './connection';
import { type ControlPlane, type ControlPlaneOptions, type Login } from './control-plane';
import { type Credentials, writeCredentials, writeKubeconfig, writeLogin } from './credentials';
import { ServerComponent, type ServerComponentSpec } from './server-component';
import { freePorts } from './ports';
import { probe } from './probe';
import { apiServerArguments, etcdArguments } from './server-arguments';
import { Guard } from './server-process';

/**
 * Limits the memory of a Go server, because a machine may run several control planes. Less frequent garbage collection within
 * the limit saves a tenth of the CPU time of the suites.
 */
export const memoryLimit = (megabytes: number): Readonly<Record<string, string>> => ({
  GOMEMLIMIT: `${megabytes}MiB`,
  GOGC: '400',
});

/** Namespaces that the API server creates shortly after it reports readiness. */
const firstNamespaces = ['default', 'kube-system'];

/** Control plane with its processes, to which servers can be added. */
export class RunningControlPlane implements ControlPlane<string> {
  readonly folder = mkdtempSync(join(tmpdir(), 'pinion-control-plane-'));
  readonly auditLog = join(this.folder, 'logs', 'audit.log');
  readonly audit = new Audit(this.auditLog);
  readonly url: string;
  /** Client and metrics URL of etcd. */
  readonly etcdUrl: string;
  readonly kubeconfig: string;
  /** Files and tokens that it was started with. */
  readonly credentials: Credentials;
  readonly #guard = new Guard(this.folder);
  readonly #parts = new Map<string, ServerComponent>();
  readonly #clients = new Map<string, Client>();
  #logins = 0;

  private constructor(
    private readonly options: ControlPlaneOptions,
    private readonly ports: readonly number[],
  ) {
    mkdirSync(join(this.folder, 'logs'));
    this.url = `https://127.0.0.1:${ports[2]}`;
    this.etcdUrl = `http://127.0.0.1:${ports[0]}`;
    this.credentials = writeCredentials(this.folder, options.users ?? []);
    this.kubeconfig = writeKubeconfig(this.folder, this.url, this.credentials);
  }

  /** Starts etcd and kube-apiserver and waits until they serve. */
  static async start(options: ControlPlaneOptions): Promise<RunningControlPlane> {
    const running = new RunningControlPlane(options, await freePorts(3));
    await running.stopOnFailure(async () => {
      running.#startServers();
      await running.ready(options.timeout);
    });
    return running;
  }

  get client(): Client {
    return this.as('admin');
  }

  get pids(): readonly number[] {
    return [...[...this.#parts.values()].map(({ pid }) => pid), this.#guard.pid];
  }

  tokenOf(userName: string): string {
    const token = this.credentials.tokens[userName];
    if (token === undefined) throw new Error(`the control plane was started without a user ${userName}`);
    return token;
  }

  as(userName: string): Client {
    return this.withToken(this.tokenOf(userName));
  }

  withToken(token: string, impersonated?: ImpersonatedIdentity): Client {
    const key = JSON.stringify([token, impersonated]);
    const existing = this.#clients.get(key);
    if (existing) return existing;
    const login = { url: this.url, token, authorityFile: this.credentials.authorityFile };
    const client = new Client({ ...login, ...(impersonated && { impersonated }) });
    this.#clients.set(key, client);
    return client;
  }

  serviceAccountToken(namespace: string, name: string, seconds = 3600): Promise<string> {
    return this.client.serviceAccountToken(namespace, name, seconds);
  }

  kubeconfigFor(login: Login): string {
    const token = 'token' in login ? login.token : this.credentials.tokens[login.user];
    if (token === undefined) throw new Error('the control plane was started without that user');
    this.#logins += 1;
    const file = join(this.folder, `kubeconfig-${this.#logins}`);
    return writeLogin(file, this.url, this.credentials.authorityFile, token);
  }

  kubectl(args: readonly string[], stdin = '', kubeconfig = this.kubeconfig): Promise<CommandResult> {
    // kubectl keeps its cache in HOME.
    return runCommand(this.options.paths.kubectl, ['--kubeconfig', kubeconfig, ...args], stdin, { HOME: this.folder });
  }

  part(name: string): ServerComponent {
    const part = this.#parts.get(name);
    if (!part) throw new Error(`unknown server ${name}; servers: ${[...this.#parts.keys()].join(', ')}`);
    return part;
  }

  async ready(timeout?: number): Promise<void> {
    for (const part of this.#parts.values()) if (part.isMeantToRun) await part.ready(timeout);
  }

  async stop({ keepLogs = false } = {}): Promise<string | undefined> {
    for (const client of this.#clients.values()) client.close();
    const [etcd, apiServer, ...others] = this.#parts.values();
    await Promise.all(others.map((part) => part.kill()));
    await apiServer?.stop();
    await etcd?.stop();
    await this.#guard.dismiss();
    rmSync(keepLogs ? join(this.folder, 'etcd') : this.folder, { recursive: true, force: true });
    return keepLogs ? this.folder : undefined;
  }

  /** Starts one more server without waiting for readiness. */
  startPart(definition: Omit<ServerComponentSpec, 'logFile'>): ServerComponent {
    const logFile = join(this.folder, 'logs', `${definition.name}.log`);
    const part = new ServerComponent({ ...definition, logFile }, this.#guard);
    this.#parts.set(definition.name, part);
    return part;
  }

  /** Runs a step of the start; on failure it stops everything and adds the servers' output to the error. */
  async stopOnFailure(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (cause) {
      const parts = [...this.#parts.values()].map((part) => ({ part, ending: part.ending }));
      await this.stop({ keepLogs: true });
      const logTails = parts.map(({ part, ending }) => `--- ${part.name}: ${ending ?? 'ran'}\n${part.tail()}`);
      const location = `logs kept in ${this.folder}/logs`;
      throw new Error(`the control plane did not start; ${location}\n${logTails.join('\n')}`, { cause });
    }
  }

  #startServers(): void {
    const { paths, apiServerFlags = [], etcdFlags: extraEtcdFlags = [] } = this.options;
    const [clientPort = 0, peerPort = 0, apiPort = 0] = this.ports;
    const { etcdUrl } = this;
    const etcdFlags = [...etcdArguments(this.folder, clientPort, peerPort), ...extraEtcdFlags];
    this.startPart({
      name: 'etcd',
      program: paths.etcd,
      args: () => etcdFlags,
      environment: memoryLimit(1500),
      isReady: () => probe(`${etcdUrl}/health`),
    });
    const apiFlags = [...apiServerArguments(this.folder, this.credentials, etcdUrl, apiPort), ...apiServerFlags];
    this.startPart({
      name: 'kube-apiserver',
      program: paths['kube-apiserver'],
      args: () => apiFlags,
      environment: memoryLimit(6000),
      isReady: () => this.#isApiServerReady(),
    });
  }

  async #isApiServerReady(): Promise<boolean> {
    const paths = ['/readyz', ...firstNamespaces.map((name) => `/api/v1/namespaces/${name}`)];
    for (const path of paths) if ((await this.client.request('GET', path)).status !== 200) return false;
    return true;
  }
}
