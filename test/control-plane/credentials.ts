import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A user who may log in to a control plane of the tests. */
export interface User {
  readonly name: string;
  /** Groups. @default - none; RBAC bindings may name the user */
  readonly groups?: readonly string[];
}

/** Files and tokens that a control plane was started with. */
export interface Credentials {
  /** Bearer token of each user by name. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly tokenFile: string;
  /** Folder of the certificate that kube-apiserver generates. */
  readonly certificateFolder: string;
  /** The serving certificate with its issuer, for clients to trust. Exists once the API server runs. */
  readonly authorityFile: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
}

/** Writes service account keys and tokens for `admin` and the given users into a folder. */
export function writeCredentials(folder: string, users: readonly User[]): Credentials {
  const certificateFolder = join(folder, 'pki');
  mkdirSync(certificateFolder, { mode: 0o700 });
  const pathIn = (name: string): string => join(certificateFolder, name);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const serviceAccountKey = pathIn('service-account.key');
  const serviceAccountPublicKey = pathIn('service-account.pub');
  writeFileSync(serviceAccountKey, privateKey, { mode: 0o600 });
  writeFileSync(serviceAccountPublicKey, publicKey);
  const allUsers: readonly User[] = [{ name: 'admin', groups: ['system:masters'] }, ...users];
  const tokens = Object.fromEntries(allUsers.map(({ name }) => [name, randomBytes(16).toString('hex')]));
  const lines = allUsers.map(({ name, groups = [] }) => `${tokens[name]},${name},${name},"${groups.join(',')}"`);
  const tokenFile = pathIn('tokens.csv');
  writeFileSync(tokenFile, `${lines.join('\n')}\n`, { mode: 0o600 });
  return {
    tokens,
    tokenFile,
    certificateFolder,
    authorityFile: pathIn('apiserver.crt'),
    serviceAccountKey,
    serviceAccountPublicKey,
  };
}

/** Writes a kubeconfig with a context for each user and `admin` as the current one; returns its path. */
export function writeKubeconfig(folder: string, url: string, credentials: Credentials): string {
  const names = Object.keys(credentials.tokens);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority': credentials.authorityFile } }],
    users: names.map((name) => ({ name, user: { token: credentials.tokens[name] } })),
    contexts: names.map((name) => ({ name, context: { cluster: 'test', user: name } })),
    'current-context': 'admin',
  };
  const path = join(folder, 'kubeconfig');
  writeFileSync(path, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return path;
}

/** Writes a kubeconfig that logs in with one token; returns its path. */
export function writeLogin(path: string, url: string, authorityFile: string, token: string): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority': authorityFile } }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
  writeFileSync(path, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return path;
}
