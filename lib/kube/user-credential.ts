import { resolve } from 'node:path';
import {
  type ConnectionSettings,
  credentialOf,
  type CredentialSource,
  type Impersonation,
} from './connection-settings';
import { execCredential, execVersions } from './exec-credential';
import { type ConfigNode, namedFile, textOrFile } from './kube-config-file';

/** Where the server is and how it is recognised. */
export type Reach = Pick<ConnectionSettings, 'server' | 'authority' | 'serverName' | 'insecure'>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The credential of a user; what is wrong with it is noted as problems. */
export function userCredential(user: ConfigNode, reach: Reach, environment: Environment): CredentialSource {
  if (user.has('auth-provider')) {
    const remedy = "use the provider's credential plugin (exec)";
    user.refuse('auth-provider', 'not-offered', 'Kubernetes 1.26 removed these providers', remedy);
  }
  for (const field of ['username', 'password']) {
    if (!user.has(field)) continue;
    const remedy = 'use a token, a certificate or a credential plugin (exec)';
    user.refuse(field, 'not-offered', 'Kubernetes 1.19 removed logging in by password', remedy);
  }
  const exec = user.node('exec');
  if (exec) return execOf(exec, user, reach, environment);
  const certificate = textOrFile(user, 'client-certificate');
  const key = textOrFile(user, 'client-key');
  if (certificate && !key)
    user.refuse('client-key', 'required', 'there is a certificate without its key', 'add the key');
  if (key && !certificate) {
    user.refuse('client-certificate', 'required', 'there is a key without its certificate', 'add the certificate');
  }
  const tokenFile = user.text('tokenFile');
  const text = user.text('token');
  // As in client-go, a file of the token wins.
  const token =
    tokenFile !== undefined ? namedFile(user, 'tokenFile', tokenFile) : text === undefined ? undefined : () => text;
  return credentialOf({ token, certificate, key });
}

function execOf(exec: ConfigNode, user: ConfigNode, reach: Reach, environment: Environment): CredentialSource {
  for (const field of ['token', 'tokenFile', 'client-certificate', 'client-certificate-data']) {
    if (!user.has(field)) continue;
    const reason = 'the user has a credential plugin and a credential of another kind';
    user.refuse(field, 'contradiction', reason, 'remove one of the two');
  }
  const apiVersion = exec.text('apiVersion') ?? '';
  if (!execVersions.includes(apiVersion)) {
    const reason = 'this version of ExecCredential is not understood';
    exec.refuse('apiVersion', 'not-one-of', reason, `use ${execVersions.join(' or ')}`, apiVersion);
  }
  if (exec.text('interactiveMode') === 'Always') {
    const reason = 'the plugin wants to ask a person, and here is none';
    exec.refuse('interactiveMode', 'not-offered', reason, 'use Never or IfAvailable', 'Always');
  }
  const command = exec.text('command') ?? '';
  if (command === '') exec.refuse('command', 'required', 'the plugin names no program', 'name it');
  const variables = exec.nodes('env').map((node) => [node.text('name') ?? '', node.text('value') ?? ''] as const);
  const installHint = exec.text('installHint');
  const told = exec.flag('provideClusterInfo') ? clusterInfo(reach) : undefined;
  return execCredential(
    {
      apiVersion,
      command,
      args: exec.texts('args'),
      env: Object.fromEntries(variables.filter(([name]) => name !== '')),
      file: resolve(exec.file),
      ...(installHint !== undefined && { installHint }),
      ...(told && { cluster: told }),
    },
    environment,
  );
}

/** The cluster in the words of ExecCredential. */
function clusterInfo({ server, authority, serverName, insecure }: Reach): Record<string, unknown> {
  return {
    server,
    ...(serverName !== undefined && { 'tls-server-name': serverName }),
    ...(insecure && { 'insecure-skip-tls-verify': true }),
    ...(authority && { 'certificate-authority-data': Buffer.from(authority(0)).toString('base64') }),
  };
}

/** In whose name the user wants to act. */
export function impersonationOf(user: ConfigNode): Impersonation | undefined {
  const name = user.text('as');
  const uid = user.text('as-uid');
  const groups = user.texts('as-groups');
  const extraNode = user.node('as-user-extra');
  const extra = extraNode && Object.fromEntries(extraNode.fields.map((field) => [field, extraNode.texts(field)]));
  if (name === undefined) {
    if (uid !== undefined || groups.length > 0 || extra) {
      user.refuse(
        'as',
        'required',
        'groups, uid or extras of somebody are given, and nobody is named',
        'name the user',
      );
    }
    return undefined;
  }
  return { user: name, groups, ...(uid !== undefined && { uid }), ...(extra && { extra }) };
}
