import { resolve } from 'node:path';
import {
  type ConnectionSettings,
  credentialOf,
  type CredentialSource,
  type Impersonation,
} from './connection-settings';
import { execCredential, execVersions } from './exec-credential';
import { type ConfigNode, referencedFile, pemSource } from './kube-config-file';

/** Address and trust of a cluster. */
export type ClusterEndpoint = Pick<ConnectionSettings, 'server' | 'authority' | 'serverName' | 'insecure'>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the credential of a user, and reports its problems. */
export function userCredential(
  user: ConfigNode,
  endpoint: ClusterEndpoint,
  environment: Environment,
): CredentialSource {
  if (user.has('auth-provider')) {
    const remedy = "use the provider's credential plugin (exec)";
    user.report('auth-provider', 'not-available', 'Kubernetes 1.26 removed auth providers', remedy);
  }
  for (const field of ['username', 'password']) {
    if (!user.has(field)) continue;
    const remedy = 'use a token, a certificate or a credential plugin (exec)';
    user.report(field, 'not-available', 'Kubernetes 1.19 removed password authentication', remedy);
  }
  const exec = user.node('exec');
  if (exec) return execOf(exec, user, endpoint, environment);
  const certificate = pemSource(user, 'client-certificate');
  const key = pemSource(user, 'client-key');
  if (certificate && !key) user.report('client-key', 'required', 'is required with client-certificate', 'add the key');
  if (key && !certificate) {
    user.report('client-certificate', 'required', 'is required with client-key', 'add the certificate');
  }
  const tokenFile = user.text('tokenFile');
  const text = user.text('token');
  // As in client-go, tokenFile wins over token.
  const token =
    tokenFile !== undefined
      ? referencedFile(user, 'tokenFile', tokenFile)
      : text === undefined
        ? undefined
        : () => text;
  return credentialOf({ token, certificate, key });
}

function execOf(
  exec: ConfigNode,
  user: ConfigNode,
  endpoint: ClusterEndpoint,
  environment: Environment,
): CredentialSource {
  for (const field of ['token', 'tokenFile', 'client-certificate', 'client-certificate-data']) {
    if (!user.has(field)) continue;
    const reason = 'cannot be combined with a credential plugin (exec)';
    user.report(field, 'invalid-combination', reason, 'remove one of the two');
  }
  const apiVersion = exec.text('apiVersion') ?? '';
  if (!execVersions.includes(apiVersion)) {
    const reason = 'is not a supported ExecCredential version';
    exec.report('apiVersion', 'unsupported-value', reason, `use ${execVersions.join(' or ')}`, apiVersion);
  }
  if (exec.text('interactiveMode') === 'Always') {
    const reason = 'interactive plugins are not supported';
    exec.report('interactiveMode', 'not-available', reason, 'use Never or IfAvailable', 'Always');
  }
  const command = exec.text('command') ?? '';
  if (command === '') exec.report('command', 'required', 'is not set', 'set the program of the plugin');
  const variables = exec.nodes('env').map((node) => [node.text('name') ?? '', node.text('value') ?? ''] as const);
  const installHint = exec.text('installHint');
  const cluster = exec.flag('provideClusterInfo') ? clusterInfo(endpoint) : undefined;
  return execCredential(
    {
      apiVersion,
      command,
      args: exec.texts('args'),
      env: Object.fromEntries(variables.filter(([name]) => name !== '')),
      file: resolve(exec.file),
      ...(installHint !== undefined && { installHint }),
      ...(cluster && { cluster }),
    },
    environment,
  );
}

/** Returns the cluster as ExecCredential describes it. */
function clusterInfo({ server, authority, serverName, insecure }: ClusterEndpoint): Record<string, unknown> {
  return {
    server,
    ...(serverName !== undefined && { 'tls-server-name': serverName }),
    ...(insecure && { 'insecure-skip-tls-verify': true }),
    ...(authority && { 'certificate-authority-data': Buffer.from(authority(0)).toString('base64') }),
  };
}

/** Returns the identity that the user impersonates. */
export function impersonationOf(user: ConfigNode): Impersonation | undefined {
  const name = user.text('as');
  const uid = user.text('as-uid');
  const groups = user.texts('as-groups');
  const extraNode = user.node('as-user-extra');
  const extra = extraNode && Object.fromEntries(extraNode.fields.map((field) => [field, extraNode.texts(field)]));
  if (name === undefined) {
    if (uid !== undefined || groups.length > 0 || extra) {
      user.report('as', 'required', 'is required with as-groups, as-uid and as-user-extra', 'set the user name');
    }
    return undefined;
  }
  return { user: name, groups, ...(uid !== undefined && { uid }), ...(extra && { extra }) };
}
