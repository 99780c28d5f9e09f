import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import { type ConnectionOptions } from './connection';

interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly clusters?: readonly { readonly name: string; readonly cluster: ClusterEntry }[];
  readonly users?: readonly { readonly name: string; readonly user: UserEntry }[];
  readonly contexts?: readonly { readonly name: string; readonly context: { cluster: string; user: string } }[];
}

interface ClusterEntry {
  readonly server: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
}

interface UserEntry {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly exec?: {
    readonly apiVersion: string;
    readonly command: string;
    readonly args?: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value: string }[];
  };
}

/** Returns the credentials of a kubeconfig's current context: a token, a certificate, or an exec plugin. */
export function readKubeconfigLogin(file: string): ConnectionOptions {
  const config = load(readFileSync(file, 'utf8')) as Kubeconfig;
  const context = config.contexts?.find(({ name }) => name === config['current-context'])?.context;
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users?.find(({ name }) => name === context?.user)?.user;
  if (!cluster || !user) throw new Error(`${file}: the cluster or user of its current context is missing`);
  const readPem = (data: string | undefined, path: string | undefined): string | undefined => {
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
    return path === undefined ? undefined : readFileSync(resolve(dirname(file), path), 'utf8');
  };
  const authority = readPem(cluster['certificate-authority-data'], cluster['certificate-authority']);
  const execStatus = user.exec ? runLogin(user.exec, dirname(file)) : {};
  const token = execStatus.token ?? user.token ?? (user.tokenFile && readPem(undefined, user.tokenFile)?.trim());
  const cert = execStatus.clientCertificateData ?? readPem(user['client-certificate-data'], user['client-certificate']);
  const key = execStatus.clientKeyData ?? readPem(user['client-key-data'], user['client-key']);
  return {
    url: cluster.server,
    ...(authority !== undefined && { authority }),
    ...(token && { token }),
    ...(cert !== undefined && key !== undefined && { identity: { cert, key } }),
  };
}

interface ExecStatus {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
}

function runLogin(
  { apiVersion, command, args = [], env = [] }: NonNullable<UserEntry['exec']>,
  cwd: string,
): ExecStatus {
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  const extra = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const output = execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...extra, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  });
  return (JSON.parse(output) as { status: ExecStatus }).status;
}
