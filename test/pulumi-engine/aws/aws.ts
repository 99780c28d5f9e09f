import { spawn, spawnSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { type Moto, motoMissing, startMoto } from '../../cloud/moto';
import { AwsResponse } from './aws-response';

/** Reason why AWS cannot be called here; undefined if it can. */
export const awsMissing: string | undefined =
  motoMissing ??
  (spawnSync('python3', ['-c', 'import boto3'], { timeout: 60_000 }).status === 0
    ? undefined
    : 'python3 here has no boto3, which "pip install moto[server]" installs');

/** An error response from AWS: its code, such as `DependencyViolation`, and its message. */
export class AwsError extends Error {
  override readonly name = 'AwsError' as const;

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** An emulated AWS region, called with AWS's own client. */
export interface Aws {
  readonly moto: Moto;
  readonly region: string;
  readonly account: string;
  /** Mutating operations, such as `ec2:CreateVpc`, in order. */
  readonly changes: readonly string[];
  /** Calls an operation of a service. Throws an `AwsError` for an error response or an unknown parameter. */
  call(service: string, operation: string, parameters?: Readonly<Record<string, unknown>>): Promise<AwsResponse>;
  stop(): Promise<void>;
}

const readOperations = /^(Describe|Get|Head|List)/;

/** Starts an emulated AWS and its client. */
export async function startAws(): Promise<Aws> {
  const moto = await startMoto({ MOTO_S3_ALLOW_CROSSACCOUNT_ACCESS: 'false' });
  const { region, endpoint } = moto.options;
  const server = spawn('python3', [join(__dirname, 'boto-server.py'), endpoint ?? '', region], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const line = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
  if (line.done) {
    await moto.stop();
    throw new Error('boto-server.py exited before it listened');
  }
  const port = Number(line.value);
  const agent = new Agent({ keepAlive: true });
  const changes: string[] = [];
  const call: Aws['call'] = async (service, operation, parameters = {}) => {
    const { status, body } = await post(agent, port, JSON.stringify({ service, operation, parameters }));
    const result = JSON.parse(body) as Record<string, unknown>;
    if (status !== 200)
      throw new AwsError(String(result['code']), `${service}:${operation}: ${String(result['message'])}`);
    if (!readOperations.test(operation)) changes.push(`${service}:${operation}`);
    return new AwsResponse(result);
  };
  const account = (await call('sts', 'GetCallerIdentity')).text('Account');
  return {
    moto,
    region,
    account,
    changes,
    call,
    stop: async () => {
      agent.destroy();
      server.stdin.end();
      await ended;
      await moto.stop();
    },
  };
}

const post = (agent: Agent, port: number, text: string): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-length': Buffer.byteLength(text) };
    const clientRequest = request({ host: '127.0.0.1', port, method: 'POST', headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    clientRequest.on('error', reject);
    clientRequest.end(text);
  });
