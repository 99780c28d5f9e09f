import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectStatus } from './answer';
import { type Audit } from './audit';
import { findBinaries } from './binaries';
import { Client } from './client';
import { type Cluster } from './cluster';
import { type CommandResult, runCommand } from './command';
import { type ConnectionOptions } from './connection';
import { type Login } from './control-plane';
import { readGivenLogin } from './given-login';
import { makeNamespace } from './namespaces';
import { type Part } from './part';
import { type SimulatedNodes } from './simulated-nodes';

/** Names the variable that points the end-to-end tests at a cluster of the reader's own: the path of a kubeconfig. */
export const givenClusterVariable = 'PINION_E2E_CLUSTER';

/** What a cluster that somebody gave us cannot offer, with the reason. */
export const unavailable = {
  kills: 'its parts are not ours to kill',
  audit: 'its audit log cannot be read',
  'simulated nodes': 'its nodes are real',
  users: 'nobody can be added to those who may log in',
  flags: 'its servers were not started by us',
  platform: 'its Platform, definitions and policies are not ours to change',
} as const;

/** Something that a suite needs and only a cluster of the tests' own has. */
export type ClusterNeed = keyof typeof unavailable;

/** The kubeconfig that the tests were explicitly told to use; a KUBECONFIG that happens to be set is not consent. */
export const givenKubeconfig = (): string | undefined => process.env[givenClusterVariable] || undefined;

const refuse = (need: ClusterNeed): never => {
  throw new Error(`a given cluster has no ${need}: ${unavailable[need]}; say so in the suite's \`needs\``);
};

/** A cluster that somebody gave us: the tests work in namespaces of their own, which go at the end. */
export class GivenCluster implements Cluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'pinion-given-cluster-'));
  readonly client: Client;
  readonly url: string;
  readonly pids: readonly number[] = [];
  readonly #login: ConnectionOptions;
  readonly #clients: Client[] = [];
  readonly #namespaces: string[] = [];
  #logins = 0;

  constructor(readonly kubeconfig: string) {
    this.#login = readGivenLogin(kubeconfig);
    this.url = this.#login.url;
    this.client = this.#connect(this.#login);
  }

  get auditLog(): string {
    return refuse('audit');
  }

  get audit(): Audit {
    return refuse('audit');
  }

  get nodes(): SimulatedNodes {
    return refuse('simulated nodes');
  }

  part(): Part {
    return refuse('kills');
  }

  as(userName: string): Client {
    return userName === 'admin' ? this.client : refuse('users');
  }

  withToken(token: string): Client {
    const { url, authority } = this.#login;
    return this.#connect({ url, token, ...(authority !== undefined && { authority }) });
  }

  serviceAccountToken(namespace: string, name: string, seconds = 3600): Promise<string> {
    return this.client.serviceAccountToken(namespace, name, seconds);
  }

  kubeconfigFor(login: Login): string {
    if ('user' in login) return login.user === 'admin' ? this.kubeconfig : refuse('users');
    const { url, authority } = this.#login;
    const data = authority && { 'certificate-authority-data': Buffer.from(authority).toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'given', cluster: { server: url, ...(data || {}) } }],
      users: [{ name: 'given', user: { token: login.token } }],
      contexts: [{ name: 'given', context: { cluster: 'given', user: 'given' } }],
      'current-context': 'given',
    };
    this.#logins += 1;
    const file = join(this.folder, `kubeconfig-${this.#logins}`);
    writeFileSync(file, JSON.stringify(config, undefined, 2), { mode: 0o600 });
    return file;
  }

  kubectl(args: readonly string[], stdin = '', kubeconfig = this.kubeconfig): Promise<CommandResult> {
    const built = findBinaries(['kubectl']);
    const program = 'paths' in built ? built.paths.kubectl : 'kubectl';
    return runCommand(program, ['--kubeconfig', kubeconfig, ...args], stdin, process.env);
  }

  async namespace(prefix?: string, labels?: Readonly<Record<string, string>>): Promise<string> {
    const name = await makeNamespace(this.client, prefix, labels);
    this.#namespaces.push(name);
    return name;
  }

  async ready(): Promise<void> {
    expectStatus(await this.client.request('GET', '/readyz'), [200]);
  }

  async stop(): Promise<undefined> {
    const paths = this.#namespaces.map((name) => `/api/v1/namespaces/${name}`);
    for (const path of paths) expectStatus(await this.client.request('DELETE', path), [200, 202, 404]);
    const isGone = async (path: string): Promise<boolean> => (await this.client.request('GET', path)).status === 404;
    for (const path of paths) await this.client.waitFor(`${path} to be gone`, () => isGone(path), { timeout: 120_000 });
    for (const client of this.#clients) client.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #connect(options: ConnectionOptions): Client {
    const client = new Client(options);
    this.#clients.push(client);
    return client;
  }
}
