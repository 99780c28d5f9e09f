import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type controlPlanePrograms } from './binaries';
import { Client } from './client';
import { type Credentials, type User, writeCredentials, writeKubeconfig } from './credentials';
import { apiServerArguments, etcdArguments } from './server-arguments';
import { Guard, ServerProcess } from './server-process';
import { waitFor } from './wait-for';

/** How a control plane of the tests starts. */
export interface ControlPlaneOptions {
  /** Where etcd, kube-apiserver and kubectl are. */
  readonly paths: Readonly<Record<(typeof controlPlanePrograms)[number], string>>;
  /** Who may log in besides `admin`, a member of system:masters. @default - nobody */
  readonly users?: readonly User[];
  /** More flags of kube-apiserver; a repeated one wins. @default - none */
  readonly apiServerFlags?: readonly string[];
  /** Milliseconds until it must be ready. @default 60000 */
  readonly timeout?: number;
}

/** What a command wrote and how it ended. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A real etcd and kube-apiserver on free ports of the loopback address. */
export interface ControlPlane {
  /** Where the API server answers, `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** State and logs; removed by `stop`. */
  readonly folder: string;
  /** Path of a kubeconfig that logs in as `admin`. */
  readonly kubeconfig: string;
  /** Path of the API server's audit log: one JSON event a line. */
  readonly auditLog: string;
  /** A client that logs in as `admin`. */
  readonly client: Client;
  /** Ids of all processes that belong to it. */
  readonly pids: readonly number[];
  /** A client that logs in as one of the given users. */
  as(userName: string): Client;
  /** Runs the real kubectl as `admin`. */
  kubectl(args: readonly string[], stdin?: string): Promise<CommandResult>;
  /** Ends the API server, then etcd, and removes the folder; with `keepLogs` it stays and its path is returned. */
  stop(options?: { readonly keepLogs?: boolean }): Promise<string | undefined>;
}

/** Starts etcd and kube-apiserver and waits until they serve. Throws, with the folder of the kept logs, where they do not. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  try {
    return await startOnce(options);
  } catch (error) {
    // Somebody may take a port between our finding it free and the server's binding it.
    if (!(error instanceof Error) || !error.message.includes('address already in use')) throw error;
    return startOnce(options);
  }
}

async function startOnce(options: ControlPlaneOptions): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-control-plane-'));
  mkdirSync(join(folder, 'logs'));
  const guard = new Guard(folder);
  const [clientPort, peerPort, apiPort] = await freePorts();
  const url = `https://127.0.0.1:${apiPort}`;
  const credentials = writeCredentials(folder, options.users ?? []);
  const start = (name: 'etcd' | 'kube-apiserver', args: readonly string[]): ServerProcess =>
    ServerProcess.start(name, options.paths[name], args, join(folder, 'logs', `${name}.log`), guard);
  const etcd = start('etcd', etcdArguments(folder, clientPort, peerPort));
  const api = start('kube-apiserver', [
    ...apiServerArguments(folder, credentials, `http://127.0.0.1:${clientPort}`, apiPort),
    ...(options.apiServerFlags ?? []),
  ]);
  const parts: Parts = { folder, url, guard, etcd, api, credentials, clients: new Map() };
  try {
    await untilReady(parts, options.timeout ?? 60_000);
  } catch (cause) {
    await stopParts(parts, true);
    const said = [etcd, api].map((server) => `--- ${server.name}: ${server.ending ?? 'ran'}\n${server.tail()}`);
    throw new Error(`the control plane did not start; logs kept in ${folder}/logs\n${said.join('\n')}`, { cause });
  }
  return describeParts(parts, options.paths.kubectl);
}

interface Parts {
  readonly folder: string;
  readonly url: string;
  readonly guard: Guard;
  readonly etcd: ServerProcess;
  readonly api: ServerProcess;
  readonly credentials: Credentials;
  readonly clients: Map<string, Client>;
}

function clientOf(parts: Parts, userName: string): Client {
  const { credentials, clients, url } = parts;
  const known = clients.get(userName);
  if (known) return known;
  const token = credentials.tokens[userName];
  if (token === undefined) throw new Error(`the control plane was started without a user ${userName}`);
  const client = new Client({ url, token, authorityFile: credentials.authorityFile });
  clients.set(userName, client);
  return client;
}

async function untilReady(parts: Parts, timeout: number): Promise<void> {
  const client = clientOf(parts, 'admin');
  await waitFor(
    'the API server to be ready',
    async () => {
      const dead = [parts.etcd, parts.api].find((server) => server.ending !== undefined);
      if (dead) return dead;
      const ready = await client.request('GET', '/readyz').catch(() => undefined);
      if (ready?.status !== 200) return undefined;
      // The API server makes this namespace itself, a moment after it calls itself ready.
      return (await client.request('GET', '/api/v1/namespaces/default')).status === 200 ? 'ready' : undefined;
    },
    { timeout, interval: 100 },
  ).then((outcome) => {
    if (outcome !== 'ready') throw new Error(`${outcome.name} ${outcome.ending}`);
  });
}

async function stopParts(parts: Parts, keepLogs: boolean): Promise<string | undefined> {
  for (const client of parts.clients.values()) client.close();
  await parts.api.stop();
  await parts.etcd.stop();
  await parts.guard.dismiss();
  rmSync(keepLogs ? join(parts.folder, 'etcd') : parts.folder, { recursive: true, force: true });
  return keepLogs ? parts.folder : undefined;
}

function describeParts(parts: Parts, kubectl: string): ControlPlane {
  const { folder, url, api, etcd, guard, credentials } = parts;
  const kubeconfig = writeKubeconfig(folder, url, credentials);
  return {
    url,
    folder,
    kubeconfig,
    auditLog: join(folder, 'logs', 'audit.log'),
    client: clientOf(parts, 'admin'),
    pids: [api.pid, etcd.pid, guard.pid],
    as: (userName) => clientOf(parts, userName),
    kubectl: (args, stdin = '') => runCommand(kubectl, ['--kubeconfig', kubeconfig, ...args], stdin, folder),
    stop: ({ keepLogs = false } = {}) => stopParts(parts, keepLogs),
  };
}

/** HOME is the control plane's own folder, so that kubectl keeps its cache there. */
function runCommand(program: string, args: readonly string[], stdin: string, home: string): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { HOME: home }, stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => undefined); // it may end without reading
    child.stdin.end(stdin);
  });
}

/** Three ports of the loopback address that nobody listens on; held together, so that they differ. */
async function freePorts(): Promise<[number, number, number]> {
  const servers = [createServer(), createServer(), createServer()] as const;
  const port = (server: (typeof servers)[number]): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  const ports = await Promise.all([port(servers[0]), port(servers[1]), port(servers[2])]);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
