import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Problem, ProblemsError } from '../../api';
import { type ConnectionSettings, credentialOf } from './connection-settings';
import { type ConfigNode, readConfigFiles, pemSource } from './kube-config-file';
import { impersonationOf, type ClusterEndpoint, userCredential } from './user-credential';

/** Options of the kubeconfig. */
export interface KubeConfigOptions {
  /** Path of one file, instead of KUBECONFIG. @default - the files listed in KUBECONFIG, otherwise `~/.kube/config` */
  readonly file?: string;
  /** @default - the current context of the files */
  readonly context?: string;
  /**
   * Environment of the process: KUBECONFIG, HOME, and variables of credential plugins. Its proxy variables are ignored.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the settings of a kubeconfig context. Several files are merged as in kubectl: the first to set a value wins.
 * Throws a `ProblemsError` with all problems of the context.
 */
export function loadKubeConfig(options: KubeConfigOptions): ConnectionSettings {
  const problems: Problem[] = [];
  const settings = resolveContext(readConfigFiles(filesOf(options), problems), options, problems);
  if (!settings || problems.length > 0) throw new ProblemsError(problems);
  return settings;
}

/** Returns the names of all contexts of a kubeconfig. Throws a `ProblemsError` if a file cannot be read. */
export function kubeConfigContexts(options: Omit<KubeConfigOptions, 'context'>): readonly string[] {
  const problems: Problem[] = [];
  const files = readConfigFiles(filesOf(options), problems);
  if (problems.length > 0) throw new ProblemsError(problems);
  return [...new Set(files.flatMap((file) => file.nodes('contexts')).flatMap((node) => node.text('name') ?? []))];
}

function filesOf({ file, environment }: Omit<KubeConfigOptions, 'context'>): readonly string[] {
  if (file !== undefined) return [file];
  const named = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return named.length > 0 ? named : [join(environment['HOME'] || homedir(), '.kube', 'config')];
}

function resolveContext(
  files: readonly ConfigNode[],
  { context: selected, environment }: KubeConfigOptions,
  problems: Problem[],
): ConnectionSettings | undefined {
  const first = files[0];
  if (!first) return undefined;
  const name = selected ?? files.map((file) => file.text('current-context')).find((text) => text !== undefined);
  if (name === undefined) {
    const remedy = 'set a context, or run "kubectl config use-context"';
    first.report('current-context', 'required', 'no context is selected', remedy);
    return undefined;
  }
  const context = findEntry(files, problems, 'context', name);
  if (!context) return undefined;
  const clusterName = context.text('cluster');
  const userName = context.text('user');
  if (clusterName === undefined) context.report('cluster', 'required', 'is not set', 'set the name of a cluster');
  const cluster = clusterName === undefined ? undefined : findEntry(files, problems, 'cluster', clusterName);
  // A context without a user is valid: its requests are anonymous.
  const user = userName === undefined ? undefined : findEntry(files, problems, 'user', userName);
  if (!cluster) return undefined;
  const impersonate = user && impersonationOf(user);
  const endpoint = clusterSettings(cluster);
  return {
    ...endpoint,
    namespace: context.text('namespace') ?? 'default',
    credential: user ? userCredential(user, endpoint, environment) : credentialOf({}),
    ...(impersonate && { impersonate }),
  };
}

/** Returns the entry with a name from the lists of all files. */
function findEntry(
  files: readonly ConfigNode[],
  problems: Problem[],
  kind: 'context' | 'cluster' | 'user',
  name: string,
): ConfigNode | undefined {
  const entries = files.flatMap((file) => file.nodes(`${kind}s`));
  const found = entries.find((node) => node.text('name') === name);
  if (!found) {
    const available = entries.flatMap((node) => node.text('name') ?? []);
    problems.push({
      code: 'unknown-reference',
      object: files.map(({ file }) => file).join(', '),
      path: [`${kind}s`],
      value: name,
      reason: `${kind} not found`,
      remedy: available.length > 0 ? `use ${available.join(' or ')}` : `add the ${kind}`,
    });
    return undefined;
  }
  const node = found.node(kind);
  if (!node) found.report(kind, 'required', 'is empty', 'indent its fields below it');
  return node;
}

function clusterSettings(cluster: ConfigNode): ClusterEndpoint {
  const server = cluster.text('server') ?? '';
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) {
    const remedy = 'use https://HOST:PORT';
    if (cluster.has('server')) cluster.report('server', 'bad-format', 'is not a server URL', remedy, server);
    else cluster.report('server', 'required', 'is not set', remedy);
  }
  const proxy = cluster.text('proxy-url');
  if (proxy !== undefined) {
    const remedy = 'remove it, and connect directly or through a tunnel';
    cluster.report('proxy-url', 'not-available', 'proxies are not supported', remedy);
  }
  const authority = pemSource(cluster, 'certificate-authority');
  const insecure = cluster.flag('insecure-skip-tls-verify');
  if (insecure && authority) {
    const remedy = 'remove one of the two';
    const reason = 'certificate-authority is set, but verification is disabled';
    cluster.report('insecure-skip-tls-verify', 'invalid-combination', reason, remedy);
  }
  const serverName = cluster.text('tls-server-name');
  return {
    server,
    ...(authority && { authority }),
    ...(serverName !== undefined && { serverName }),
    ...(insecure && { insecure }),
  };
}
