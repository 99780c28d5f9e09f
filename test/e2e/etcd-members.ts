import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdEndpoint } from '../../lib/operations';
import { ServerComponent } from '../control-plane/server-component';
import { freePorts } from '../control-plane/ports';
import { Guard } from '../control-plane/server-process';

/** Member of a test etcd. */
export interface EtcdMemberUnderTest {
  readonly name: string;
  readonly part: ServerComponent;
  readonly endpoint: EtcdEndpoint;
  /** Metrics URL, without a client certificate. */
  readonly metricsUrl: string;
}

/** Three members on the loopback address with their own client certificates. */
export interface EtcdUnderTest {
  readonly members: readonly EtcdMemberUnderTest[];
  /** Certificate files that the members require from clients. */
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts three members that reject writes beyond a quota in bytes. */
export async function startEtcd(program: string, quota: number): Promise<EtcdUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-etcd-'));
  const guard = new Guard(folder);
  const tls = certificates(folder);
  const ports = await freePorts(9);
  const names = ['a', 'b', 'c'];
  const peer = (index: number): string => `http://127.0.0.1:${ports[index + 3]}`;
  const cluster = names.map((name, index) => `${name}=${peer(index)}`).join(',');
  const pem = {
    ca: readFileSync(tls.ca, 'utf8'),
    cert: readFileSync(tls.cert, 'utf8'),
    key: readFileSync(tls.key, 'utf8'),
  };
  const members = names.map((name, index): EtcdMemberUnderTest => {
    const url = `https://127.0.0.1:${ports[index]}`;
    const metricsUrl = `http://127.0.0.1:${ports[index + 6]}`;
    const endpoint = new EtcdEndpoint(url, pem);
    const args = [
      `--name=${name}`,
      `--data-dir=${join(folder, name)}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-metrics-urls=${metricsUrl}`,
      `--listen-peer-urls=${peer(index)}`,
      `--initial-advertise-peer-urls=${peer(index)}`,
      `--initial-cluster=${cluster}`,
      `--quota-backend-bytes=${quota}`,
      `--cert-file=${tls.cert}`,
      `--key-file=${tls.key}`,
      `--trusted-ca-file=${tls.ca}`,
      '--client-cert-auth',
      '--unsafe-no-fsync',
      '--log-level=warn',
    ];
    const isReady = async (): Promise<boolean> => {
      await endpoint.call('kv/range', { key: Buffer.from('health').toString('base64') });
      return true;
    };
    return {
      name,
      endpoint,
      metricsUrl,
      part: new ServerComponent(
        { name, program, args: () => args, logFile: join(folder, `${name}.log`), isReady: isReady },
        guard,
      ),
    };
  });
  const stop = async (): Promise<void> => {
    await Promise.all(members.map(({ part }) => part.stop(2_000)));
    await guard.dismiss();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(members.map(({ part }) => part.ready()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { members, tls, folder, stop };
}

/** Creates a CA and one certificate for servers and clients on the loopback address. */
function certificates(folder: string): EtcdUnderTest['tls'] {
  const pki = join(folder, 'pki');
  mkdirSync(pki, { mode: 0o700 });
  const file = (name: string): string => join(pki, name);
  const openssl = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`);
  };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...curve, '-keyout', file('ca.key'), '-out', file('ca.crt'), '-subj', '/CN=ca', '-days', '2');
  openssl('req', ...curve, '-keyout', file('one.key'), '-out', file('one.csr'), '-subj', '/CN=one');
  writeFileSync(file('ext'), 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n');
  const authority = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial'];
  const output = ['-out', file('one.crt'), '-days', '2', '-extfile', file('ext')];
  openssl('x509', '-req', '-in', file('one.csr'), ...authority, ...output);
  return { ca: file('ca.crt'), cert: file('one.crt'), key: file('one.key') };
}
