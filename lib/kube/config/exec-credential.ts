import { execFile } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { type Credential, type CredentialSource } from './connection-settings';

/** Credential plugin of a kubeconfig. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Hint for a plugin that is not installed. */
  readonly installHint?: string;
  /** Cluster information that the plugin receives. @default - none */
  readonly cluster?: Readonly<Record<string, unknown>>;
  /** Kubeconfig file; a command with a slash is relative to its folder. */
  readonly file: string;
}

/** Supported versions of ExecCredential. */
export const execVersions: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];

/** Timeout of the plugin in milliseconds. */
const timeout = 60_000;
/** Maximum bytes of its output. */
const maxOutput = 1 << 20;

interface Issued {
  readonly credential: Credential;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/**
 * Returns a credential source that runs a plugin when its last credential has expired or was rejected, once for concurrent
 * callers. Errors never quote its output.
 */
export function execCredential(
  plugin: ExecPlugin,
  environment: Readonly<Record<string, string | undefined>>,
): CredentialSource {
  let issued: Issued | undefined;
  let pending: Promise<Issued> | undefined;
  return async (now, rejected) => {
    if (issued && now < issued.expires && issued.credential !== rejected) return issued.credential;
    pending ??= issue(plugin, environment).finally(() => (pending = undefined));
    issued = await pending;
    return issued.credential;
  };
}

async function issue(plugin: ExecPlugin, environment: Readonly<Record<string, string | undefined>>): Promise<Issued> {
  const spec = { interactive: false, ...(plugin.cluster && { cluster: plugin.cluster }) };
  const info = JSON.stringify({ apiVersion: plugin.apiVersion, kind: 'ExecCredential', spec });
  const output = await runPlugin(plugin, { ...environment, ...plugin.env, KUBERNETES_EXEC_INFO: info });
  return readIssued(plugin, output);
}

function runPlugin(plugin: ExecPlugin, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const { command, args, file, installHint } = plugin;
  const program = command.includes('/') ? resolve(dirname(file), command) : command;
  return new Promise((fulfill, reject) => {
    const child = execFile(program, [...args], { env, timeout, maxBuffer: maxOutput }, (error, stdout) => {
      if (!error) return fulfill(stdout);
      // Node's error repeats the arguments, which may hold a secret.
      if (error.code === 'ENOENT') {
        const hint = installHint?.trim() ?? 'install it, or set its full path in users[].user.exec.command';
        return reject(new Error(`the credential plugin ${command} is not installed; ${hint}`));
      }
      const failure = error.killed ? `timed out after ${timeout} ms` : `failed with ${error.code ?? error.signal}`;
      return reject(new Error(`the credential plugin ${command} ${failure}; run it manually to see why`));
    });
    // The plugin cannot prompt.
    child.stdin?.on('error', () => undefined).end();
  });
}

function readIssued({ command, apiVersion }: ExecPlugin, output: string): Issued {
  const pluginError = (problem: string): Error => new Error(`the credential plugin ${command} ${problem}`);
  let response: {
    readonly kind?: unknown;
    readonly apiVersion?: unknown;
    readonly status?: Readonly<Record<string, unknown>>;
  } | null;
  try {
    response = JSON.parse(output) as typeof response;
  } catch {
    throw pluginError('did not print JSON'); // without the cause, which quotes the output
  }
  if (response?.kind !== 'ExecCredential' || response.apiVersion !== apiVersion) {
    throw pluginError(`did not print an ExecCredential of version ${apiVersion}`);
  }
  const text = (name: string): string | undefined => {
    const value = response.status?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const token = text('token');
  const certificate = text('clientCertificateData');
  const key = text('clientKeyData');
  if (token === undefined && certificate === undefined) throw pluginError('returned neither a token nor a certificate');
  if ((certificate === undefined) !== (key === undefined))
    throw pluginError('returned a certificate or a key without the other');
  const expiry = text('expirationTimestamp');
  const expires = expiry === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiry);
  if (Number.isNaN(expires)) throw pluginError('returned an expirationTimestamp that is not an RFC 3339 time');
  const credential = { ...(token && { token }), ...(certificate && { certificate }), ...(key && { key }) };
  return { credential, expires };
}
