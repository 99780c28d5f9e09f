import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../control-plane/client';
import { runCommand, type CommandResult } from '../control-plane/command';
import { Guard, ServerProcess } from '../control-plane/server-process';
import { waitFor } from '../control-plane/wait-for';
import { createCgroup, processesBelow, removeCgroup } from './cgroups';
import { writeImageArchive } from './image-archive';
import { kubeconfig, nodeNetwork, writeNodeFiles, type NodeFiles } from './node-files';
import { nodeImages, type imageNames } from './node-images';
import { initScript, type NodePaths } from './node-init';
import { PortForward, portForwardProgram } from './port-forward';

/** Options of a real node. */
export interface RealNodeOptions {
  readonly paths: NodePaths;
  /** Image aliases, such as `{'registry.example.com/cart:1': 'busybox'}`. @default - none */
  readonly images?: Readonly<Record<string, keyof typeof imageNames>>;
  /** Timeout until the node is Ready, in milliseconds. @default 90000 */
  readonly timeout?: number;
}

/** Real node with its own control plane, in isolated namespaces. */
export interface RealNode {
  /** Folder of state and logs; removed by `stop`. */
  readonly folder: string;
  /** URL of the API server from this machine, `https://localhost:PORT`. */
  readonly url: string;
  /** Path of a kubeconfig for this machine that logs in as `admin`. */
  readonly kubeconfig: string;
  /** A client that logs in as `admin`. */
  readonly client: Client;
  /** The node's internal address; pods reach it, and programs that `command` starts may listen on it. */
  readonly address: string;
  /** Path of the API server's audit log: one JSON event per line. */
  readonly auditLog: string;
  /** Command prefix that runs a program in the node's network. The caller stops the program. */
  readonly command: readonly string[];
  /** Runs kubectl as `admin`. */
  kubectl(args: readonly string[], stdin?: string): Promise<CommandResult>;
  /** Applies objects by server-side apply; throws the output of kubectl on failure. */
  apply(...objects: readonly object[]): Promise<void>;
  /** Returns the complete log of a container, or that of its previous instance. */
  logs(namespace: string, pod: string, container?: string, previous?: boolean): Promise<string>;
  /** Runs a program in a container. */
  exec(namespace: string, pod: string, container: string, program: readonly string[]): Promise<CommandResult>;
  /** Lists the ids, on this machine, of processes in its pods whose command line contains some words. */
  processes(words: readonly string[]): readonly number[];
  /** Forwards a port of the loopback address to a port of the node or of a pod; returns the former. */
  forward(port: number, address?: string): Promise<number>;
  /** Stops the node with all its pods and removes its folder; with `keepLogs` the folder is kept and its path is returned. */
  stop(options?: { readonly keepLogs?: boolean }): Promise<string | undefined>;
}

/** Starts a node and waits until it is Ready. Throws, with the folder of the kept logs, on failure. */
export async function startRealNode(options: RealNodeOptions): Promise<RealNode> {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-node-'));
  const files = writeNodeFiles(folder, createCgroup());
  const archive = join(folder, 'images.tar');
  writeImageArchive(archive, nodeImages(options.images));
  writeFileSync(join(folder, 'relay.js'), portForwardProgram);
  writeFileSync(join(folder, 'init.sh'), initScript(files, options.paths, archive));
  const guard = new Guard(folder);
  const server = ServerProcess.start('node', 'unshare', namespaces(folder), join(folder, 'logs', 'init.log'), guard);
  const parts: Parts = { files, server, guard, relay: new PortForward(files.relaySocket), clients: [] };
  try {
    const node = await createNode(parts, options.paths.kubectl);
    await untilReady(parts, node, options.timeout ?? 90_000);
    return node;
  } catch (cause) {
    await stopParts(parts, true);
    throw new Error(`the node did not start; logs kept in ${folder}/logs\n${server.tail()}`, { cause });
  }
}

interface Parts {
  readonly files: NodeFiles;
  readonly server: ServerProcess;
  readonly guard: Guard;
  readonly relay: PortForward;
  readonly clients: Client[];
}

const namespaces = (folder: string): readonly string[] => [
  ...['--net', '--mount', '--pid', '--ipc', '--uts', '--fork', '--mount-proc', '--propagation', 'private'],
  ...['--kill-child=SIGKILL', '/bin/sh', join(folder, 'init.sh')],
];

async function createNode(parts: Parts, kubectlPath: string): Promise<RealNode> {
  const { files, server, relay } = parts;
  const { folder } = files;
  const url = `https://localhost:${await relay.forward('127.0.0.1', nodeNetwork.apiPort)}`;
  const outsideKubeconfig = join(folder, 'kubeconfig-outside');
  writeFileSync(outsideKubeconfig, JSON.stringify(kubeconfig(url, files)), { mode: 0o600 });
  const client = new Client({ url, token: files.token, authorityFile: files.authorityFile });
  parts.clients.push(client);
  const kubectl = (args: readonly string[], stdin = ''): Promise<CommandResult> =>
    runCommand(kubectlPath, ['--kubeconfig', outsideKubeconfig, ...args], stdin, { HOME: folder });
  const requireSuccess = async (args: readonly string[], stdin?: string): Promise<string> => {
    const { code, stdout, stderr } = await kubectl(args, stdin);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  return {
    folder,
    url,
    kubeconfig: outsideKubeconfig,
    client,
    address: nodeNetwork.address,
    auditLog: join(folder, 'logs', 'audit.log'),
    command: ['nsenter', `--net=/proc/${server.pid}/ns/net`],
    kubectl,
    apply: async (...objects) => {
      const list = { apiVersion: 'v1', kind: 'List', items: objects };
      await requireSuccess(['apply', '--server-side', '--filename=-'], JSON.stringify(list));
    },
    logs: (namespace, pod, container, previous = false) =>
      requireSuccess(['logs', '-n', namespace, pod, `--previous=${previous}`, ...(container ? ['-c', container] : [])]),
    exec: (namespace, pod, container, program) =>
      kubectl(['exec', '-n', namespace, pod, '-c', container, '--', ...program]),
    processes: (words) => processesBelow(files.cgroup).filter((id) => commandLine(id).includes(words.join('\0'))),
    forward: (port, address = nodeNetwork.address) => relay.forward(address, port),
    stop: ({ keepLogs = false } = {}) => stopParts(parts, keepLogs),
  };
}

/** Returns the null-separated command line of a process; empty if it has exited. */
function commandLine(id: number): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function untilReady(parts: Parts, node: RealNode, timeout: number): Promise<void> {
  await waitFor(
    'the node to be Ready',
    async () => {
      if (parts.server.ending) throw new Error(`process 1 ${parts.server.ending}`);
      if (!existsSync(parts.files.authorityFile)) return undefined;
      const response = await node.client.request('GET', `/api/v1/nodes/${nodeNetwork.name}`).catch(() => undefined);
      const conditions = (response?.body as NodeObject | undefined)?.status?.conditions ?? [];
      return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
    },
    { timeout, interval: 200 },
  );
  const imported = readFileSync(join(parts.files.folder, 'logs', 'import.log'), 'utf8');
  if (imported.includes('failed')) throw new Error(`the images could not be imported: ${imported}`);
  await waitFor('the default service account', async () => {
    const path = '/api/v1/namespaces/default/serviceaccounts/default';
    return (await node.client.request('GET', path)).status === 200;
  });
}

interface NodeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Stops all parts. All processes of the namespaces exit with process 1, which exits with the process that started it. */
async function stopParts(parts: Parts, keepLogs: boolean): Promise<string | undefined> {
  const { files, server, guard, relay, clients } = parts;
  for (const client of clients) client.close();
  relay.close();
  await server.kill();
  await waitFor('every process of the node to exit', async () => processesBelow(files.cgroup).length === 0);
  const areRemoved = await waitFor('the cgroups to be removed', async () => removeCgroup(files.cgroup).length === 0);
  if (!areRemoved) throw new Error('cgroups were not removed');
  await guard.dismiss();
  for (const each of ['state', 'images.tar', 'pki']) rmSync(join(files.folder, each), { recursive: true, force: true });
  if (keepLogs) return files.folder;
  rmSync(files.folder, { recursive: true, force: true });
  return undefined;
}

/** Lists the ids of processes of this machine whose command line names a folder: none after `stop`. */
export function findProcesses(folder: string): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const child = spawn('pgrep', ['-f', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()));
    child.once('error', reject);
    child.once('close', () => resolve(text.split('\n').filter(Boolean).map(Number)));
  });
}
