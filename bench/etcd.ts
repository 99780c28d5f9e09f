import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries } from '../test/control-plane/binaries';
import { freePorts } from '../test/control-plane/ports';
import { probe } from '../test/control-plane/probe';
import { waitFor } from '../test/control-plane/wait-for';
import { kubernetesValue, sampleFile, type SampleRecord } from '../test/etcd/sample-file';
import { median, ratio } from './ratio';

/** Gigabytes of the database; the goals apply to 1 GB. */
const gigabytes = Number(process.argv[2] ?? 1);
const rounds = 5;
const program = join(process.cwd(), 'build/bin/pinion.js');
const folder = mkdtempSync(join(tmpdir(), 'pinion-bench-etcd-'));

/** Writes a database of 10 KB pods in a hundred namespaces: half of them are written twice, one in twenty is deleted. */
function writeDatabase(): string {
  const count = Math.round(gigabytes * 66_000);
  const records: SampleRecord[] = [];
  const write = (index: number, revision: number, version: number): void => {
    const value = kubernetesValue({
      apiVersion: 'v1',
      kind: 'Pod',
      name: `pod-${index}`,
      managers: ['kube-controller-manager', 'kube-scheduler', 'kubelet'].map((manager, place) => ({
        manager,
        subresource: manager === 'kubelet' ? 'status' : '',
        time: 1_790_000_000 + Math.floor(revision / 100) + place,
      })),
      owners: [{ kind: 'ReplicaSet', name: `set-${index % 5000}`, controller: true }],
      spec: 's'.repeat(6000 + (index % 1000)),
      status: 't'.repeat(3000),
    });
    records.push({ key: keyOf(index), revision, value, version });
  };
  for (let index = 0; index < count; index++) write(index, index + 2, 1);
  for (let index = 0; index < count; index += 2) write(index, count + index + 2, 2);
  for (let index = 1; index < count; index += 20) records.push({ key: keyOf(index), revision: 2 * count + index + 2 });
  const file = join(folder, 'db');
  writeFileSync(file, sampleFile(records));
  return file;
}

const keyOf = (index: number): string => `/registry/pods/team-${index % 100}/pod-${index}`;

interface Timed {
  readonly seconds: number;
  readonly output: string;
}

function timed(command: string, args: readonly string[]): Timed {
  const started = performance.now();
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${command} exited with ${status}: ${stderr}`, { cause: error });
  return { seconds: (performance.now() - started) / 1000, output: stderr };
}

const medianOf = (command: string, args: readonly string[]): Timed =>
  median(
    Array.from({ length: rounds }, () => timed(command, args)),
    ({ seconds }) => seconds,
  );

/** Measures etcd's own tools: the seconds for the status of the file and for reading all keys from a server of it. */
async function measureEtcdTools(file: string): Promise<number | undefined> {
  const tools = findBinaries(['etcd', 'etcdctl', 'etcdutl']);
  if ('skipped' in tools) {
    console.log(`etcd's own tools are not measured: ${tools.skipped}`);
    return undefined;
  }
  const { etcd, etcdctl, etcdutl } = tools.paths;
  const status = medianOf(etcdutl, ['snapshot', 'status', file]).seconds;
  const data = join(folder, 'data');
  const [client = 0, peer = 0] = await freePorts(2);
  const peers = `http://127.0.0.1:${peer}`;
  const cluster = ['--initial-cluster', `default=${peers}`, '--initial-advertise-peer-urls', peers];
  timed(etcdutl, ['snapshot', 'restore', file, '--skip-hash-check', '--data-dir', data, ...cluster]);
  const url = `http://127.0.0.1:${client}`;
  const serving = ['--listen-client-urls', url, '--advertise-client-urls', url, '--listen-peer-urls', peers];
  const server: ChildProcess = spawn(etcd, ['--data-dir', data, ...serving, ...cluster, '--log-level', 'error'], {
    stdio: 'ignore',
  });
  try {
    await waitFor('etcd to serve the file', () => probe(`${url}/health`).catch(() => false));
    const get = medianOf(etcdctl, ['--endpoints', url, '--command-timeout=300s', 'get', '/', '--prefix']).seconds;
    console.log(`etcdutl snapshot status ${status.toFixed(2)} s, etcdctl get --prefix ${get.toFixed(2)} s`);
    return status + get;
  } finally {
    server.kill('SIGKILL');
  }
}

async function main(): Promise<void> {
  const file = writeDatabase();
  const memory = join(folder, 'memory.cjs');
  // The peak of this process only; resourceUsage would include the parent's memory at the fork.
  writeFileSync(
    memory,
    "process.on('exit', () => process.stderr.write(require('node:fs').readFileSync('/proc/self/status', 'utf8')));\n",
  );
  const cat = medianOf('sh', ['-c', `cat ${file} > /dev/null`]);
  const analysis = medianOf(process.execPath, ['--require', memory, program, 'etcd', 'analyze', file]);
  const megabytes = Number(/VmHWM:\s*(\d+)/.exec(analysis.output)?.[1]) / 1024;
  const size = (statSync(file).size / 1e9).toFixed(2);
  console.log(
    `${size} GB: cat ${cat.seconds.toFixed(2)} s, pinion etcd analyze ${analysis.seconds.toFixed(2)} s, ${megabytes.toFixed(0)} MB; medians of ${rounds}`,
  );
  const loadAverage = readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
  console.log(`load average: ${loadAverage}`);
  ratio('etcd-seconds', analysis.seconds, '<=', 5);
  ratio('etcd-megabytes', megabytes, '<=', 300);
  ratio('etcd-against-cat', analysis.seconds / cat.seconds, '<=', 4);
  const toolSeconds = await measureEtcdTools(file);
  if (toolSeconds !== undefined) ratio('etcd-against-own-tools', analysis.seconds / toolSeconds, '<=', 1);
}

void main().finally(() => rmSync(folder, { recursive: true, force: true }));
