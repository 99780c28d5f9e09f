import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectStatus } from './api-response';
import { type Audit } from './audit';
import { findBinaries } from './binaries';
import { Client } from './client';
import { type Cluster } from './cluster';
import { type CommandResult, runCommand } from './command';
import { type ConnectionOptions, type ImpersonatedIdentity } from './connection';
import { type Login } from './control-plane';
import { readKubeconfigLogin } from './kubeconfig-login';
import { createNamespace } from './namespaces';
import { type ServerComponent } from './server-component';
import { type SimulatedNodes } from './simulated-nodes';

/** Environment variable with the kubeconfig path of an existing cluster to run the end-to-end tests on. */
export const existingClusterVariable = 'PINION_E2E_CLUSTER';

/** Features that an existing cluster lacks, with the reason. */
export const unavailable = {
  kills: 'its servers must not be killed',
  audit: 'its audit log is not readable',
  'simulated nodes': 'its nodes are real',
  users: 'no users can be added',
  flags: 'the flags of its servers cannot change',
  platform: 'its Platform, CRDs and policies must not change',
} as const;

/** Feature that some suites need and only a dedicated cluster has. */
export type ClusterNeed = keyof typeof unavailable;

/** Returns the kubeconfig in PINION_E2E_CLUSTER; KUBECONFIG is ignored because it does not express consent. */
export const existingClusterKubeconfig = (): string | undefined => process.env[existingClusterVariable] || undefined;

const fail = (need: ClusterNeed): never => {
  throw new Error(`an existing cluster has no ${need}: ${unavailable[need]}; add it to the \`needs\` of the suite`);
};

/** Existing cluster, in which the tests use their own namespaces, which are deleted at the end. */
export class ExistingCluster implements Cluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'pinion-existing-cluster-'));
  readonly client: Client;
  readonly url: string;
  readonly pids: readonly number[] = [];
  readonly #login: ConnectionOptions;
  readonly #clients: Client[] = [];
  readonly #namespaces: string[] = [];
  #logins = 0;

  constructor(readonly kubeconfig: string) {
    this.#login = readKubeconfigLogin(kubeconfig);
    this.url = this.#login.url;
    this.client = this.#connect(this.#login);
  }

  get auditLog(): string {
    return fail('audit');
  }

  get audit(): Audit {
    return fail('audit');
  }

  get nodes(): SimulatedNodes {
    return fail('simulated nodes');
  }

  part(): ServerComponent {
    return fail('kills');
  }

  tokenOf(): string {
    return fail('users');
  }

  as(userName: string): Client {
    return userName === 'admin' ? this.client : fail('users');
  }

  withToken(token: string, impersonated?: ImpersonatedIdentity): Client {
    const { url, authority } = this.#login;
    const others = { ...(authority !== undefined && { authority }), ...(impersonated && { impersonated }) };
    return this.#connect({ url, token, ...others });
  }

  serviceAccountToken(namespace: string, name: string, seconds = 3600): Promise<string> {
    return this.client.serviceAccountToken(namespace, name, seconds);
  }

  kubeconfigFor(login: Login): string {
    if ('user' in login) return login.user === 'admin' ? this.kubeconfig : fail('users');
    const { url, authority } = this.#login;
    const data = authority && { 'certificate-authority-data': Buffer.from(authority).toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'existing', cluster: { server: url, ...(data || {}) } }],
      users: [{ name: 'existing', user: { token: login.token } }],
      contexts: [{ name: 'existing', context: { cluster: 'existing', user: 'existing' } }],
      'current-context': 'existing',
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
    const name = await createNamespace(this.client, prefix, labels);
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
    for (const path of paths)
      await this.client.waitFor(`${path} to be deleted`, () => isGone(path), { timeout: 120_000 });
    for (const client of this.#clients) client.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #connect(options: ConnectionOptions): Client {
    const client = new Client(options);
    this.#clients.push(client);
    return client;
  }
}
