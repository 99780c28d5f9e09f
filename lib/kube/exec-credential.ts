import { execFile } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { type Credential, type CredentialSource } from './connection-settings';

/** A program that hands out credentials, as a kubeconfig names it. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What to do where the program is not installed. */
  readonly installHint?: string;
  /** The cluster as the program is told it. @default - it is not told */
  readonly cluster?: Readonly<Record<string, unknown>>;
  /** File that names it; a command with a slash in it is meant from there. */
  readonly file: string;
}

/** Versions of ExecCredential that are understood. */
export const execVersions: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];

/** Milliseconds after which the program is given up. */
const patience = 60_000;
/** The most bytes that it may say. */
const maxOutput = 1 << 20;

interface Issued {
  readonly credential: Credential;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/**
 * Credentials from a program that follows ExecCredential v1: asked when the last ones expired or were refused, once
 * for all who wait. What it says never stands in an error.
 */
export function execCredential(
  plugin: ExecPlugin,
  environment: Readonly<Record<string, string | undefined>>,
): CredentialSource {
  let issued: Issued | undefined;
  let underWay: Promise<Issued> | undefined;
  return async (now, refused) => {
    if (issued && now < issued.expires && issued.credential !== refused) return issued.credential;
    underWay ??= issue(plugin, environment).finally(() => (underWay = undefined));
    issued = await underWay;
    return issued.credential;
  };
}

async function issue(plugin: ExecPlugin, environment: Readonly<Record<string, string | undefined>>): Promise<Issued> {
  const spec = { interactive: false, ...(plugin.cluster && { cluster: plugin.cluster }) };
  const info = JSON.stringify({ apiVersion: plugin.apiVersion, kind: 'ExecCredential', spec });
  const said = await runPlugin(plugin, { ...environment, ...plugin.env, KUBERNETES_EXEC_INFO: info });
  return readIssued(plugin, said);
}

function runPlugin(plugin: ExecPlugin, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const { command, args, file, installHint } = plugin;
  const program = command.includes('/') ? resolve(dirname(file), command) : command;
  return new Promise((fulfil, reject) => {
    const child = execFile(program, [...args], { env, timeout: patience, maxBuffer: maxOutput }, (error, stdout) => {
      if (!error) return fulfil(stdout);
      // The error that Node makes repeats the arguments, and those may hold a secret.
      if (error.code === 'ENOENT') {
        const hint = installHint?.trim() ?? 'install it, or give its whole path in users[].user.exec.command';
        return reject(new Error(`the credential plugin ${command} is not there; ${hint}`));
      }
      const end = error.killed ? `was stopped after ${patience} ms` : `ended with ${error.code ?? error.signal}`;
      return reject(new Error(`the credential plugin ${command} ${end}; run it by hand to see why`));
    });
    // Nobody is there to answer its questions.
    child.stdin?.on('error', () => undefined).end();
  });
}

function readIssued({ command, apiVersion }: ExecPlugin, said: string): Issued {
  const bad = (what: string): Error => new Error(`the credential plugin ${command} ${what}`);
  let answer: {
    readonly kind?: unknown;
    readonly apiVersion?: unknown;
    readonly status?: Readonly<Record<string, unknown>>;
  } | null;
  try {
    answer = JSON.parse(said) as typeof answer;
  } catch {
    throw bad('did not print JSON'); // without the cause, which quotes what it printed
  }
  if (answer?.kind !== 'ExecCredential' || answer.apiVersion !== apiVersion) {
    throw bad(`did not print an ExecCredential of ${apiVersion}`);
  }
  const text = (name: string): string | undefined => {
    const value = answer.status?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const token = text('token');
  const certificate = text('clientCertificateData');
  const key = text('clientKeyData');
  if (token === undefined && certificate === undefined) throw bad('gave neither a token nor a certificate');
  if ((certificate === undefined) !== (key === undefined)) throw bad('gave a certificate or a key without the other');
  const expiry = text('expirationTimestamp');
  const expires = expiry === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiry);
  if (Number.isNaN(expires)) throw bad('gave an expirationTimestamp that is no RFC 3339 time');
  const credential = { ...(token && { token }), ...(certificate && { certificate }), ...(key && { key }) };
  return { credential, expires };
}
