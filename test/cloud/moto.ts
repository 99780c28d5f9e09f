import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { EC2 } from '@aws-sdk/client-ec2';
import { type AwsOptions } from '../../lib/cloud';

/** Why AWS cannot be emulated here; undefined where it can. */
export const motoMissing: string | undefined =
  spawnSync('moto_server', ['--help'], { timeout: 60_000 }).status === 0
    ? undefined
    : 'there is no moto_server here; "pip install moto[server]" brings it';

/** An emulated AWS, and clients of it. */
export interface Moto {
  readonly options: AwsOptions;
  readonly autoScaling: AutoScaling;
  readonly ec2: EC2;
  stop(): Promise<void>;
}

/** Starts moto on a free port and waits until it answers. */
export async function startMoto(): Promise<Moto> {
  const port = await freePort();
  const server = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const options = {
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 240 || server.exitCode !== null) {
      await ended(server);
      throw new Error('moto_server does not answer');
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const [autoScaling, ec2] = [new AutoScaling(options), new EC2(options)];
  const stop = (): Promise<void> => {
    autoScaling.destroy();
    ec2.destroy();
    return ended(server);
  };
  return { options, autoScaling, ec2, stop };
}

const ended = (server: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) {
      resolve();
      return;
    }
    server.once('exit', () => resolve());
    server.kill('SIGKILL');
  });

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path: '/moto-api/', timeout: 2_000 }, (answer) => {
      answer.resume();
      resolve(true);
    });
    asked.on('timeout', () => asked.destroy(new Error('late')));
    asked.on('error', () => resolve(false));
    asked.end();
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

/** Has commands that run in this process find the emulated AWS as they would find the real one. */
export function useEndpoint({ options }: Moto): void {
  process.env['AWS_ENDPOINT_URL'] = options.endpoint;
  process.env['AWS_ACCESS_KEY_ID'] = options.credentials?.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = options.credentials?.secretAccessKey;
}
