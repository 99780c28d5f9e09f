import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Problem, ProblemsError } from '../api';
import { type ConnectionSettings, credentialOf } from './connection-settings';
import { type ConfigNode, readConfigFiles, textOrFile } from './kube-config-file';
import { impersonationOf, type Reach, userCredential } from './user-credential';

/** Which kubeconfig is meant. */
export interface KubeConfigOptions {
  /** One file, whatever KUBECONFIG says. @default - the files of KUBECONFIG, else `~/.kube/config` */
  readonly file?: string;
  /** @default - the current context of the files */
  readonly context?: string;
  /** Environment of the process: KUBECONFIG, HOME, and what credential plugins need. Proxies that it names are not used. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Settings from kubeconfig files, several merged as kubectl does: the first to say something wins.
 * Throws a `ProblemsError` with all that is wrong with the context in question.
 */
export function loadKubeConfig(options: KubeConfigOptions): ConnectionSettings {
  const problems: Problem[] = [];
  const settings = settle(readConfigFiles(filesOf(options), problems), options, problems);
  if (!settings || problems.length > 0) throw new ProblemsError(problems);
  return settings;
}

function filesOf({ file, environment }: KubeConfigOptions): readonly string[] {
  if (file !== undefined) return [file];
  const named = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return named.length > 0 ? named : [join(environment['HOME'] || homedir(), '.kube', 'config')];
}

function settle(
  files: readonly ConfigNode[],
  { context: wanted, environment }: KubeConfigOptions,
  problems: Problem[],
): ConnectionSettings | undefined {
  const first = files[0];
  if (!first) return undefined;
  const name = wanted ?? files.map((file) => file.text('current-context')).find((text) => text !== undefined);
  if (name === undefined) {
    const remedy = 'choose one by name, or by "kubectl config use-context"';
    first.refuse('current-context', 'required', 'no context is chosen', remedy);
    return undefined;
  }
  const context = entry(files, problems, 'context', name);
  if (!context) return undefined;
  const clusterName = context.text('cluster');
  const userName = context.text('user');
  if (clusterName === undefined) context.refuse('cluster', 'required', 'the context names no cluster', 'name one');
  const cluster = clusterName === undefined ? undefined : entry(files, problems, 'cluster', clusterName);
  // A context without a user is legal: whoever has no credential is anonymous.
  const user = userName === undefined ? undefined : entry(files, problems, 'user', userName);
  if (!cluster) return undefined;
  const impersonate = user && impersonationOf(user);
  const reach = clusterSettings(cluster);
  return {
    ...reach,
    namespace: context.text('namespace') ?? 'default',
    credential: user ? userCredential(user, reach, environment) : credentialOf({}),
    ...(impersonate && { impersonate }),
  };
}

/** The entry of a name in the lists of all files. */
function entry(
  files: readonly ConfigNode[],
  problems: Problem[],
  kind: 'context' | 'cluster' | 'user',
  name: string,
): ConfigNode | undefined {
  const entries = files.flatMap((file) => file.nodes(`${kind}s`));
  const found = entries.find((node) => node.text('name') === name);
  if (!found) {
    const offered = entries.flatMap((node) => node.text('name') ?? []);
    problems.push({
      code: 'unknown-reference',
      object: files.map(({ file }) => file).join(', '),
      path: [`${kind}s`],
      value: name,
      reason: `there is no ${kind} of this name`,
      remedy: offered.length > 0 ? `use ${offered.join(' or ')}` : `add the ${kind}`,
    });
    return undefined;
  }
  const node = found.node(kind);
  if (!node) found.refuse(kind, 'required', `the ${kind} says nothing`, 'write its fields below it');
  return node;
}

function clusterSettings(cluster: ConfigNode): Reach {
  const server = cluster.text('server') ?? '';
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) {
    const remedy = 'write it as https://HOST:PORT';
    if (cluster.has('server')) cluster.refuse('server', 'bad-format', 'it is no URL of a server', remedy, server);
    else cluster.refuse('server', 'required', 'the cluster says no address', remedy);
  }
  const proxy = cluster.text('proxy-url');
  if (proxy !== undefined) {
    const remedy = 'remove it and let the server be reached directly or through a tunnel';
    cluster.refuse('proxy-url', 'not-offered', 'connections through a proxy are not supported', remedy);
  }
  const authority = textOrFile(cluster, 'certificate-authority');
  const insecure = cluster.flag('insecure-skip-tls-verify');
  if (insecure && authority) {
    const remedy = 'remove one of the two';
    const reason = 'a certificate is given to check the server by, and the check is switched off';
    cluster.refuse('insecure-skip-tls-verify', 'contradiction', reason, remedy);
  }
  const serverName = cluster.text('tls-server-name');
  return {
    server,
    ...(authority && { authority }),
    ...(serverName !== undefined && { serverName }),
    ...(insecure && { insecure }),
  };
}
