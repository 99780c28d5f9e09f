import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { EC2 } from '@aws-sdk/client-ec2';
import { type AwsOptions } from '../../lib/cloud';
import { processOncePerRun, textOncePerRun } from '../jest/once-per-run';
import { runFolder } from '../jest/run-folder';

const isInstalled = (): boolean => spawnSync('moto_server', ['--help'], { timeout: 60_000 }).status === 0;

/** Reason why AWS cannot be emulated on this machine; undefined if it can. */
export const motoMissing: string | undefined =
  textOncePerRun('moto-installed', () => String(isInstalled())) === 'true'
    ? undefined
    : 'moto_server is not installed; run "pip install moto[server]"';

/** An emulated AWS and its clients. */
export interface Moto {
  readonly options: AwsOptions;
  readonly autoScaling: AutoScaling;
  readonly ec2: EC2;
  stop(): Promise<void>;
}

/** Owner of two images; the list of Amazon's own images is a megabyte. */
export const imageOwner = '099720109477';

/** Opens an account in the emulated AWS that the suites of a run share; S3 lists ten objects per page. */
export async function openMoto(): Promise<Moto> {
  const settings = { MOTO_S3_DEFAULT_MAX_KEYS: '10' };
  const folder = runFolder();
  if (folder === undefined) return startMoto(settings);
  const port = await processOncePerRun(folder, 'moto', async () => {
    const { server, port } = await spawnMoto(settings);
    server.unref();
    return { pid: server.pid ?? 0, ready: waitUntilReady(server, port).then(() => port) };
  });
  return clientsOf(port, await accountCredentials(port), () => Promise.resolve());
}

/** Starts moto on a free port and waits until it responds; `settings` are environment variables. */
export async function startMoto(settings: Readonly<Record<string, string>> = {}): Promise<Moto> {
  const { server, port } = await spawnMoto(settings);
  await waitUntilReady(server, port);
  return clientsOf(port, { accessKeyId: 'test', secretAccessKey: 'test' }, () => kill(server));
}

async function spawnMoto(settings: Readonly<Record<string, string>>): Promise<{ server: ChildProcess; port: number }> {
  const port = await freePort();
  const env = { ...process.env, ...settings };
  return { server: spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore', env }), port };
}

async function waitUntilReady(server: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; !(await responds(port)); tries++) {
    if (tries > 600 || server.exitCode !== null) {
      await kill(server);
      throw new Error('moto_server does not respond');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

type Credentials = NonNullable<AwsOptions['credentials']>;

function clientsOf(port: number, credentials: Credentials, end: () => Promise<void>): Moto {
  const options = { region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, credentials };
  const [autoScaling, ec2] = [new AutoScaling(options), new EC2(options)];
  const stop = (): Promise<void> => {
    autoScaling.destroy();
    ec2.destroy();
    return end();
  };
  return { options, autoScaling, ec2, stop };
}

/** Returns credentials of a new account: moto identifies accounts by their keys. */
async function accountCredentials(port: number): Promise<Credentials> {
  const role = `arn:aws:iam::${randomInt(1e11, 1e12)}:role/suite`;
  const body = `Action=AssumeRole&Version=2011-06-15&RoleSessionName=suite&RoleArn=${encodeURIComponent(role)}`;
  const authorization = 'AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/sts/aws4_request';
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
  const text = await response.text();
  const field = (name: string): string => new RegExp(`<${name}>([^<]+)`).exec(text)?.[1] ?? '';
  return { accessKeyId: field('AccessKeyId'), secretAccessKey: field('SecretAccessKey') };
}

const kill = (server: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) {
      resolve();
      return;
    }
    server.once('exit', () => resolve());
    server.kill('SIGKILL');
  });

const responds = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/moto-api/', timeout: 2_000 }, (response) => {
      response.resume();
      resolve(true);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('timed out')));
    outgoing.on('error', () => resolve(false));
    outgoing.end();
  });

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Points commands in this process to the emulated AWS with the standard environment variables. */
export function useEndpoint({ options }: Moto): void {
  process.env['AWS_ENDPOINT_URL'] = options.endpoint;
  process.env['AWS_ACCESS_KEY_ID'] = options.credentials?.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = options.credentials?.secretAccessKey;
}
